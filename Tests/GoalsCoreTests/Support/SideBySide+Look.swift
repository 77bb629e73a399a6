@testable import GoalsCore

/// What is read at an instant: the list, every goal's history, and the state itself.
extension SideBySide {
  /// What the two do not agree on.
  mutating func look(at instant: Instant, in window: Range<Day>) -> String? {
    let calendar = clocks.calendar(simple.settings)
    let histories = simple.goals.mapValues {
      SimpleHistory(of: $0, in: simple, at: instant, calendar)
    }
    return presentDifference ?? listDifference(from: histories, at: instant)
      ?? historyDifference(from: histories, at: instant, in: window) ?? foldDifference
  }

  /// The log folded again comes to the state that was kept step by step, and that can be taken
  /// apart and put together again, as a store does.
  private var foldDifference: String? {
    let folded = log.reduce(AccountState(calendar: script.calendar)) { $1.transform($0) }
    if folded != state { return "the log, folded again, comes to another state" }
    let goals = (0..<state.roster.everMade).compactMap { state.roster.goal(in: $0) }.map { goal in
      TrackedGoal(
        id: goal.goal.id, title: goal.goal.title, colour: goal.goal.colour, unit: goal.goal.unit,
        intervals: Timeline(goal.intervals.settings) ?? goal.intervals,
        frequencies: Timeline(goal.frequencies.settings) ?? goal.frequencies,
        activity: Timeline(goal.activity.settings) ?? goal.activity,
        existence: Timeline(goal.existence.settings) ?? goal.existence,
        days: DayCounts(goal.days.all), notes: KeptNotes(goal.notes.all.reversed()))
    }
    return Roster(goals: goals, order: state.roster.order) == state.roster
      ? nil : "the state is another when it is stored and read"
  }

  private mutating func listDifference(
    from histories: [Goal.ID: SimpleHistory], at instant: Instant
  ) -> String? {
    let list = state.goals(at: instant, in: calendar, counting: &streaks)
    guard list.version.number == simple.log.entries.count,
      list.items.map(\.goal.id) == simple.list
    else { return "the list is \(list)" }
    for item in list.items {
      guard let goal = simple.goals[item.goal.id], let history = histories[item.goal.id] else {
        continue
      }
      let progress = item.progress.simple
      if item.goal != goal.goal { return "listed as \(item.goal), but it is \(goal.goal)" }
      if progress != history.progress {
        return "the progress of \(item.goal.id.low) is \(String(describing: progress)), but "
          + "should be \(String(describing: history.progress))"
      }
      if item.streak != history.streak {
        return "\(item.goal.id.low) has the \(item.streak), but should have \(history.streak)"
      }
    }
    return validityDifference(of: list, since: instant)
  }

  /// The list reads the same until it is said to be invalid.
  private func validityDifference(of list: Goals, since instant: Instant) -> String? {
    guard let end = list.validUntil else {
      let later = state.goals(at: instant.adding(milliseconds: 400 * 86_400_000), in: calendar)
      return list.items == later.items ? nil : "the list changes, but should for ever hold"
    }
    if end <= instant { return "the list of \(instant) is invalid since \(end)" }
    let last = state.goals(at: end.adding(milliseconds: -1), in: calendar)
    return list.items == last.items ? nil : "the list changes before \(end)"
  }

  private mutating func historyDifference(
    from histories: [Goal.ID: SimpleHistory], at instant: Instant, in window: Range<Day>
  ) -> String? {
    for (id, expected) in histories {
      guard let real = state.roster.goal(id) else { continue }
      let periods = real.periods(until: instant, in: calendar)
      if let difference = difference(periods, expected.periods) {
        return "the periods of \(id.low) differ: \(difference)"
      }
      if real.streak(at: instant, in: calendar) != expected.streak {
        return "the streak of \(id.low) is not \(expected.streak)"
      }
      let streak = streaks.streak(of: real, at: instant, in: calendar)
      let shown = real.history(of: window, at: instant, in: calendar, streak)
      if let difference = difference(shown, expected, of: id, in: window) { return difference }
      if let difference = dayDifference(of: real) { return difference }
      if let difference = bumpDifference(of: id, in: window) { return difference }
    }
    return nil
  }

