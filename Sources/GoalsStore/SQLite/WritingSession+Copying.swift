import GoalsCore
import SQLite

extension WritingSession: CopySession {
  func sessions(of account: Account.ID) throws -> [SessionRecord] {
    try sessions.sessions(of: account)
  }

  func append(_ part: AccountPart, to account: AccountRecord, after end: LogEnd?) throws {
    guard let number = try key(of: account.id) else { throw StoreError.other("it was not added") }
    try write(part, account: number)
    guard case .rows(let rows) = part else { return }
    try ids.append(rows.lazy.map { ($0.entry.id, $0.entry.version) }, account: number)
  }

  /// The last connection to close writes the write-ahead log back, and removes it.
  func close() { try? connection.close() }
}

extension OwnedDatabase {
  /// Makes or migrates the database where that is needed, and opens the one connection to it.
  /// Damage of the file itself, which may hide whole accounts, is `.damaged`.
  func copySession(now: Instant) throws(OpeningError) -> any CopySession {
    let connection = try start(now: { now.milliseconds })
    return try OpeningError.wrapping(file.path) {
      let session = try WritingSession(
        connection, migrator, EditIDs.Recent(), idBatch: Store.defaultIDBatch)
      if let fault = try session.storageFaults().first { throw SQLiteError.contradiction(fault) }
      return session
    }
  }
}
