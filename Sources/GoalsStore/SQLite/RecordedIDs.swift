import GoalsCore
import SQLite

/// Tells the writer of most ids that they are recorded nowhere, so that nothing is looked up for them: a
/// look at an index of a million random ids was a fifteenth of what a bump cost.
///
/// What the index held when it was opened is read into a filter with the first look-ups, some rows for
/// each; until that is whole, every id may be recorded. It is right only as long as whoever keeps it is told of
/// everything that is recorded.
struct RecordedIDs {
  private enum Reading {
    /// The index is read up to here, in its order.
    case upTo(account: Int64, Edit.ID)
    case done
    /// There is something in it that is no id.
    case failed
  }

  /// How many rows of the index are read for an id that was looked up: of a million, all with the first
  /// 16,000 edits, which cost half as much again.
  private static let share = 64
  /// How many at most at once: it takes about a millisecond.
  private static let largestShare = 4096

  private var filter = IDFilter()
  private var reading = Reading.upTo(account: 0, Edit.ID(high: 0, low: 0))

  func mayHold(_ id: Edit.ID) -> Bool {
    if case .done = reading { filter.mayHold(id) } else { true }
  }

  mutating func insert(_ ids: some Sequence<Edit.ID>) {
    for id in ids { filter.insert(id) }
  }

  /// Reads on in the index, after so many look-ups in it.
  mutating func read(_ index: IDTable, lookUps: Int = 1) {
    guard case .upTo(let account, let id) = reading else { return }
    let limit = min(lookUps * Self.share, Self.largestShare)
    do throws(SQLiteError) {
      var count = 0
      try index.visit(after: id, account: account, limit: limit) { account, id in
        filter.insert(id)
        reading = .upTo(account: account, id)
        count += 1
      }
      if count < limit { reading = .done }
    } catch {
      // Whoever looks an id up meets the same error, and tells of it.
      reading = .failed
    }
  }
}
