import GoalsCore
import GoalsWire
import SQLite

/// Walking the log again, from its start.
extension SQLiteSession {
  /// How many rows are read at a time, so that the log is never held in memory whole.
  private static let stretch = 1000

  /// The state that the log leads to.
  func fold(_ record: AccountRecord, number: Int64) throws(StoreError) -> AccountState {
    var state = AccountState(calendar: record.initialCalendar)
    try walk(number, upTo: nil) { row throws(StoreError) in
      try row.readEdit().transform(&state)
    }
    return state
  }

  func firstFault(of account: Account.ID) throws(StoreError) -> String? {
    guard let number = try number(of: account) else { return nil }
    do throws(StoreError) {
      guard let stored = try stored(of: account, number: number) else { return nil }
      try naming(account) { () throws(StoreError) in
        var walk = LogWalk(stored.record)
        try self.walk(number, upTo: stored.snapshot.state.version) { row throws(StoreError) in
          try walk.step(row) { id throws(StoreError) in try edit(id, account: number) }
        }
        try walk.compare(with: stored)
      }
      return nil
    } catch .corrupt(let fault) {
      // An account that was removed meanwhile left no log to walk.
      return try self.number(of: account) == number ? fault : nil
    }
  }

  /// What is to fit the log, all of one moment: the writer may be writing.
  private func stored(
    of account: Account.ID, number: Int64
  ) throws(StoreError) -> LogWalk.Stored? {
    try consistently { () throws(StoreError) -> LogWalk.Stored? in
      guard let record = try self.account(account), let snapshot = try snapshot(of: account) else {
        return nil
      }
      return try naming(account) { () throws(StoreError) in
        // One of another format is made anew when it is needed; one that is gone was lost.
        let format = try reading { () throws(SQLiteError) in
          try snapshots.format(account: number)
        }
        guard format != nil else { throw .corrupt("its snapshot is missing") }
        return try reading { () throws(SQLiteError) in
          LogWalk.Stored(
            record: record, snapshot: snapshot, undoChains: Set(try log.chains(account: number)),
            edits: try log.count(account: number))
        }
      }
    }
  }

  func storageFaults() throws(StoreError) -> [String] {
    try reading { () throws(SQLiteError) in
      let faults = try connection.integrityFaults()
      // What is damaged already may not even be read for the other check.
      return try faults.isEmpty ? connection.foreignKeyFaults() : faults
    }
  }

  /// Visits the rows in order, a stretch at a time: a transaction that stayed open throughout would
  /// keep the write-ahead log from being written back.
  private func walk(
    _ number: Int64, upTo end: Version?, _ visit: (LogTable.Row) throws(StoreError) -> Void
  ) throws(StoreError) {
    var version = Version.none
    while true {
      let rows = try reading { () throws(SQLiteError) in
        try log.rows(account: number, after: version, limit: Self.stretch)
      }
      for row in rows {
        if let end, row.entry.version > end { return }
        try visit(row)
        version = row.entry.version
      }
      if rows.count < Self.stretch { return }
    }
  }
}
