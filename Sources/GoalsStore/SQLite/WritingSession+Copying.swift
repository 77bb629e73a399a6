import GoalsCore
import SQLite

extension WritingSession: CopySession {
  func sessions(of account: Account.ID) throws -> [SessionRecord] {
    try sessions.sessions(of: account)
  }

  func append(_ part: CopiedPart, to account: AccountRecord, after end: LogEnd?) throws {
    guard let number = try key(of: account.id) else { throw StoreError.other("it was not added") }
    switch part {
    case .rows(let rows):
      try log.append(rows, account: number)
      try ids.append(
        rows.map { IndexEntry(account: number, id: $0.entry.id, version: $0.entry.version) })
    case .undoChains(let chains): try log.append(chains, account: number)
    case .snapshot(let footprint, let state):
      try writer.write(footprint, of: state, account: number)
    }
  }

  /// The last connection to close writes the write-ahead log back, and removes it.
  func close() { try? connection.close() }
}

extension OwnedDatabase {
  /// Makes or migrates the database where that is needed, and opens the one connection to it.
  func copySession(now: Instant) throws(OpeningError) -> any CopySession {
    let connection = try start(now: { now.milliseconds })
    return try OpeningError.wrapping(file.path) {
      try WritingSession(connection, migrator, RecentIDs(), idBatch: Store.defaultIDBatch)
    }
  }
}
