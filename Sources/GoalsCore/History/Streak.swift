/// The runs of met periods, each within one interval. Skipped, paused and pending periods neither
/// break nor lengthen a run.
public struct Streak: Hashable, Sendable {
  /// The present run; it goes back at most to the last change of the interval.
  public internal(set) var current: Int
  /// The longest run.
  public internal(set) var longest: Int

  /// Runs of these lengths, in periods.
  public init(current: Int, longest: Int) {
    self.current = current
    self.longest = longest
  }

  /// Adds a met period.
  mutating func extend() {
    current += 1
    longest = max(longest, current)
  }

  init(of periods: [JudgedPeriod]) {
    var current = 0
    var longest = 0
    for period in periods {
      if period.beginsInterval { current = 0 }
      switch period.state {
      case .met: current += 1
      case .missed: current = 0
      case .skipped, .pending, .paused: break
      }
      longest = max(longest, current)
    }
    self.init(current: current, longest: longest)
  }
}

/// A streak with its marks, from which a later count goes on after more edits or days.
///
/// Counting on judges only the periods that may have changed, mostly the running one. So a streak
/// of ten years costs no more than a streak of one day.
public struct StreakCount: Sendable {
  /// The runs that were counted.
  public let streak: Streak
  fileprivate let goal: TrackedGoal
  fileprivate let calendar: GoalCalendar
  private let marks: StreakMarks

  /// Counts a goal's streak, from the point up to which an earlier count of the same goal still
  /// holds.
  public init(
    of goal: TrackedGoal, at now: Instant, in calendar: GoalCalendar,
    after earlier: StreakCount? = nil
  ) {
    var counting = StreakCounting(of: goal, at: now, in: calendar, after: earlier)
    _ = counting.walk.run(upTo: .max)
    self.init(counting)
  }

  fileprivate init(_ counting: StreakCounting) {
    streak = counting.walk.streak
    marks = counting.walk.marks
    goal = counting.goal
    calendar = counting.calendar
  }

  /// The marks up to which nothing has changed since; nil where there are none.
  fileprivate func marks(holdingFor now: TrackedGoal, on today: Day) -> StreakMarks? {
    guard goal.intervals == now.intervals else { return nil }
    return marks.keeping { mark in
      mark.settled <= today && now.agrees(with: goal, before: mark.settled, in: calendar)
    }
  }
}

/// A streak that is being counted, in portions.
struct StreakCounting: Sendable {
  fileprivate let goal: TrackedGoal
  fileprivate let calendar: GoalCalendar
  fileprivate var walk: StreakWalk

  init(
    of goal: TrackedGoal, at now: Instant, in calendar: GoalCalendar, after earlier: StreakCount?
  ) {
    let today = calendar.day(of: now)
    let kept = earlier.flatMap { $0.calendar == calendar ? $0 : nil }
    walk = StreakWalk(
      of: goal, at: now, in: calendar, from: kept?.marks(holdingFor: goal, on: today))
    self.goal = goal
    self.calendar = calendar
  }

  /// Counts on for about `steps` steps, and subtracts the steps taken. Returns the count once it is
  /// complete.
  mutating func run(_ steps: inout Int) -> StreakCount? {
    let before = walk.steps
    let isOver = walk.run(upTo: steps < .max - before ? before + max(1, steps) : .max)
    steps -= walk.steps - before
    return isOver ? StreakCount(self) : nil
  }
}

extension TrackedGoal {
  /// The goal's streak, counted from the start.
  public func streak(at now: Instant, in calendar: GoalCalendar) -> Streak {
    StreakCount(of: self, at: now, in: calendar).streak
  }

  /// Whether two goals have the same values for judging the periods that end by a day.
  fileprivate func agrees(
    with other: TrackedGoal, before day: Day, in calendar: GoalCalendar
  ) -> Bool {
    let instant = calendar.start(of: day)
    return days.agrees(with: other.days, before: day)
      && frequencies.agrees(with: other.frequencies, before: instant)
      && activity.agrees(with: other.activity, before: instant)
      && existence.agrees(with: other.existence, before: instant)
  }
}
