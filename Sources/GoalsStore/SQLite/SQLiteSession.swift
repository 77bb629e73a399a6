import GoalsCore
import GoalsWire
import SQLite

/// A connection with its statements, and what is read through it. Confined to one queue by its
/// owner.
class SQLiteSession: StoreReader {
  let connection: Connection
  let log: LogTable
  let snapshots: SnapshotTables
  let book: AccountTables
  let sessions: SessionTable
  let ids: EditIDs
  let migrator: Migrator

  /// - Parameters:
  ///   - migrator: of the database.
  ///   - recentIDs: those of the database's owner. Nil where nobody writes it: they are read.
  ///   - idBatch: for the connection that writes: so many ids go into their index together.
  init(
    _ connection: Connection, _ migrator: Migrator, recentIDs: RecentIDs? = nil,
    idBatch: Int? = nil
  ) throws(SQLiteError) {
    self.connection = connection
    self.migrator = migrator
    log = try LogTable(on: connection)
    snapshots = try SnapshotTables(on: connection)
    book = try AccountTables(on: connection)
    sessions = try SessionTable(on: connection)
    ids = try EditIDs(on: connection, recent: recentIDs, batch: idBatch)
  }

  func snapshot(of account: Account.ID) throws(StoreError) -> Snapshot? {
    try consistently { () throws(StoreError) -> Snapshot? in
      guard let number = try number(of: account), let record = try self.account(account) else {
        return nil
      }
      return try naming(account) { () throws(StoreError) in
        let last = try reading { () throws(SQLiteError) in try log.last(account: number) }
        let state = try snapshots.load(
          account: number, version: last?.entry.version ?? .none,
          recordedAt: try last.map { row throws(StoreError) -> Instant in
            try readEdit(row, account: number).recordedAt
          })
        let chain = last?.entry.chain ?? ChainMaker.start(record.initialCalendar)
        let bytes = try reading { () throws(SQLiteError) in
          if let bytes = last?.bytes { return bytes }
          return try log.oldBytes(account: number)
        }
        if let state { return Snapshot(state: state, chain: chain, logBytes: bytes) }
        let folded = try fold(record, number: number)
        return Snapshot(state: folded, chain: chain, logBytes: bytes)
      }
    }
  }

  func recorded(
    _ ids: [Edit.ID], in account: Account.ID
  ) throws(StoreError) -> RecordedEdits {
    guard !ids.isEmpty, let number = try number(of: account) else { return RecordedEdits() }
    return try naming(account) { () throws(StoreError) in
      var edits: [RecordedEdit] = []
      var chains: [Version: RecordedEdits.UndoChain] = [:]
      for id in ids {
        let mayHold = try reading { () throws(SQLiteError) in
          try self.ids.mayHold(id, account: number)
        }
        guard mayHold, let edit = try edit(id, account: number) else { continue }
        edits.append(edit)
        chains[edit.root] = try chain(from: edit.root, account: number)
      }
      return RecordedEdits(edits, chains: chains)
    }
  }

  /// The edit as it is recorded; nil where it is not.
  func edit(_ id: Edit.ID, account: Int64) throws(StoreError) -> RecordedEdit? {
    guard let version = try version(of: id, account: account) else { return nil }
    let row = try reading { () throws(SQLiteError) in try log.row(account: account, version) }
    guard let row, row.entry.id == id else {
      throw .corrupt("the id \(id) is said to be that of version \(version), and is not")
    }
    return try readEdit(row, account: account)
  }

  /// The edit that a row of an account's log records.
  func readEdit(_ row: LogRow, account: Int64) throws(StoreError) -> RecordedEdit {
    try row.readEdit { version throws(StoreError) in
      try reading { () throws(SQLiteError) in try log.row(account: account, version) }
    }
  }

  private func version(of id: Edit.ID, account: Int64) throws(StoreError) -> Version? {
    try reading { () throws(SQLiteError) in try ids.version(of: id, account: account) }
  }

  private func chain(
    from root: Version, account: Int64
  ) throws(StoreError) -> RecordedEdits.UndoChain? {
    let found = try reading { () throws(SQLiteError) in
      try log.chain(account: account, root: root)
    }
    guard let found else { return nil }
    let latest = try reading { () throws(SQLiteError) in
      try log.last(account: account, upTo: found.latest)
    }
    guard let latest, latest.entry.version == found.latest else {
      throw .corrupt("the chain of undo from version \(root) ends at no edit")
    }
    return RecordedEdits.UndoChain(
      latest: found.latest, isUndone: found.isUndone,
      reversal: try readEdit(latest, account: account).reversal)
  }

  func page(
    of account: Account.ID, after version: Version, limit: Int
  ) throws(StoreError) -> LogPage? {
    try consistently { () throws(StoreError) in
      try stretch(of: account, after: version, limit: limit)?.page
    }
  }

