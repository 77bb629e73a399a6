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
  ) throws {
    self.connection = connection
    self.migrator = migrator
    log = try LogTable(on: connection)
    snapshots = try SnapshotTables(on: connection)
    book = try AccountTables(on: connection)
    sessions = try SessionTable(on: connection)
    ids = try EditIDs(on: connection, recent: recentIDs, batch: idBatch)
  }

  func snapshot(of account: Account.ID) throws -> Snapshot? {
    try consistently {
      guard let number = try number(of: account), let record = try self.account(account) else {
        return nil
      }
      return try naming(account) {
        let last = try log.last(account: number)
        let state = try snapshots.load(
          account: number, version: last?.entry.version ?? .none,
          recordedAt: try last.map { try readEdit($0, account: number).recordedAt })
        let chain = last?.entry.chain ?? ChainMaker.start(record.initialCalendar)
        return Snapshot(
          state: try state ?? fold(record, number: number), chain: chain,
          logBytes: try last?.bytes ?? log.oldBytes(account: number))
      }
    }
  }

  func recorded(_ ids: [Edit.ID], in account: Account.ID) throws -> RecordedEdits {
    guard !ids.isEmpty, let number = try number(of: account) else { return RecordedEdits() }
    return try naming(account) {
      var edits: [RecordedEdit] = []
      var chains: [Version: RecordedEdits.UndoChain] = [:]
      for id in ids {
        guard try self.ids.mayHold(id, account: number), let edit = try edit(id, account: number)
        else { continue }
        edits.append(edit)
        chains[edit.root] = try chain(from: edit.root, account: number)
      }
      return RecordedEdits(edits, chains: chains)
    }
  }

  /// The edit as it is recorded; nil where it is not.
  func edit(_ id: Edit.ID, account: Int64) throws -> RecordedEdit? {
    guard let version = try ids.version(of: id, account: account) else { return nil }
    guard let row = try log.row(account: account, version), row.entry.id == id else {
      throw StoreError.corrupt("the id \(id) is said to be that of version \(version), and is not")
    }
    return try readEdit(row, account: account)
  }

  /// The edit that a row of an account's log records.
  func readEdit(_ row: LogRow, account: Int64) throws -> RecordedEdit {
    try row.readEdit { try log.row(account: account, $0) }
  }

  private func chain(from root: Version, account: Int64) throws -> RecordedEdits.UndoChain? {
    guard let found = try log.chain(account: account, root: root) else { return nil }
    guard let latest = try log.last(account: account, upTo: found.latest),
      latest.entry.version == found.latest
    else {
      throw StoreError.corrupt("the chain of undo from version \(root) ends at no edit")
    }
    return RecordedEdits.UndoChain(
      latest: found.latest, isUndone: found.isUndone,
      reversal: try readEdit(latest, account: account).reversal)
  }

  func page(of account: Account.ID, after version: Version, limit: Int) throws -> LogPage? {
    try consistently { try stretch(of: account, after: version, limit: limit)?.page }
  }

  func search(
    for goal: Goal.ID, of account: Account.ID, after version: Version, limit: Int
  ) throws -> SearchedPage? {
    let text = Array(goal.description.utf8)
    return try consistently {
      guard let (page, rows, number) = try stretch(of: account, after: version, limit: limit)
      else { return nil }
      return try naming(account) {
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
  ) throws -> (page: LogPage, rows: [LogRow], number: Int64)? {
    guard let number = try number(of: account), let record = try self.account(account) else {
      return nil
    }
    let rows = try log.rows(account: number, after: version, limit: limit)
    let before = try log.last(account: number, upTo: version)?.entry
    let head = try log.last(account: number)?.entry.version ?? .none
    let start = version == .none ? ChainMaker.start(record.initialCalendar) : nil
    let chain = before.flatMap { $0.version == version ? $0.chain : nil }
    let page = LogPage(entries: rows.map(\.entry), chainBefore: chain ?? start, head: head)
    guard page.isSound else {
      throw StoreError.corrupt(
        "account \(account): the log after version \(version) does not fit its chain")
    }
    return (page, rows, number)
  }

  func entry(_ id: Edit.ID, in account: Account.ID) throws -> LogEntry? {
    guard let number = try number(of: account),
      let version = try ids.version(of: id, account: number)
    else { return nil }
    // Read as a page of one, so that what is shown is what the chain was made over.
    return try page(of: account, after: Version(version.number - 1), limit: 1)?.entries.first
  }

  func advanced(
    _ snapshot: Snapshot, of account: Account.ID, upTo version: Version, limit: Int
  ) throws -> Snapshot {
    guard let number = try number(of: account) else { return snapshot }
    return try naming(account) {
      let rows = try log.rows(account: number, after: snapshot.state.version, limit: limit)
      var state = snapshot.state
      var chain = snapshot.chain
      for row in rows where row.entry.version <= version {
        try readEdit(row, account: number).transform(&state)
        chain = row.entry.chain
      }
      return Snapshot(state: state, chain: chain)
    }
  }

  func account(_ id: Account.ID) throws -> AccountRecord? { try book.account(id) }
  func accountCount() throws -> Int { try book.count() }
  func accounts() throws -> [AccountRecord] { try book.accounts() }
  func logBytes() throws -> [Account.ID: Int] { try log.bytes() }
  func timeZones() throws -> [Account.ID: ZoneName] { try snapshots.timeZones() }
  func token(secret: [UInt8]) throws -> TokenRecord? { try book.token(secret: secret) }
  func tokens(of account: Account.ID) throws -> [TokenRecord] { try book.tokens(of: account) }
  func tokenCount(of account: Account.ID) throws -> TokenCount {
    try book.tokenCount(of: account)
  }
  func number(of account: Account.ID) throws -> Int64? { try book.number(of: account) }

  func session(secret: [UInt8]) throws -> (SessionRecord, TokenRecord)? {
    try consistently {
      guard let session = try sessions.session(secret: secret),
        let token = try book.token(session.token)
      else { return nil }
      return (session, token)
    }
  }

  /// Has what is found corrupt in `body` say of which account it is.
  func naming<Result>(_ account: Account.ID, _ body: () throws -> Result) throws -> Result {
    do throws(StoreError) {
      return try inStore(body)
    } catch .corrupt(let fault) {
      throw StoreError.corrupt("account \(account): \(fault)")
    }
  }

  /// Runs `body` over one unchanging view of the database, within a transaction that is open or
  /// in one of its own.
  func consistently<Result>(_ body: () throws -> Result) throws -> Result {
    guard !connection.isInTransaction else { return try body() }
    try connection.begin(.read)
    defer { try? connection.rollBack() }
    return try body()
  }
}
