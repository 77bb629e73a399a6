/// The list of goals as it reads at an instant.
///
/// A view of an account's state. Progress is the count of the running period, so it is derived from
/// the day and never reset.
public struct Goals: Hashable, Sendable {
  /// A goal of the list with its progress.
  public struct Item: Hashable, Sendable {
    /// The goal, as it is at present.
    public let goal: Goal
    /// How far its running period has come.
    public let progress: GoalProgress
    /// Its runs of met periods.
    public let streak: Streak
  }

  /// The version of the state that the list is a view of.
  public let version: Version
  /// The goals, in list order.
  public let items: [Item]
  /// The instant until which the list reads so if no edit is recorded; nil where time does not
  /// change it.
  public let validUntil: Instant?
}

/// The progress of a goal.
public enum GoalProgress: Hashable, Sendable {
  /// The goal is off: nothing is counted.
  case inactive
  /// The goal is on, and this is its running period.
  case active(RunningPeriod)

  /// Whether the goal is turned on.
  public var isActive: Bool {
    switch self {
    case .inactive: false
    case .active: true
    }
  }
}

/// The running period of a goal's interval, as far as it has come.
public struct RunningPeriod: Hashable, Sendable {
  /// The first case that holds, except that a period is open where none of the others does.
  public enum State: String, CaseIterable, Sendable {
    /// It is neither met nor excused yet.
    case open
    /// The count has reached the frequency.
    case met
    /// It holds an excused day.
    case excused
  }

  /// The days of the period.
  public let period: Period
  /// What was counted in the period so far.
  public let count: Int
  /// The count of the present day.
  public let today: Int
  /// How the period stands.
  public let state: State

  /// A period, as far as it has come.
  public init(_ period: Period, count: Int, today: Int, _ state: State) {
    self.period = period
    self.count = count
    self.today = today
    self.state = state
  }
}

extension AccountState {
  /// The list as it reads at an instant.
  public func goals(at now: Instant, in calendar: GoalCalendar) -> Goals {
    var counts = StreakCounts()
    return goals(at: now, in: calendar, counting: &counts)
  }

  /// The list as it reads at an instant. Counts the streaks on from the account's earlier counts.
  public func goals(
    at now: Instant, in calendar: GoalCalendar, counting counts: inout StreakCounts
  ) -> Goals {
    var reader = GoalsReader(of: self, at: now, in: calendar)
    var steps = Int.max
    while true {
      if let goals = reader.read(&steps, counting: &counts) { return goals }
    }
  }

  /// The instant until which the list reads so if no edit is recorded; nil where time does not
  /// change it.
  public func validUntil(at now: Instant, in calendar: GoalCalendar) -> Instant? {
    let today = calendar.day(of: now)
    var intervals: Set<Interval> = []
    var isDated = false
    for slot in roster.order {
      roster.look(in: slot) { goal in
        if goal.isActive { intervals.insert(goal.goal.interval) }
        // NB: inactive goals count, too: one of their periods, or a period of an earlier interval,
        // may yet be missed or met.
        isDated = isDated || goal.isDated(after: now, today)
      }
    }
    var ends = intervals.map { calendar.start(of: calendar.period(of: $0, holding: today).end) }
    if isDated { ends.append(calendar.end(of: today)) }
    return ends.min()
  }
}

extension TrackedGoal {
  /// The goal as it reads at an instant. The caller has counted the streak.
  func item(at now: Instant, in calendar: GoalCalendar, _ streak: Streak) -> Goals.Item {
    guard isActive else { return Goals.Item(goal: goal, progress: .inactive, streak: streak) }
    let today = calendar.day(of: now)
    let period = calendar.period(of: goal.interval, holding: today)
    let tally = days.tally(in: period, today: today)
    let state: RunningPeriod.State =
      tally.count >= goal.frequency.value ? .met : tally.isExcused ? .excused : .open
    let running = RunningPeriod(period, count: tally.count, today: tally.today, state)
    return Goals.Item(goal: goal, progress: .active(running), streak: streak)
  }

  /// Whether the goal may read otherwise once the day is over: an active goal whose count of today
  /// is another day's then, or a goal that holds something from the future. That is an activity or
  /// interval dated after now, by a device whose clock is ahead, or a count on a day after today,
  /// from such a device or from a place where the day is later.
  fileprivate func isDated(after now: Instant, _ today: Day) -> Bool {
    activity.currentSince > now || intervals.currentSince > now
      || (isActive ? today : today.adding(days: 1)).flatMap(days.firstCounted) != nil
  }
}
