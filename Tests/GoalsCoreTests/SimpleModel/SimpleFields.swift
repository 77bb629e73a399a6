import GoalsCore

// The fields of goals and calendars, changed one by one.

extension Goal {
  /// The goal with what the changes name.
  func with(_ changes: Changes) -> Goal {
    var (title, colour, interval, frequency, unit) = (title, colour, interval, frequency, unit)
    for change in changes.all {
      switch change {
      case .retitling(let new): title = new
      case .recolouring(let new): colour = new
      case .rescheduling(let new): interval = new
      case .targeting(let new): frequency = new
      case .measuring(let new): unit = new
      }
    }
    return Goal(
      id: id, title: title, colour: colour, interval: interval, frequency: frequency, unit: unit)
  }

  /// The goal with those fields as they were before that changed from `before` to `after`.
  func goingBack(from after: Goal, to before: Goal) -> Goal {
    Goal(
      id: id, title: back(title, after.title, before.title),
      colour: back(colour, after.colour, before.colour),
      interval: back(interval, after.interval, before.interval),
      frequency: back(frequency, after.frequency, before.frequency),
      unit: back(unit, after.unit, before.unit))
  }

  /// Whether all fields that changed from `before` to `after` still are as they became.
  func stillHolds(_ after: Goal, changedFrom before: Goal) -> Bool {
    holds(title, after.title, before.title) && holds(colour, after.colour, before.colour)
      && holds(interval, after.interval, before.interval)
      && holds(frequency, after.frequency, before.frequency)
      && holds(unit, after.unit, before.unit)
  }
}

extension CalendarSettings {
  func with(_ changes: Changes) -> CalendarSettings {
    CalendarSettings(
      timeZone: changes.timeZone ?? timeZone, weekStart: changes.weekStart ?? weekStart,
      dayStart: changes.dayStart ?? dayStart)
  }

  /// The calendar with those fields as they were before that changed from `before` to `after`.
  func goingBack(from after: CalendarSettings, to before: CalendarSettings) -> CalendarSettings {
    CalendarSettings(
      timeZone: back(timeZone, after.timeZone, before.timeZone),
      weekStart: back(weekStart, after.weekStart, before.weekStart),
      dayStart: back(dayStart, after.dayStart, before.dayStart))
  }

  func stillHolds(_ after: CalendarSettings, changedFrom before: CalendarSettings) -> Bool {
    holds(timeZone, after.timeZone, before.timeZone)
      && holds(weekStart, after.weekStart, before.weekStart)
      && holds(dayStart, after.dayStart, before.dayStart)
  }
}

private func back<Field: Equatable>(_ present: Field, _ after: Field, _ before: Field) -> Field {
  after == before ? present : before
}

private func holds<Field: Equatable>(_ present: Field, _ after: Field, _ before: Field) -> Bool {
  after == before || present == after
}