  func search(
    for goal: Goal.ID, of account: Account.ID, after version: Version, limit: Int
  ) throws(StoreError) -> SearchedPage? {
    let text = Array(goal.description.utf8)
    return try consistently { () throws(StoreError) -> SearchedPage? in
      guard
        let (page, rows, number) = try stretch(of: account, after: version, limit: limit)
      else { return nil }
      return try naming(account) { () throws(StoreError) in
        var found: [RecordedEdit] = []
        for row in rows where row.mayName(text) {
          let edit = try readEdit(row, account: number)
          if edit.goals.contains(goal) { found.append(edit) }
        }
        return SearchedPage(page: page, found: found)
      }
    }
  }

  /// A page of the log with its rows, and the number of its account. To be read of one moment.
  private func stretch(
    of account: Account.ID, after version: Version, limit: Int
  ) throws(StoreError) -> (page: LogPage, rows: [LogRow], number: Int64)? {
    guard let number = try number(of: account), let record = try self.account(account) else {
      return nil
    }
    let (page, rows) = try reading { () throws(SQLiteError) in
      let rows = try log.rows(account: number, after: version, limit: limit)
      let before = try log.last(account: number, upTo: version)?.entry
      let head = try log.last(account: number)?.entry.version ?? .none
      let start = version == .none ? ChainMaker.start(record.initialCalendar) : nil
      let chain = before.flatMap { $0.version == version ? $0.chain : nil }
      let page = LogPage(entries: rows.map(\.entry), chainBefore: chain ?? start, head: head)
      return (page, rows)
    }
    guard page.isSound else {
      throw .corrupt("account \(account): the log after version \(version) does not fit its chain")
    }
    return (page, rows, number)
  }

  func entry(_ id: Edit.ID, in account: Account.ID) throws(StoreError) -> LogEntry? {
    guard let number = try number(of: account),
      let version = try version(of: id, account: number)
    else { return nil }
    // Read as a page of one, so that what is shown is what the chain was made over.
    return try page(of: account, after: Version(version.number - 1), limit: 1)?.entries.first
  }

  func beginning(of account: Account.ID) throws(StoreError) -> Snapshot? {
    try self.account(account).map { Snapshot(beginning: $0) }
  }

  func advanced(
    _ snapshot: Snapshot, of account: Account.ID, upTo version: Version, limit: Int
  ) throws(StoreError) -> Snapshot {
    guard let number = try number(of: account) else { return snapshot }
    return try naming(account) { () throws(StoreError) in
      let rows = try reading { () throws(SQLiteError) in
        try log.rows(account: number, after: snapshot.state.version, limit: limit)
      }
      var state = snapshot.state
      var chain = snapshot.chain
      for row in rows where row.entry.version <= version {
        try readEdit(row, account: number).transform(&state)
        chain = row.entry.chain
      }
      return Snapshot(state: state, chain: chain)
    }
  }

  func account(_ id: Account.ID) throws(StoreError) -> AccountRecord? {
    try reading { () throws(SQLiteError) in try book.account(id) }
  }

  func logBytes() throws(StoreError) -> [Account.ID: Int] {
    try reading { () throws(SQLiteError) in try log.bytes() }
  }

  func accountCount() throws(StoreError) -> Int {
    try reading { () throws(SQLiteError) in try book.count() }
  }

  func accounts() throws(StoreError) -> [AccountRecord] {
    try reading { () throws(SQLiteError) in try book.accounts() }
  }

  func timeZones() throws(StoreError) -> [Account.ID: ZoneName] {
    try reading { () throws(SQLiteError) in try snapshots.timeZones() }
  }

  func token(secret: [UInt8]) throws(StoreError) -> TokenRecord? {
    try reading { () throws(SQLiteError) in try book.token(secret: secret) }
  }

  func tokens(of account: Account.ID) throws(StoreError) -> [TokenRecord] {
    try reading { () throws(SQLiteError) in try book.tokens(of: account) }
  }

  func session(secret: [UInt8]) throws(StoreError) -> (SessionRecord, TokenRecord)? {
    try consistently { () throws(StoreError) in
      try reading { () throws(SQLiteError) in
        guard let session = try sessions.session(secret: secret),
          let token = try book.token(session.token)
        else { return nil }
        return (session, token)
      }
    }
  }

  func tokenCount(of account: Account.ID) throws(StoreError) -> TokenCount {
    try reading { () throws(SQLiteError) in try book.tokenCount(of: account) }
  }

  func number(of account: Account.ID) throws(StoreError) -> Int64? {
    try reading { () throws(SQLiteError) in try book.number(of: account) }
  }

  /// Has what is found corrupt in `body` say of which account it is.
  func naming<Result>(
    _ account: Account.ID, _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    do throws(StoreError) {
      return try body()
    } catch .corrupt(let fault) {
      throw .corrupt("account \(account): \(fault)")
    }
  }

  /// Runs `body` over one unchanging view of the database, within a transaction that is open or
  /// in one of its own.
  func consistently<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    guard !connection.isInTransaction else { return try body() }
    try reading { () throws(SQLiteError) in try connection.begin(.read) }
    defer { try? connection.rollBack() }
    return try body()
  }
}
