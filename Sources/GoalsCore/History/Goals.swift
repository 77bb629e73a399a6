/// The list of goals as it reads at an instant: what a person sees.
///
/// A view of an account's state. Progress is the count of the running period, so it is derived from
/// the day and never reset.
public struct Goals: Hashable, Sendable {
  /// A goal of the list with its progress.
  public struct Entry: Hashable, Sendable {
    public let goal: Goal
    public let progress: GoalProgress
    public let streak: Streak
  }

  public let version: Version
  /// In list order.
  public let entries: [Entry]
  /// Until when the list reads so if nothing is recorded; nil where time does not change it.
  public let validUntil: Instant?
}

/// How far a goal has come.
public enum GoalProgress: Hashable, Sendable {
  case inactive
  /// What was counted in the running period of the goal's interval.
  case active(count: Int, in: Period)

  public var isActive: Bool {
    switch self {
    case .inactive: false
    case .active: true
    }
  }
}

extension AccountState {
  /// The list as it reads at an instant.
  public func goals(at now: Instant, in calendar: Calendar) -> Goals {
    var counts = StreakCounts()
    return goals(at: now, in: calendar, counting: &counts)
  }

  /// As above, with the streaks counted on from earlier ones of the same account.
  public func goals(
    at now: Instant, in calendar: Calendar, counting counts: inout StreakCounts
  ) -> Goals {
    let list = roster.list
    let entries = list.map { $0.entry(at: now, in: calendar, counting: &counts) }
    var ends = Set(entries.compactMap(\.runningPeriodEnd)).map { calendar.start(of: $0) }
    // NB: of a goal that is inactive, or whose interval was another, a period may yet be missed or met.
    let today = calendar.day(of: now)
    if list.contains(where: { $0.isDated(after: now, today) }) {
      ends.append(calendar.end(of: today))
    }
    return Goals(version: version, entries: entries, validUntil: ends.min())
  }
}

extension TrackedGoal {
  /// The goal as it reads at an instant, with its streak counted on from an earlier one.
  public func entry(
    at now: Instant, in calendar: Calendar, counting counts: inout StreakCounts
  ) -> Goals.Entry {
    let period = calendar.period(of: goal.interval, holding: calendar.day(of: now))
    return Goals.Entry(
      goal: goal,
      progress: isActive ? .active(count: days.tally(in: period).count, in: period) : .inactive,
      streak: counts.streak(of: self, at: now, in: calendar))
  }
}

/// The streaks of an account's goals as they were counted last, so that none is counted from its
/// start again.
public struct StreakCounts: Sendable {
  private var counts: [Goal.ID: StreakCount] = [:]

  public init() {}

  /// How many goals there are counts of.
  public var count: Int { counts.count }

  /// A goal's streak as it reads at an instant.
  public mutating func streak(
    of goal: TrackedGoal, at now: Instant, in calendar: Calendar
  ) -> Streak {
    let count = StreakCount(of: goal, at: now, in: calendar, after: counts[goal.goal.id])
    counts[goal.goal.id] = count
    return count.streak
  }
}

extension TrackedGoal {
  /// Whether a device whose clock is ahead has dated its activity or interval later than now, or
  /// something was counted on a later day: by such a device, or in a zone where it is later.
  fileprivate func isDated(after now: Instant, _ today: Day) -> Bool {
    activity.currentSince > now || intervals.currentSince > now
      || today.adding(days: 1).flatMap(days.firstCounted) != nil
  }
}

extension Goals.Entry {
  fileprivate var runningPeriodEnd: Day? {
    switch progress {
    case .inactive: nil
    case .active(_, let period): period.end
    }
  }
}
