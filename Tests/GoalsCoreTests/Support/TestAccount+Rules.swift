import Testing

@testable import GoalsCore

/// What the tables of the rules are written in.
extension TestAccount {
  /// An account with this calendar and these goals, made and turned on at one instant.
  static func living(
    in zone: String = "UTC", dayStart: String = "00:00", weekStart: Weekday = .monday,
    since creation: String = "2026-11-01T00:00:00Z", now: String = "2026-11-20T12:00:00Z",
    with goals: Goal...
  ) -> TestAccount {
    let calendar = CalendarSettings(
      timeZone: .of(zone), weekStart: weekStart, dayStart: .of(dayStart))
    var account = TestAccount(AccountState(calendar: calendar), now: .at(now))
    account.zones = .system
    for goal in goals.reversed() {
      account.record(.add(goal), at: .at(creation))
      account.record(.setActivity(.keyed([goal.id: true])), at: .at(creation))
    }
    return account
  }

  mutating func bump(_ number: Int = 1, _ id: Goal.ID = 1, at instant: String) {
    record(.bump(id, by: .of(number), note: nil), at: .at(instant))
  }

  /// The counts of a goal by day, as `2026-11-20: 3`.
  func counts(of id: Goal.ID = 1) -> [String] {
    let days = state.roster.goal(id)?.days.all ?? []
    return days.filter { $0.count > 0 }.map { "\($0.day): \($0.count)" }
  }

  /// A goal's history from a day on, as `2026-11-20 met 3/2`.
  func history(of id: Goal.ID = 1, from day: String = "0000-01-01") -> [String] {
    periods(of: id).filter { $0.period.start >= .on(day) }.map { judged in
      "\(judged.period.start) \(judged.state) \(judged.count)/\(judged.frequency.value)"
    }
  }

  /// A goal's progress, as `3 in 2026-11-16..2026-11-23`; nil while it is inactive.
  func progress(of id: Goal.ID = 1, at instant: String? = nil) -> String? {
    switch item(id, at: instant.map { .at($0) })?.progress {
    case .active(let running):
      "\(running.count) in \(running.period.start)..\(running.period.end)"
    case .inactive, nil: nil
    }
  }
}
