extension AccountState {
  /// The most entries of one timeline of a goal: three changes a week for 26 years.
  ///
  /// A goal's row holds its timelines and is written anew by each change of one; this many are 90
  /// kB.
  public static let maximumTimeline = 4096
  /// The most changes that the goals of an account remember together: of 20 goals, three a week for
  /// 20 years.
  ///
  /// An edit may change all goals at once, and writes all their rows then: with this many changes,
  /// 1.5 MB.
  public static let maximumChanges = 65_536
}

/// Why a change is one too many to be remembered.
enum MemoryLimit: Hashable, Sendable {
  /// One goal's interval, frequency, activity or existence changed as often as a goal remembers.
  case goal
  /// The account's goals remember as many changes as they may together.
  case account

  /// A sentence for a person.
  var detail: String {
    switch self {
    case .goal:
      """
      The goal's interval, frequency or activity changed \(AccountState.maximumTimeline - 1) times \
      already, as often as a goal can. It can still be turned off and deleted.
      """
    case .account:
      """
      The intervals, frequencies and activity of the account's goals changed \
      \(AccountState.maximumChanges) times already, as often as they can. Goals can still be turned \
      off and deleted.
      """
    }
  }
}

extension Effect {
  /// Why the effect, as of an instant, would be one change too many; nil where it may be applied.
  ///
  /// An effect that only turns goals off, or removes one, is always allowed: before it can happen
  /// to a goal again, the goal has to be turned on or put back, and that is counted. So each goal
  /// has at most one such change more. An effect that makes no timeline longer is always allowed,
  /// too.
  func memoryLimit(in state: AccountState, at instant: Instant) -> MemoryLimit? {
    var growth = Growth()
    switch self {
    case .alter(let id, let changes):
      state.roster.look(at: id) { growth.add(altering: $0, by: changes, from: instant) }
    case .restore(let id, _):
      state.roster.look(at: id) { growth.add($0.existence, true, from: instant) }
    case .setActivity(let activity):
      for entry in activity.entries where state.roster.isActive(entry.goal) != entry.isActive {
        state.roster.look(at: entry.goal) { goal in
          growth.add(goal.activity, entry.isActive, from: instant, isCounted: entry.isActive)
        }
      }
    case .insert, .remove, .move, .count, .excuse, .configure: return nil
    }
    if growth.isTooLong { return .goal }
    guard growth.isCounted, growth.entries > 0 else { return nil }
    return state.roster.changes + growth.entries > AccountState.maximumChanges ? .account : nil
  }
}

/// By how much timelines would grow.
private struct Growth {
  private(set) var entries = 0
  /// Whether there is anything but goals that are turned off.
  private(set) var isCounted = false
  /// Whether one timeline would grow beyond its maximum.
  private(set) var isTooLong = false

  mutating func add<Value>(
    _ timeline: Timeline<Value>, _ value: Value, from instant: Instant, isCounted: Bool = true
  ) {
    let count = timeline.count(setting: value, from: instant)
    entries += count - timeline.count
    guard isCounted else { return }
    self.isCounted = true
    if count > AccountState.maximumTimeline, count > timeline.count { isTooLong = true }
  }

  mutating func add(
    altering goal: borrowing TrackedGoal, by changes: Goal.Changes, from instant: Instant
  ) {
    let present = goal.goal
    let altered = present.alter(by: changes)
    if altered.interval != present.interval {
      add(goal.intervals, altered.interval, from: instant)
    }
    if altered.frequency != present.frequency {
      add(goal.frequencies, altered.frequency, from: instant)
    }
  }
}
