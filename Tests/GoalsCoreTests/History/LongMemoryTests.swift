import Testing

@testable import GoalsCore

/// What looking at a goal takes whose memory is long: counted in steps, which may grow with its
/// length and no faster.
@Suite("A goal with a long memory") struct LongMemoryTests {
  private static let start = Instant.at("2020-01-01T00:00:00Z")
  private static let now = Instant.at("2026-11-20T12:00:00Z")
  private static let day: Int64 = 86_400_000

  /// A daily goal that was turned on and off so many times, a minute apart, beginning with `true`.
  private static func toggled(_ times: Int) -> TrackedGoal {
    var goal = TrackedGoal(.some(1), createdAt: start)
    for turn in 1...times {
      goal.setActive(
        !turn.isMultiple(of: 2), from: start.adding(milliseconds: Int64(turn) * 60_000))
    }
    return goal
  }

  @Test("is searched by halving, wherever it is in order", arguments: [1, 1000, 250_000])
  func halving(_ length: Int) {
    for place in [0, 1, length / 2, length] {
      var looks = 0
      let found = Array(0..<length).partitioningIndex { number in
        looks += 1
        return number >= place
      }
      #expect(found == place)
      #expect(looks <= 18)
    }
  }

  @Test("has its absences found in one pass", arguments: [10, 1000, 250_000])
  func absences(_ length: Int) {
    var steps = 0
    _ = Absences.ranges(of: Self.toggled(length), counting: &steps)
    #expect(steps == length + 1)
  }

  @Test("has its absences where existence and activity change apart, together and at once")
  func merged() {
    var goal = TrackedGoal(.some(1), createdAt: Instant(milliseconds: 10))
    goal.activity.set(true, from: Instant(milliseconds: 20))
    goal.existence.set(false, from: Instant(milliseconds: 30))
    goal.activity.set(false, from: Instant(milliseconds: 40))
    goal.existence.set(true, from: Instant(milliseconds: 50))
    goal.activity.set(true, from: Instant(milliseconds: 60))
    goal.existence.set(false, from: Instant(milliseconds: 70))
    goal.activity.set(false, from: Instant(milliseconds: 70))
    goal.existence.set(true, from: Instant(milliseconds: 80))
    goal.activity.set(true, from: Instant(milliseconds: 80))
    var steps = 0
    let absences = Absences.ranges(of: goal, counting: &steps)
    #expect(steps == 8)
    for instant in Int64(0)..<100 {
      let instant = Instant(milliseconds: instant)
      #expect(absences.contains { $0.contains(instant) } != goal.isThere(at: instant))
    }
    #expect(absences.map(\.lowerBound.milliseconds) == [.min, 30, 70])
    #expect(absences.map(\.upperBound.milliseconds) == [20, 60, 80])
  }

  /// What a walk over all of a goal's history looks at.
  private static func steps(_ goal: TrackedGoal) -> Int {
    var walk = StreakWalk(of: goal, at: now, in: GoalCalendar(), from: nil)
    _ = walk.run(upTo: .max)
    return walk.steps
  }

  @Test("has its streak counted in so many steps for each change and day", arguments: [100, 2000])
  func walk(_ length: Int) throws {
    // Counted on every third day, excused on every third; on and off, and of another interval and
    // frequency, each day.
    var goal = TrackedGoal(.some(1), createdAt: Self.start)
    for number in 1...length {
      let instant = Self.start.adding(milliseconds: Int64(number) * Self.day)
      let today = GoalCalendar().day(of: instant)
      if number.isMultiple(of: 3) { goal.days.add(1, on: today) }
      if number % 3 == 1 { goal.days.setExcused(true, on: today) }
      goal.setActive(number.isMultiple(of: 2), from: instant)
      goal = goal.altered(
        by: [
          .rescheduling(to: Interval.allCases[number % 3]), .targeting(.times(1 + number % 2)),
        ], from: instant)
    }
    #expect(Self.steps(goal) <= 20 * length)
  }

  @Test("passes excused days once, not for every absence", arguments: [100, 1000])
  func excused(_ length: Int) throws {
    var goal = TrackedGoal(.some(1), createdAt: Self.start)
    for number in 0..<length {
      let instant = Self.start.adding(milliseconds: Int64(number) * Self.day)
      if number.isMultiple(of: 2) {
        goal.days.setExcused(true, on: GoalCalendar().day(of: instant))
        goal.setActive(true, from: instant)
      } else {
        goal.setActive(false, from: instant)
      }
    }
    #expect(Self.steps(goal) <= 16 * length)
  }

  @Test("has a window of its history judged without the changes before and after")
  func window() throws {
    var goal = TrackedGoal(.some(1), createdAt: Self.start)
    for number in 1...2000 {
      let interval: Interval = number.isMultiple(of: 2) ? .daily : .weekly
      goal.intervals.set(
        interval, from: Self.start.adding(milliseconds: Int64(number) * Self.day))
    }
    let window = Day.on("2022-05-01")..<(.on("2022-05-08"))
    var judge = PeriodJudge(goal, at: Self.now, in: GoalCalendar())
    let periods = goal.periods(overlapping: window, judgedBy: &judge)
    #expect(judge.steps <= 400)
    let all = goal.periods(until: Self.now, in: GoalCalendar())
    #expect(
      periods
        == all.filter {
          $0.period.start < window.upperBound && $0.period.end > window.lowerBound
        })
    #expect(!periods.isEmpty)
  }

  @Test("is read in portions, to the same list", arguments: [1, 7, 100, 5000])
  func portions(_ size: Int) throws {
    var state = AccountState()
    for number in 0..<UInt64(20) {
      let id = Goal.ID(high: 0, low: number)
      state.alter(by: .insert(.some(id)), .setActivity([id: true]), at: Self.start)
      for day in 0..<50 {
        let counted = try #require(Day.on("2020-01-01").adding(days: Int64(day)))
        state.alter(
          by: .count(id, on: counted, by: 1, note: nil, bump: Version(1)), at: Self.start)
      }
    }
    var reader = GoalsReader(of: state, at: Self.now, in: GoalCalendar())
    var counts = StreakCounts()
    var portions = 0
    var goals: Goals?
    while goals == nil {
      var steps = size
      goals = reader.read(&steps, counting: &counts)
      portions += 1
      // No more than a period and what comes with a goal is looked at beyond what was asked for.
      #expect(steps > -20)
    }
    #expect(goals == state.goals(at: Self.now, in: GoalCalendar()))
    #expect(portions >= 20 * 50 / size)
    // With the counts it takes a few steps a goal, and is there at once.
    reader = GoalsReader(of: state, at: Self.now, in: GoalCalendar())
    var steps = 20 * 16
    #expect(reader.read(&steps, counting: &counts) == goals)
    #expect(steps > 0)
  }
}
