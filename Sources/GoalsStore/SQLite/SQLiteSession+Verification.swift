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
    guard let number = try number(of: account), let record = try self.account(account),
      let snapshot = try snapshot(of: account)
    else { return nil }
    var walk = LogWalk(record)
    do throws(StoreError) {
      try self.walk(number, upTo: snapshot.state.version) { row throws(StoreError) in
        try walk.step(row)
      }
    } catch .corrupt(let fault) {
      return fault
    }
    let chains = try reading { () throws(SQLiteError) in try log.chains(account: number) }
    return walk.difference(from: snapshot, chains: chains)
  }

  func storageFaults() throws(StoreError) -> [String] {
    try reading { () throws(SQLiteError) in
      try connection.integrityFaults() + connection.foreignKeyFaults()
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

/// What has to hold of a log, entry by entry. What does not is thrown as `.corrupt`.
struct LogWalk {
  private(set) var state: AccountState
  private var chain: Chain
  private var undoChains: [Version: LogTable.UndoRow] = [:]
  private let name: String

  init(_ record: AccountRecord) {
    state = AccountState(calendar: record.initialCalendar)
    chain = ChainMaker.start(record.initialCalendar)
    name = "account \(record.id)"
  }

  mutating func step(_ row: LogTable.Row) throws(StoreError) {
    let entry = row.entry
    guard entry.version == state.version.next else {
      throw .corrupt("\(name): version \(state.version.next) is missing from the log")
    }
    let place = "\(name), version \(entry.version)"
    chain = ChainMaker.next(after: chain, format: entry.format, payload: entry.payload)
    guard chain == entry.chain else {
      throw .corrupt("\(place): the chain does not fit what is recorded")
    }
    guard let edit = row.edit() else { throw .corrupt("\(place): the edit can't be read") }
    guard edit.id == entry.id, edit.version == entry.version else {
      throw .corrupt("\(place): the edit's id or version is not that of its row")
    }
    guard state.recordedAt.map({ $0 <= edit.recordedAt }) ?? true else {
      throw .corrupt("\(place): it was recorded before the edit before it")
    }
    guard edit.effect.reversal(in: state) == edit.reversal else {
      throw .corrupt("\(place): what undoing it needs is not what it did")
    }
    edit.transform(&state)
    if let root = edit.undone?.root {
      undoChains[root] = LogTable.UndoRow(
        root: root, latest: edit.version, isUndone: !(undoChains[root]?.isUndone ?? false))
    }
  }

  /// Where the snapshot is not the fold of the log; nil where it is.
  func difference(from snapshot: Snapshot, chains: [LogTable.UndoRow]) -> String? {
    guard Set(chains) == Set(undoChains.values.filter { $0.latest <= snapshot.state.version })
    else { return "\(name): the chains of undo are not those of the log" }
    if snapshot.chain != chain { return "\(name): the log's end is not where its chain ends" }
    let stored = snapshot.state
    if stored.calendar != state.calendar { return "\(name): the calendar is not that of the log" }
    if stored.roster.order != state.roster.order {
      return "\(name): the list's order is not that of the log"
    }
    for slot in 0..<max(stored.roster.everMade, state.roster.everMade) {
      guard stored.roster.goal(in: slot) != state.roster.goal(in: slot) else { continue }
      let id = (state.roster.goal(in: slot) ?? stored.roster.goal(in: slot))?.goal.id
      return "\(name): goal \(id.map(String.init) ?? "?") is not as the log tells it"
    }
    return stored == state ? nil : "\(name): the snapshot is not as the log tells it"
  }
}
