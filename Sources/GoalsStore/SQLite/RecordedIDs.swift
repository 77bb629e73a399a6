import GoalsCore
import SQLite

/// Tells the writer of most ids that they are recorded nowhere, so that nothing is looked up for them: a
/// look at an index of a million random ids was a fifteenth of what a bump cost.
///
/// What the index held when it was opened is read into a filter with the first look-ups, some rows for
/// each; until that is whole, every id may be recorded. It is right only as long as whoever keeps it is told of
/// everything that is recorded.
struct RecordedIDs {
  /// How many rows of the index are read for an id that was looked up: of a million, all with the first
  /// 16,000 edits that come a few at a time, which cost two fifths more.
  private static let share = 64
  /// How many at most for the look-ups of one account in a turn: it takes about a millisecond.
  private static let largestShare = 4096

  private var filter = IDFilter()
  /// The index is read up to here, in its order; nil once all of it is.
  private var end: (account: Int64, id: Edit.ID)? = (0, Edit.ID(high: 0, low: 0))

  func mayHold(_ id: Edit.ID) -> Bool { end != nil || filter.mayHold(id) }

  mutating func insert(_ ids: some Sequence<Edit.ID>) {
    for id in ids { filter.insert(id) }
  }

  /// Reads on in the index, after so many look-ups in it.
  mutating func read(_ index: IDTable, lookUps: Int = 1) {
    guard let (account, id) = end else { return }
    let limit = min(lookUps * Self.share, Self.largestShare)
    var count = 0
    do throws(SQLiteError) {
      try index.visit(after: id, account: account, limit: limit) { account, id in
        filter.insert(id)
        end = (account, id)
        count += 1
      }
      if count < limit { end = nil }
    } catch {
      // Nobody asked for these rows: look-ups go on in the index, and the next one tries again.
    }
  }
}
