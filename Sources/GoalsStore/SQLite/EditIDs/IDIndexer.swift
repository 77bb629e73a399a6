import GoalsCore
import SQLite

/// What the writer does for edits to be found by their ids: each commit appends a row of the new
/// ones to `recent_id`, and does a share of the merge that runs.
final class IDIndexer {
  /// What a transaction has done; it holds once that is committed.
  private struct Pending {
    var recorded: [IndexEntry] = []
    var merge = IDMerge()
  }

  private let batch: Int
  private let index: IDTable
  private let table: RecentIDTable
  private let recent: EditIDs.Recent
  /// The numbers of the rows of `recent_id`, from the first that no merge has to do with.
  private var rows: Range<Int64>
  private var merge = IDMerge()
  private var pending = Pending()

  /// Reads what waits into `recent`.
  init(_ index: IDTable, _ table: RecentIDTable, _ recent: EditIDs.Recent, batch: Int) throws {
    self.index = index
    self.table = table
    self.recent = recent
    self.batch = batch
    let stored = try table.rows()
    let last = stored.last?.number ?? 0
    try recent.replace(with: stored)
    if recent.waiting >= batch {
      recent.depart()
      merge.catchUp(through: last)
      rows = last + 1..<last + 1
    } else {
      rows = (stored.first?.number ?? 1)..<last + 1
    }
  }

  func begin() { pending = Pending(merge: merge) }

  /// Takes in the ids of edits. Ids that are neighbours go into the index at once, since they share
  /// a page as they are.
  func append(_ edits: [RecordedEdit], account: Int64) throws {
    let areNeighbours = Self.areNeighbours(edits)
    for edit in edits {
      let entry = IndexEntry(account: account, id: edit.id, version: edit.version)
      if areNeighbours {
        try index.insert(entry)
      } else {
        pending.recorded.append(entry)
      }
    }
  }

  /// Whether the ids are worth a page that is written, and lie together. To write a page costs
  /// about as much as to append, merge and drop four ids. Ids of UUIDv7 lie together where they
  /// were made within ten seconds: their first 48 bits are milliseconds (RFC 9562 §5.7).
  private static func areNeighbours(_ edits: [RecordedEdit]) -> Bool {
    guard edits.count >= 4, let first = edits.lazy.map(\.id.high).min(),
      let last = edits.lazy.map(\.id.high).max()
    else { return false }
    return last - first <= 10_000 << 16
  }

  /// Writes the transaction's row, where it has one, and does its share of the merge.
  func finish() throws {
    guard !pending.recorded.isEmpty else { return }
    if let entry = recent.contradiction(to: pending.recorded) { throw SQLiteError.ambiguous(entry) }
    try table.append(pending.recorded, number: rows.upperBound)
    switch pending.merge.takeShare(edits: pending.recorded.count) {
    case .none: break
    case .index(let entries):
      for entry in entries { try index.merge(entry) }
    case .drop(let count, let number):
      try table.removeFirst(count, through: number)
    case .move(let count, let number):
      let entries = try table.takeFirst(count, through: number)
      for entry in entries.sorted(by: IndexEntry.areInOrder) { try index.merge(entry) }
      if entries.count < count { pending.merge.hasCaughtUp() }
    }
  }

  /// Takes note that the transaction is committed.
  func committed() {
    guard !pending.recorded.isEmpty else { return }
    recent.append(pending.recorded)
    rows = rows.lowerBound..<rows.upperBound + 1
    if merge.isIndexing && !pending.merge.isIndexing { recent.arrive() }
    merge = pending.merge
    beginMerge()
  }

  /// Begins a merge where none runs, and enough ids wait.
  private func beginMerge() {
    guard merge.isIdle && recent.waiting >= batch else { return }
    recent.depart()
    merge.begin(recent.sortedDeparted(), rows: rows.lowerBound...rows.upperBound - 1)
    rows = rows.upperBound..<rows.upperBound
  }

  /// An account is gone, with its rows.
  func forget(_ account: Int64) {
    recent.forget(account)
    merge.forget(account)
  }
}
