import GoalsCore

/// A goal's history as a calendar heat map: a cell for each day, and weeks as columns.
public struct HeatMap: Sendable {
  let goal: Goal
  let history: GoalHistory
  let window: Range<Day>
  let today: Day
  package let weekStart: Weekday
  /// The cells of every day of the window, in order.
  package let cells: [Cell]

  package struct Cell: Hashable, Sendable {
    package let day: Day
    package let count: Int
    package let look: Look
    /// The period by which the day is judged; nil where no period holds the day.
    package let period: JudgedPeriod?
  }

  /// The look of a day. A day with a count shows the progress of its period.
  package enum Look: String, CaseIterable, Sendable {
    /// The calendar has no such day.
    case missing
    /// The goal did not exist, or was paused.
    case absent
    /// The day is after today.
    case ahead
    /// Nothing was counted.
    case empty
    /// Nothing was counted, in a period that is excused.
    case excused
    /// Nothing was counted, in a week or month that is met.
    case quiet
    /// Something was counted, and the period has less than a third of its frequency, less than two
    /// thirds, less than all of it, or all.
    case low, middle, high, full
  }

  public init(
    of goal: TrackedGoal, history: GoalHistory, window: Range<Day>, today: Day,
    calendar: GoalCalendar
  ) {
    self.goal = goal.goal
    self.history = history
    self.window = window
    self.today = today
    weekStart = calendar.weekStart
    let periods = Self.periods(history.periods, of: window)
    var counts: [Day: Int] = [:]
    for counted in history.days { counts[counted.day] = counted.count }
    cells = periods.indices.compactMap { index in
      window.lowerBound.adding(days: Int64(index)).map { day in
        let count = counts[day] ?? 0
        let period = periods[index]
        let look =
          calendar.exists(day)
          ? Look(count: count, period: period, isAhead: day > today) : .missing
        return Cell(day: day, count: count, look: look, period: period)
      }
    }
  }

  /// The period that judges each day of the window. Where the interval changed, two periods may
  /// hold a day, and the new one counts.
  private static func periods(_ judged: [JudgedPeriod], of window: Range<Day>) -> [JudgedPeriod?] {
    var periods: [JudgedPeriod?] = Array(
      repeating: nil, count: window.upperBound.days(since: window.lowerBound))
    for period in judged {
      let first = max(0, period.period.start.days(since: window.lowerBound))
      let end = min(periods.count, period.period.end.days(since: window.lowerBound))
      for index in first..<max(first, end) { periods[index] = period }
    }
    return periods
  }
}

extension HeatMap.Look {
  init(count: Int, period: JudgedPeriod?, isAhead: Bool) {
    if count > 0 {
      self = period.map { Self(done: $0.count, of: $0.frequency.value) } ?? .low
    } else if isAhead {
      self = .ahead
    } else {
      switch period?.state {
      case nil, .paused: self = .absent
      case .skipped: self = .excused
      case .met: self = .quiet
      case .missed, .pending: self = .empty
      }
    }
  }

  private init(done count: Int, of need: Int) {
    let share = Double(count) / Double(need)
    self = share >= 1 ? .full : share >= 2 / 3 ? .high : share >= 1 / 3 ? .middle : .low
  }
}

extension HeatMap {
  /// The largest number of weeks side by side: a year, and the weeks in which it begins and ends.
  static let maximumColumns = 54

  /// The rows of cells: one row where the cells are of about a year, else a row for each calendar
  /// year.
  package var rows: [ArraySlice<Cell>] {
    guard let first = cells.first else { return [] }
    let columns = (cells.count + offset(of: first.day.weekday) + 6) / 7
    if columns <= Self.maximumColumns { return [cells[...]] }
    return cells.indices.reduce(into: []) { rows, index in
      if let last = rows.last?.last, last.day.date.year == cells[index].day.date.year {
        rows[rows.count - 1] = cells[rows[rows.count - 1].startIndex...index]
      } else {
        rows.append(cells[index...index])
      }
    }
  }

  /// How many days after the week start a weekday is: 0 to 6.
  package func offset(of weekday: Weekday) -> Int {
    let week = Weekday.allCases
    let index = { (day: Weekday) in week.firstIndex(of: day) ?? 0 }
    return (index(weekday) - index(weekStart) + 7) % 7
  }
}
