import GoalsCore
import SQLite

/// The rows of `edit_id`, the index by which edits are found by their ids.
///
/// Random ids lie anywhere in an index, so that one more means one more page to write. So they wait
/// in `recent_id`, and thousands at a time come here, in the index's order: neighbours share pages.
final class IDTable {
  private let selectVersion: Statement
  private let selectLargest: Statement
  private let insert: Statement

  init(on connection: Connection) throws(SQLiteError) {
    selectVersion = try connection.prepare(
      "SELECT version FROM edit_id WHERE account = ? AND id = ?")
    selectLargest = try connection.prepare(
      "SELECT id FROM edit_id WHERE account = ? ORDER BY id DESC LIMIT 1")
    insert = try connection.prepare("INSERT INTO edit_id (account, id, version) VALUES (?, ?, ?)")
  }

  /// What an id names by the index; nil where it is not there.
  func version(of id: Edit.ID, account: Int64) throws(SQLiteError) -> Version? {
    try selectVersion.bind(account, at: 1)
    try selectVersion.bind(id: id, at: 2)
    return try selectVersion.first { row throws(SQLiteError) in
      Version(Int(try row.integer(at: 0)))
    }
  }

  /// The largest of an account's ids in the index.
  func largest(account: Int64) throws(SQLiteError) -> Edit.ID? {
    try selectLargest.bind(account, at: 1)
    return try selectLargest.first { row throws(SQLiteError) in
      guard let id: Edit.ID = try row.id(at: 0) else {
        throw .unreadable("the largest id of account \(account)")
      }
      return id
    }
  }

  /// Adds an id that neither waits nor is here: one that is here is `.ambiguous`.
  func insert(_ entry: IndexEntry) throws(SQLiteError) {
    guard try isNew(entry) else { throw .ambiguous(entry) }
  }

  /// Adds an id that may be here: what a merge has done that was cut off is done again.
  func merge(_ entry: IndexEntry) throws(SQLiteError) {
    if try isNew(entry) { return }
    guard try version(of: entry.id, account: entry.account) == entry.version else {
      throw .ambiguous(entry)
    }
  }

  /// Adds an id, if it is not here.
  private func isNew(_ entry: IndexEntry) throws(SQLiteError) -> Bool {
    try insert.bind(entry.account, at: 1)
    try insert.bind(id: entry.id, at: 2)
    try insert.bind(Int64(entry.version.number), at: 3)
    do throws(SQLiteError) {
      try insert.run()
      return true
    } catch  where error.isUniqueViolation {
      return false
    } catch {
      throw error
    }
  }
}
