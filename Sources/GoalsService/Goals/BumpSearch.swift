import GoalsCore
import GoalsStore
import GoalsWire

/// Looks through the log for the bumps of a goal that stand, in portions.
///
/// The log has no index by goal or by day. It is read from the first edit that can count in the
/// window, which its instants tell, to its end, because a bump may come late.
struct BumpSearch: Sendable {
  /// How many edits a portion looks at: few enough that no other reader waits long.
  private static let portion = 500
  /// The most bumps of a window.
  static let maximum = 20_000
  /// The most by which the day of a bump may come after the time of its recording, in milliseconds.
  /// A device's clock may be 5 minutes ahead of it, a zone a day and a few hours, and the bump may
  /// name the day after that.
  private static let tolerance: Int64 = 4 * 86_400_000

  private let account: Account.ID
  /// The version of the state whose bumps are looked for.
  private let end: Version
  /// When the earliest edit that can count in the window was recorded, or after that. Nil where no
  /// day of the window has a count.
  private let earliest: Instant?
  private var bumps: StandingBumps
  /// The version of the edit before the next one; nil where it has yet to begin.
  private var position: Version?

  init(
    of goal: TrackedGoal, in window: Range<Day>, _ account: Account.ID, upTo end: Version
  ) {
    self.account = account
    self.end = end
    bumps = StandingBumps(of: goal.goal.id, in: window)
    let first = goal.days.firstCounted(from: window.lowerBound)
    earliest = first.flatMap { day in
      guard day < window.upperBound else { return nil }
      return Instant(milliseconds: Int64(day.number) * 86_400_000 - Self.tolerance)
    }
  }

  /// Looks at a portion. Answers the bumps once all of them are found.
  mutating func goOn(in store: Store) throws -> StandingBumps? {
    guard let earliest else { return bumps }
    if position == nil { position = try beginning(recordedFrom: earliest, in: store) }
    let start = position ?? .none
    let count = min(Self.portion, end.number - start.number)
    let page = try store.log.search(account, bumps.goal, start, count).or(.unknownAccount)
    for edit in page.found { bumps.take(edit) }
    guard bumps.count <= Self.maximum else { throw Failure.tooManyBumps }
    guard let last = page.entries.last?.version, last < end else { return bumps }
    position = last
    return nil
  }

  /// The version before the first edit that was recorded at an instant or later. The log is in the
  /// order of these instants, so halving finds it.
  private func beginning(recordedFrom instant: Instant, in store: Store) throws -> Version {
    var (low, high) = (0, end.number)
    while low < high {
      let middle = low + (high - low) / 2
      let entry = try store.log.page(account, Version(middle), 1)?.entries.first
      let recordedAt = entry.flatMap { RecordedPayload($0.payload)?.recordedAt }
      if let recordedAt, recordedAt < instant { low = middle + 1 } else { high = middle }
    }
    return Version(low)
  }
}
