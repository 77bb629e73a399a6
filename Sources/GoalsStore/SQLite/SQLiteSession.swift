import GoalsCore
import GoalsWire
import SQLite

/// A connection with its statements, and what is read through it. Confined to one queue by its
/// owner.
class SQLiteSession: LogReader {
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
    _ connection: Connection, _ migrator: Migrator, recentIDs: EditIDs.Recent? = nil,
    idBatch: Int? = nil
  ) throws {
    self.connection = connection
    self.migrator = migrator
    let statements = StatementCache(on: connection)
    log = try LogTable(statements)
    snapshots = SnapshotTables(statements)
    book = AccountTables(statements)
    sessions = SessionTable(statements)
    ids = try EditIDs(on: connection, recent: recentIDs, batch: idBatch)
  }

  func snapshot(of account: Account.ID) throws -> Snapshot? {
    try consistently {
      guard let number = try key(of: account), let record = try self.account(account) else {
        return nil
      }
      return try naming(account) {
        let last = try log.last(account: number)
        let state = try snapshots.load(
          account: number, version: last?.entry.version ?? .none,
          recordedAt: try last.map { try readEdit($0, number).recordedAt })
        let chain = last?.entry.chain ?? ChainMaker.start(record.initialCalendar)
        return Snapshot(
          state: try state ?? fold(record, number), chain: chain,
          logBytes: try last?.bytes ?? log.oldBytes(account: number),
          isSignedUp: try isSignedUp(account))
      }
    }
  }

  func recorded(_ ids: [Edit.ID], in account: Account.ID) throws -> RecordedEdits {
    guard !ids.isEmpty, let number = try key(of: account) else { return RecordedEdits() }
    return try naming(account) {
      var edits: [RecordedEdit] = []
      var chains: [Version: RecordedEdits.UndoChain] = [:]
      for id in ids {
        guard try self.ids.mayHold(id, account: number), let edit = try edit(id, number)
        else { continue }
        edits.append(edit)
        chains[edit.root] = try log.chain(account: number, root: edit.root).map {
          try undoChain($0, number)
        }
      }
      return RecordedEdits(edits, chains: chains)
    }
  }

  // MARK: The log

  func rows(_ key: Int64, after version: Version, limit: Int) throws -> [LogRow] {
    try log.rows(account: key, after: version, limit: limit)
  }

  func row(_ key: Int64, _ version: Version) throws -> LogRow? {
    try log.row(account: key, version)
  }

  func version(of id: Edit.ID, _ key: Int64) throws -> Version? {
    try ids.version(of: id, account: key)
  }

  func stretch(
    of account: Account.ID, after version: Version, limit: Int
  ) throws -> LogStretch<Int64>? {
    try consistently {
      guard let key = try key(of: account), let record = try self.account(account) else {
        return nil
      }
      return LogStretch(
        key: key, rows: try rows(key, after: version, limit: limit),
        start: ChainMaker.start(record.initialCalendar),
        before: try log.last(account: key, upTo: version).map {
          ($0.entry.version, $0.entry.chain)
        },
        head: try log.last(account: key)?.entry.version ?? .none)
    }
  }

  // MARK: The book

  func account(_ id: Account.ID) throws -> AccountRecord? { try book.account(id) }
  func accountCount() throws -> Int { try book.count() }
  func accounts() throws -> [AccountRecord] { try book.accounts() }
  func logBytes() throws -> [Account.ID: Int] { try log.bytes() }
  func isSignedUp(_ account: Account.ID) throws -> Bool { try book.isSignedUp(account) }
  func signedUp() throws -> Set<Account.ID> { try book.signedUp() }
  func timeZones() throws -> [Account.ID: ZoneName] { try snapshots.timeZones() }
  func token(secret: [UInt8]) throws -> TokenRecord? { try book.token(secret: secret) }
  func tokens(of account: Account.ID) throws -> [TokenRecord] { try book.tokens(of: account) }

  func tokensInUse(of account: Account.ID) throws -> [TokenRecord] {
    try book.tokensInUse(of: account)
  }
  func tokenCount(of account: Account.ID) throws -> TokenCount {
    try book.tokenCount(of: account)
  }
  func key(of account: Account.ID) throws -> Int64? { try book.number(of: account) }

  func link(secret: [UInt8]) throws -> LinkRecord? { try book.link(secret: secret) }
  func links(of account: Account.ID) throws -> [LinkRecord] { try book.links(of: account) }

  func session(secret: [UInt8]) throws -> (SessionRecord, TokenRecord)? {
    try consistently {
      guard let session = try sessions.session(secret: secret),
        let token = try book.token(session.token)
      else { return nil }
      return (session, token)
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
