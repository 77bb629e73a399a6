extension AccountState {
  /// The largest number of settings in one timeline of a goal: three changes a week for 26 years.
  ///
  /// A goal's row holds its timelines, and every change of one writes the row again. This many
  /// settings take 90 kB.
  public static let maximumTimeline = 4096
  /// The largest number of changes that the goals of an account remember together: for 20 goals,
  /// three changes a week for 20 years.
  ///
  /// An edit may change all goals at once and then writes all their rows: 1.5 MB with this many
  /// changes.
  public static let maximumChanges = 65_536
}

/// The limit that one more change would pass.
enum MemoryLimit: Hashable, Sendable {
  /// A timeline of one goal has as many settings as it may have.
  case goal
  /// The goals of the account remember as many changes as they may together.
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
  /// The limit that the effect, as of an instant, would pass; nil where the effect may be applied.
  ///
  /// An effect that only turns goals off, or removes one, is always allowed. Before it can happen
  /// to a goal again, the goal has to be turned on or put back, and that change is counted. So each
  /// goal has at most one such change more. An effect that makes no timeline longer is always
  /// allowed, too.
  func memoryLimit(in state: AccountState, at instant: Instant) -> MemoryLimit? {
    var growth = Growth()
    switch self {
    case .alter(let id, let changes):
      state.roster.look(at: id) { growth.add(altering: $0, by: changes, from: instant) }
    case .restore(let id, _):
      state.roster.look(at: id) { growth.add($0.existence, true, from: instant) }
    case .setActivity(let activity):
      for element in activity.elements where state.roster.isActive(element.goal) != element.isActive
      {
        state.roster.look(at: element.goal) { goal in
          growth.add(goal.activity, element.isActive, from: instant, isCounted: element.isActive)
        }
      }
    case .insert, .remove, .move, .count, .excuse, .configure: return nil
    }
    if growth.isTooLong { return .goal }
    guard growth.isCounted, growth.settings > 0 else { return nil }
    return state.roster.changes + growth.settings > AccountState.maximumChanges ? .account : nil
  }
}

/// How much an effect would lengthen timelines.
private struct Growth {
  private(set) var settings = 0
  /// Whether the effect does more than turn goals off.
  private(set) var isCounted = false
  /// Whether one timeline would grow beyond its maximum.
  private(set) var isTooLong = false

  mutating func add<Value>(
    _ timeline: Timeline<Value>, _ value: Value, from instant: Instant, isCounted: Bool = true
  ) {
    let count = timeline.count(setting: value, from: instant)
    settings += count - timeline.count
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
