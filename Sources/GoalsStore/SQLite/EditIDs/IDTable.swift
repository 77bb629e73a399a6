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

  init(on connection: Connection) throws {
    selectVersion = try connection.prepare(
      "SELECT version FROM edit_id WHERE account = ? AND id = ?")
    selectLargest = try connection.prepare(
      "SELECT id FROM edit_id WHERE account = ? ORDER BY id DESC LIMIT 1")
    insert = try connection.prepare("INSERT INTO edit_id (account, id, version) VALUES (?, ?, ?)")
  }

  /// What an id names by the index; nil where it is not there.
  func version(of id: Edit.ID, account: Int64) throws -> Version? {
    try selectVersion.first(account, id) { try $0.version(at: 0) }
  }

  /// The largest of an account's ids in the index.
  func largest(account: Int64) throws -> Edit.ID? {
    try selectLargest.first(account) {
      try $0.id(at: 0, of: "the largest id of account \(account)")
    }
  }

  /// Adds an id that neither waits nor is here: one that is here is `.ambiguous`.
  func insert(_ entry: IndexEntry) throws {
    guard try isNew(entry) else { throw SQLiteError.ambiguous(entry) }
  }

  /// Adds an id that may be here: what a merge has done that was cut off is done again.
  func merge(_ entry: IndexEntry) throws {
    if try isNew(entry) { return }
    guard try version(of: entry.id, account: entry.account) == entry.version else {
      throw SQLiteError.ambiguous(entry)
    }
  }

  /// Adds an id, if it is not here.
  private func isNew(_ entry: IndexEntry) throws -> Bool {
    do throws(SQLiteError) {
      try insert.run(entry.account, entry.id, entry.version)
      return true
    } catch  where error.isUniqueViolation {
      return false
    } catch {
      throw error
    }
  }
}
