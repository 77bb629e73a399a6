import Testing

@testable import GoalsCore

/// Absences are kept in terms of days. The rules speak of instants, and so do these tests.
@Suite("A goal's absences") struct AbsencesTests {
  /// Two weeks around 2011-12-30, a date that never was in Apia.
  private static let days = Day(clamping: 15_330)...Day(clamping: 15_344)

  @Test(
    "pause the periods whose start, last instant or whole day they cover",
    arguments: ["UTC", "Pacific/Apia", "America/Sao_Paulo"])
  func pauses(_ zone: String) throws {
    let zone = try #require(ZoneName(zone).flatMap(Zone.system))
    try SeededDice.each(of: 300) { dice in
      let dayStart = try #require(DayStart(minutes: dice.chance(1, in: 2) ? 0 : 720))
      let calendar = GoalCalendar(zone: zone, dayStart: dayStart)
      let goal = Self.toggled(in: calendar, &dice)
      var steps = 0
      var absences = Absences(of: goal, in: calendar, counting: &steps)
      let ranges = Absences.ranges(of: goal, counting: &steps)
      for interval in Interval.allCases {
        for number in Self.days.lowerBound.number...Self.days.upperBound.number {
          let period = calendar.period(of: interval, holding: Day(clamping: Int64(number)))
          let isPaused = ranges.contains { Self.pauses($0, period, in: calendar) }
          #expect(absences.pause(period) == isPaused, dice.note)
          let start = calendar.start(of: period.end)
          let around = ranges.first { $0.contains(start) }
          #expect(
            absences.end(aroundStartOf: period.end)
              == around.map { calendar.day(of: $0.upperBound) }, dice.note)
        }
      }
    }
  }

  /// As the rule says it.
  private static func pauses(
    _ absence: Range<Instant>, _ period: Period, in calendar: GoalCalendar
  ) -> Bool {
    let last = calendar.start(of: period.end).adding(milliseconds: -1)
    if absence.contains(calendar.start(of: period.start)) || absence.contains(last) { return true }
    return (period.start.number..<period.end.number).contains { number in
      let day = Day(clamping: Int64(number))
      return calendar.exists(day) && absence.lowerBound <= calendar.start(of: day)
        && calendar.end(of: day) <= absence.upperBound
    }
  }

  /// Turned on and off up to ten times, mostly just at the start of a day or beside it.
  private static func toggled(in calendar: GoalCalendar, _ dice: inout SeededDice) -> TrackedGoal {
    func instant() -> Instant {
      let numbers = Int64(days.lowerBound.number)...Int64(days.upperBound.number)
      let beside: Int64 = dice.one(of: [0, 0, 0, -1, 1, 3_600_000, 43_200_000])
      return calendar.start(of: Day(clamping: dice.number(in: numbers)))
        .adding(milliseconds: beside)
    }
    let instants = (0...dice.number(in: 0...10)).map { _ in instant() }.sorted()
    var goal = TrackedGoal(.some(1), createdAt: instants[0])
    for instant in instants.dropFirst() { goal.setActive(!goal.isActive, from: instant) }
    return goal
  }
}
