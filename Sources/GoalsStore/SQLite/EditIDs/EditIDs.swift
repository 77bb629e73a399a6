import GoalsCore
import SQLite

/// The ids of recorded edits, by which each counts once in its account
/// (docs/decisions/0009-edit-ids.md): what one connection finds of them, and what the connection
/// that writes records.
final class EditIDs {
  /// The table of the index. An import that is taken back removes its rows with others.
  static let indexTable = "edit_id"

  private let connection: Connection
  private let index: IDTable
  private let rows: RecentIDTable
  private let recent: Recent
  /// Nil for a connection that only reads.
  private let indexer: IDIndexer?
  /// Of as many accounts as are worth keeping, the largest id of the log; nil for an empty log.
  /// Only the connection that writes knows it.
  private var largest: [Int64: Edit.ID?] = [:]
  /// About 5 MB.
  private static let maximumLargest = 100_000

  /// - Parameters:
  ///   - recent: those of the database's owner. Nil where nobody writes it: they are read.
  ///   - batch: for the connection that writes: so many ids go into their index together.
  init(on connection: Connection, recent: Recent? = nil, batch: Int? = nil) throws {
    self.connection = connection
    index = try IDTable(on: connection)
    rows = try RecentIDTable(on: connection)
    self.recent = recent ?? Recent()
    if recent == nil { try self.recent.replace(with: rows.rows()) }
    if let batch {
      indexer = try IDIndexer(index, rows, self.recent, batch: batch)
    } else {
      indexer = nil
    }
  }

  // MARK: Finding

  /// The version of the edit with an id; nil where none is recorded.
  ///
  /// Only the writer calls it within a transaction: see `Recent`.
  func version(of id: Edit.ID, account: Int64) throws -> Version? {
    let waiting = recent.version(of: id, account: account)
    let indexed = try index.version(of: id, account: account)
    if let waiting, let indexed, waiting != indexed {
      throw SQLiteError.ambiguous(IndexEntry(account: account, id: id, version: waiting))
    }
    return waiting ?? indexed
  }

  /// Whether an edit with this id may be recorded: for the connection that writes. The others don't
  /// know.
  ///
  /// Ids that grow with time, as those of UUIDv7 do (RFC 9562 §5.7), are larger than all that were
  /// recorded before, so nothing has to be looked up for them.
  func mayHold(_ id: Edit.ID, account: Int64) throws -> Bool {
    guard indexer != nil else { return true }
    let end: Edit.ID?
    if let known = largest[account] {
      end = known
    } else {
      end = [try index.largest(account: account), recent.largest(account: account)]
        .compactMap(\.self).max()
      if largest.count >= Self.maximumLargest { largest = [:] }
      largest.updateValue(end, forKey: account)
    }
    return end.map { id <= $0 } ?? false
  }

  // MARK: Recording

  /// Begins what one transaction does. What the one before did is forgotten, if it was not
  /// committed.
  func begin() { indexer?.begin() }

  /// Takes in the ids of edits that the transaction records.
  func append(_ edits: [RecordedEdit], account: Int64) throws {
    try indexer?.append(edits, account: account)
  }

  /// Does what is due at the end of a transaction, and within it.
  func finish() throws { try indexer?.finish() }

  func committed() { indexer?.committed() }

  func learn(_ edits: [RecordedEdit], account: Int64) {
    guard let known = largest[account] else { return }
    let end = edits.reduce(known) { largest, edit in max(largest ?? edit.id, edit.id) }
    largest.updateValue(end, forKey: account)
  }

  /// Adds the ids of another log.
  func append(_ ids: some Sequence<(Edit.ID, Version)>, account: Int64) throws {
    for (id, version) in ids {
      try index.insert(IndexEntry(account: account, id: id, version: version))
    }
  }

  /// Takes out the ids of an account that wait for the index, in the transaction that removes it.
  func remove(account: Int64) throws { try Self.remove(account, from: rows) }

  /// The same through a connection that nobody else uses.
  static func remove(account: Int64, on connection: Connection) throws {
    try remove(account, from: RecentIDTable(on: connection))
  }

  private static func remove(_ account: Int64, from rows: RecentIDTable) throws {
    try rows.retain { $0.account != account }
  }

  /// Takes note that an account is gone: another may be given its number.
  func forget(account: Int64) {
    largest[account] = nil
    indexer?.forget(account)
  }

  // MARK: Checking

  /// Checks that each edit is found by its id.
  ///
  /// - Parameter consistently: runs what it is given in one transaction.
  func check(
    _ entries: [LogEntry], account: Int64,
    consistently: (() throws -> Void) throws -> Void
  ) throws {
    // First in memory, then in the index as it is after that: see `Recent`.
    let indexed = entries.filter { recent.version(of: $0.id, account: account) != $0.version }
    try consistently {
      for entry in indexed {
        guard try index.version(of: entry.id, account: account) == entry.version else {
          throw StoreError.corrupt("at version \(entry.version) the edit is not found by its id")
        }
      }
    }
  }

  /// What of the ids does not fit the log, of one moment.
  func faults() throws -> [String] {
    if let orphan = try number(Self.orphan) {
      return ["edits are recorded under account number \(orphan), which is none"]
    }
    var versions: [Int64: [Edit.ID: Version]] = [:]
    var unindexed: Int64 = 0
    for entry in try rows.rows().lazy.flatMap(\.entries) {
      let other = versions[entry.account, default: [:]].updateValue(entry.version, forKey: entry.id)
      let indexed = try index.version(of: entry.id, account: entry.account)
      for version in [other, indexed] where version ?? entry.version != entry.version {
        return ["an id of account number \(entry.account) is that of two edits"]
      }
      if other == nil && indexed == nil { unindexed += 1 }
    }
    let edits = try number(Self.editCount) ?? 0
    let known = try (number(Self.idCount) ?? 0) + unindexed
    return edits == known ? [] : ["the index holds \(known) ids, but the log has \(edits) edits"]
  }

  private func number(_ sql: String) throws -> Int64? {
    try connection.prepare(sql).first { try $0.integer(at: 0) }
  }

  // An import that is under way, or was cut off, has its ids before its edits.
  private static let editCount = """
    SELECT count(*) - (SELECT count(*) FROM account AS a JOIN edit AS e
      ON e.place >= a.number << 40 AND e.place < (a.number + 1) << 40 WHERE a.staged = 1) FROM edit
    """
  private static let idCount = """
    SELECT count(*) - (SELECT count(*) FROM account AS a JOIN edit_id AS e ON e.account = a.number
      WHERE a.staged = 1) FROM edit_id
    """

  /// The first account number under which there are edits, and that is no account's.
  private static let orphan = """
    WITH RECURSIVE owner (number) AS (
      SELECT min(place) >> 40 FROM edit
      UNION ALL
      SELECT (SELECT min(place) >> 40 FROM edit WHERE place >= (number + 1) << 40) FROM owner
      WHERE number IS NOT NULL)
    SELECT number FROM owner
    WHERE number IS NOT NULL AND number NOT IN (SELECT number FROM account) LIMIT 1
    """
}
