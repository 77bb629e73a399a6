import Testing

@testable import GoalsCore

/// The days of a daily goal are counted in one pass. These tests judge each period by itself.
@Suite("A streak of days") struct DailyStreakTests {
  private static let first = Day(clamping: 15_200)
  private static let length: Int64 = 300

  @Test(
    "is the one of its periods, judged one by one",
    arguments: ["UTC", "Pacific/Apia", "America/Sao_Paulo"])
  func random(_ zone: String) throws {
    let zone = try #require(ZoneName(zone).flatMap(Zone.system))
    try SeededDice.each(of: 300) { dice in
      let dayStart = try #require(DayStart(minutes: dice.chance(1, in: 2) ? 0 : 720))
      let calendar = GoalCalendar(zone: zone, dayStart: dayStart)
      var goal = Self.goal(in: calendar, &dice)
      let today = dice.one(of: [Self.length, Self.length, dice.number(in: 0...Self.length)])
      let now = Self.instant(on: today, in: calendar, &dice)
      let first = StreakCount(of: goal, at: now, in: calendar)
      try Self.expectRight(first, goal, at: now, in: calendar, dice.note)
      try Self.expectRight(
        Self.portions(of: goal, at: now, in: calendar, after: nil, &dice), goal, at: now,
        in: calendar, dice.note)
      goal.days.add(1, on: Self.day(dice.number(in: 0...Self.length)))
      try Self.expectRight(
        Self.portions(of: goal, at: now, in: calendar, after: first, &dice), goal, at: now,
        in: calendar, dice.note)
    }
  }

  private static func expectRight(
    _ count: StreakCount, _ goal: TrackedGoal, at now: Instant, in calendar: GoalCalendar,
    _ note: Comment
  ) throws {
    var expected = Streak(of: goal.periods(until: now, in: calendar))
    if changesAhead(goal, of: now, in: calendar) { expected.current = 0 }
    #expect(count.streak == expected, note)
  }

  /// Whether the last change of the interval lies ahead of the clock, which was set back. The
  /// present run goes back at most to that change, so it is empty.
  private static func changesAhead(
    _ goal: TrackedGoal, of now: Instant, in calendar: GoalCalendar
  ) -> Bool {
    guard let last = goal.intervals.later.last else { return false }
    let first = calendar.period(of: last.value, holding: calendar.day(of: last.from))
    return first.start > calendar.day(of: now)
  }

  private static func portions(
    of goal: TrackedGoal, at now: Instant, in calendar: GoalCalendar, after earlier: StreakCount?,
    _ dice: inout SeededDice
  ) -> StreakCount {
    var counting = StreakCounting(of: goal, at: now, in: calendar, after: earlier)
    while true {
      var steps = Int(dice.number(in: 1...40))
      if let count = counting.run(&steps) { return count }
    }
  }

  private static func day(_ number: Int64) -> Day {
    Day(clamping: Int64(first.number) + number)
  }

  /// Mostly just at the start of a day or beside it.
  private static func instant(
    on number: Int64, in calendar: GoalCalendar, _ dice: inout SeededDice
  ) -> Instant {
    let beside: Int64 = dice.one(of: [0, 0, 0, -1, 1, 3_600_000, 43_200_000])
    return calendar.start(of: day(number)).adding(milliseconds: beside)
  }

  /// Counted and excused on some days or most of them; on and off, mostly daily, and of other
  /// frequencies meanwhile.
  private static func goal(in calendar: GoalCalendar, _ dice: inout SeededDice) -> TrackedGoal {
    let numbers = (0...dice.number(in: 0...12)).map { _ in dice.number(in: 0...Self.length) }
    let instants = numbers.map { instant(on: $0, in: calendar, &dice) }.sorted()
    var goal = TrackedGoal(.some(1), createdAt: instants[0])
    goal.intervals = Timeline(.daily, from: instants[0])
    for instant in instants.dropFirst() {
      switch dice.number(in: 0...4) {
      case 0: goal.intervals.set(dice.one(of: Interval.allCases), from: instant)
      case 1: goal.frequencies.set(.times(Int(dice.number(in: 1...3))), from: instant)
      // NB: open, a number
      default: goal.setActive(!goal.isActive, from: instant)
      }
    }
    let share = Int(dice.number(in: 1...9))
    for number in -5..<Self.length where dice.chance(share, in: 10) {
      goal.days.add(Int(dice.number(in: 1...3)), on: day(number))
    }
    for number in -5..<Self.length where dice.chance(1, in: 10) {
      goal.days.setExcused(true, on: day(number))
    }
    return goal
  }
}
