import GoalsCore
import SQLite

/// What the writer does for edits to be found by their ids: in each commit it appends the new ones to
/// `recent_id`, and does a share of the merge that runs.
struct IDIndexer {
  /// What a transaction has done; it holds once that is committed.
  struct Change {
    fileprivate(set) var recorded: [RecentIDs.Entry] = []
    fileprivate var merge: IDMerge
  }

  private let batch: Int
  private let table: IDTable
  private let recent: RecentIDs
  /// The numbers of the rows of `recent_id`, from the first that no merge has to do with.
  private var rows: Range<Int64>
  private var merge = IDMerge()

  /// Reads what waits into `recent`.
  init(_ table: IDTable, _ recent: RecentIDs, batch: Int) throws(SQLiteError) {
    self.table = table
    self.recent = recent
    self.batch = batch
    var stored = try table.recent()
    if let entries = stored?.entries, entries.count >= batch {
      // A merge may have been cut off: it goes on where it was, so that none is too long for a short run
      // of the program. On a disk that takes no write it is begun again.
      try? table.dropIndexed()
      stored = try table.recent()
    }
    rows = stored.map { $0.rows.lowerBound..<$0.rows.upperBound + 1 } ?? 1..<1
    recent.replace(with: stored?.entries ?? [])
    beginMerge()
  }

  func begin() -> Change { Change(merge: merge) }

  /// Takes the ids of edits in: a few that are neighbours into the index at once, where they share a page
  /// as they are.
  func append(
    _ edits: [RecordedEdit], account: Int64, in change: inout Change
  ) throws(SQLiteError) {
    let areNeighbours = Self.areNeighbours(edits)
    for edit in edits {
      let entry = RecentIDs.Entry(account: account, id: edit.id, version: edit.version)
      if areNeighbours {
        try table.insert(entry)
      } else {
        try table.append(entry, number: rows.upperBound + Int64(change.recorded.count))
        change.recorded.append(entry)
      }
    }
  }

  /// Whether there are enough of them for a page that is written, which costs about as much as to append
  /// four, merge and drop them; and whether they lie together: ids of UUIDv7 that were made within ten
  /// seconds, by their first 48 bits, which are milliseconds (RFC 9562 §5.7).
  private static func areNeighbours(_ edits: [RecordedEdit]) -> Bool {
    guard edits.count >= 4, let first = edits.lazy.map(\.id.high).min(),
      let last = edits.lazy.map(\.id.high).max()
    else { return false }
    return last - first <= 10_000 << 16
  }

  /// Does the transaction's share of the merge.
  func finish(_ change: inout Change) throws(SQLiteError) {
    try table.perform(change.merge.takeShare(edits: change.recorded.count))
  }

  mutating func apply(_ change: Change) {
    recent.append(change.recorded)
    rows = rows.lowerBound..<rows.upperBound + Int64(change.recorded.count)
    if merge.isIndexing && !change.merge.isIndexing { recent.arrive() }
    merge = change.merge
    beginMerge()
  }

  /// Begins a merge where none runs, and enough ids wait.
  private mutating func beginMerge() {
    guard merge.isIdle && recent.waiting >= batch else { return }
    merge.begin(recent.depart(), rows: rows.lowerBound...rows.upperBound - 1)
    rows = rows.upperBound..<rows.upperBound
  }

  /// An account is gone, with its rows.
  mutating func forget(_ account: Int64) {
    recent.forget(account)
    merge.forget(account)
  }
}
