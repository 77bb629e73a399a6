import GoalsCore
import GoalsWire
import SQLite

/// Walking the log again, from its start.
extension SQLiteSession: IDCheck {
  /// How many rows are read at a time, so that the log is never held in memory whole.
  private static let stretch = 1000

  /// The state that the log leads to.
  func fold(_ record: AccountRecord, number: Int64) throws -> AccountState {
    var state = AccountState(calendar: record.initialCalendar)
    try walk(number, upTo: nil) { rows in
      for row in rows { try readEdit(row, account: number).transform(&state) }
    }
    return state
  }

  func firstFault(of account: Account.ID) throws -> String? {
    try firstFault(of: account, ids: self)
  }

  func firstFault(of account: Account.ID, ids: some IDCheck) throws -> String? {
    guard let number = try number(of: account) else { return nil }
    do throws(StoreError) {
      return try inStore {
        guard let stored = try stored(of: account, number: number) else { return nil }
        try naming(account) {
          let walked = Result {
            var walk = LogWalk(stored.record)
            try self.walk(number, upTo: stored.snapshot.state.version) { rows in
              for row in rows {
                try walk.step(
                  row, read: { try readEdit($0, account: number) },
                  lookUp: { try edit($0, account: number) })
              }
              try ids.check(rows.map(\.entry), account: number)
            }
            try walk.compare(with: stored)
          }
          // The ids that are still being checked are of entries before the one at which the walk
          // ended.
          try ids.finish()
          try walked.get()
        }
        return nil
      }
    } catch .corrupt(let fault) {
      // An account that was removed meanwhile left no log to walk.
      return try self.number(of: account) == number ? fault : nil
    }
  }

  /// What is to fit the log, all of one moment: the writer may be writing.
  private func stored(of account: Account.ID, number: Int64) throws -> LogWalk.Stored? {
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

  /// Each entry was checked when it was given.
  func finish() {}

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

  /// Visits the rows in order, a stretch at a time: a transaction that stayed open throughout would
  /// keep the write-ahead log from being written back.
  private func walk(
    _ number: Int64, upTo end: Version?, _ visit: ([LogRow]) throws -> Void
  ) throws {
    var version = Version.none
    while true {
      var rows = try log.rows(account: number, after: version, limit: Self.stretch)
      let isLast = rows.count < Self.stretch
      if let end { rows.removeAll { $0.entry.version > end } }
      try visit(rows)
      guard !isLast, let last = rows.last?.entry.version else { return }
      version = last
    }
  }
}
