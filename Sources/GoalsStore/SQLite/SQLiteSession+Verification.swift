import GoalsCore
import GoalsWire
import SQLite

/// What is checked of an account, and of the file.
extension SQLiteSession {
  func firstFault(of account: Account.ID) throws -> String? {
    try firstFault(of: account, check: check)
  }

  func stored(of account: Account.ID, _ number: Int64) throws -> LogWalk.Stored? {
    try consistently {
      guard let record = try self.account(account), let snapshot = try snapshot(of: account) else {
        return nil
      }
      return try naming(account) {
        // One of another format is made anew when it is needed; one that is gone was lost.
        guard try snapshots.format(account: number) != nil else {
          throw StoreError.corrupt("its snapshot is missing")
        }
        guard try book.seals.holds(account) else {
          throw StoreError.corrupt("it or its tokens are not as they were made")
        }
        return LogWalk.Stored(
          record: record, snapshot: snapshot, undoChains: Set(try log.chains(account: number)),
          oldBytes: try log.oldBytes(account: number))
      }
    }
  }

  func check(_ entries: [LogEntry], account: Int64) throws {
    try ids.check(entries, account: account, consistently: consistently)
  }

  func storageFaults() throws -> [String] {
    let faults = try connection.integrityFaults()
    // What is damaged already may not even be read for the other checks.
    guard faults.isEmpty else { return faults }
    return try consistently {
      let hidden = try ImportTables.faults(of: connection)
      return try migrator.schemaFaults(of: connection) + connection.foreignKeyFaults()
        + (hidden.isEmpty ? ids.faults() : hidden)
    }
  }
}