  private func difference(
    _ shown: GoalHistory, _ expected: SimpleHistory, of id: Goal.ID, in window: Range<Day>
  ) -> String? {
    let part = expected.part(Int(window.lowerBound.number)..<Int(window.upperBound.number))
    if let difference = difference(shown.periods, part.periods) {
      return "the periods of \(id.low) from \(window) differ: \(difference)"
    }
    let notes = simple.notes(of: id)
    let days = part.counts.sorted { $0.key < $1.key }.map { day, count in
      "\(day): \(count) \(notes.filter { $0.day == day }.map(\.note))"
    }
    if shown.days.map({ "\($0.day.number): \($0.count) \($0.notes)" }) != days {
      return "the days of \(id.low) from \(window) are \(shown.days), but should be \(days)"
    }
    let met = part.periods.filter { $0.state == .met }.count
    let missed = part.periods.filter { $0.state == .missed }.count
    if shown.total != part.counts.values.reduce(0, +) || shown.streak != expected.streak
      || shown.completion?.met ?? 0 != met || shown.completion?.of ?? 0 != met + missed
    {
      return "total, streak or completion of \(id.low) from \(window) are wrong: \(shown)"
    }
    return nil
  }

  private func difference(
    _ periods: [JudgedPeriod], _ expected: [SimpleHistory.Judgement]
  ) -> String? {
    for (period, expected) in zip(periods, expected) where period.simple != expected {
      return "\(period.simple.phrase), but should be \(expected.phrase)"
    }
    return periods.count == expected.count
      ? nil : "there are \(periods.count), but should be \(expected.count)"
  }

  /// The bumps that stand by the log add up to the counts of their days, and have their notes.
  private func bumpDifference(of id: Goal.ID, in window: Range<Day>) -> String? {
    var bumps = StandingBumps(of: id, in: window)
    for edit in log { bumps.take(edit) }
    var counts: [Int: Int] = [:]
    for (day, standing) in bumps.byDay {
      let count = standing.reduce(0) { $0 + $1.by.value }
      if count != 0 { counts[Int(day.number)] = count }
      let notes = simple.notes(of: id).filter { $0.day == Int(day.number) }.map { "\($0.note)" }
      if standing.compactMap(\.note).map({ "\($0)" }) != notes {
        return "the notes of the bumps of \(id.low) on \(day) are not \(notes)"
      }
    }
    let expected = simple.counts(of: id).filter { day, _ in
      window.lowerBound.number <= day && day < window.upperBound.number
    }
    return counts == expected ? nil : "the bumps of \(id.low) come to \(counts), not \(expected)"
  }

  private func dayDifference(of goal: TrackedGoal) -> String? {
    let id = goal.goal.id
    let days = goal.days.all
    if days.contains(where: { $0.count < 0 }) { return "a day of \(id.low) is below zero" }
    var counts: [Int: Int] = [:]
    for counted in days where counted.count != 0 { counts[Int(counted.day.number)] = counted.count }
    if counts != simple.counts(of: id) {
      return "the counts of \(id.low) are \(counts), but should be \(simple.counts(of: id))"
    }
    if Set(days.filter(\.isExcused).map { Int($0.day.number) }) != simple.excusedDays(of: id) {
      return "the excused days of \(id.low) should be \(simple.excusedDays(of: id))"
    }
    let notes = goal.notes.all.map { "\($0.version) \($0.day.number) \($0.note)" }
    let expected = simple.notes(of: id).map { "\($0.version) \($0.day) \($0.note)" }
    return notes == expected ? nil : "the notes of \(id.low) are \(notes), not \(expected)"
  }
}
