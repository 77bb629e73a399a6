import GoalsCore
import SQLite

/// The rows of the log.
///
/// A row's id, the column `place`, is the account's number × 2^40 + the version. So there can be
/// 2^23 accounts with 10^12 edits each.
final class LogTable {
  private let insert: Statement
  private let selectAfter: Statement
  private let selectAt: Statement
  private let putChain: Statement
  private let statement: StatementCache

  init(_ statements: StatementCache) throws {
    statement = statements
    let connection = statements.connection
    insert = try connection.prepare(
      """
      INSERT INTO edit (place, id, format, payload, inverse, hash, bytes) VALUES (?, ?, ?, ?, ?, ?, ?)
      """)
    let columns = "place, id, format, payload, inverse, hash, bytes"
    selectAfter = try connection.prepare(
      "SELECT \(columns) FROM edit WHERE place > ? AND place < ? ORDER BY place LIMIT ?")
    selectAt = try connection.prepare(
      "SELECT \(columns) FROM edit WHERE place <= ? AND place > ? ORDER BY place DESC LIMIT 1")
    putChain = try connection.prepare(
      """
      INSERT INTO undo_chain (account, root, latest, undone) VALUES (?1, ?2, ?3, 1)
      ON CONFLICT (account, root) DO UPDATE SET latest = ?3, undone = 1 - undone
      """)
  }

  /// Appends edits with their seals. Adds to each seal the size of the log with its edit.
  ///
  /// - Parameter bytes: what it takes before them.
  func append(
    _ edits: [RecordedEdit], _ seals: inout [Seal], account: Int64, after bytes: Int
  ) throws {
    var bytes = bytes
    for (index, edit) in edits.enumerated() {
      let inverse = try edit.storedInverse { try row(account: account, $0) }
      let seal = seals[index]
      bytes += LogRow.size(payload: seal.payload.count, inverse: inverse)
      seals[index].logBytes = bytes
      try insert(
        edit.id, edit.version, payload: seal.payload, inverse: inverse, seal.chain, bytes: bytes,
        account: account)
      if let undone = edit.undone { try putChain.run(account, undone.root, edit.version) }
    }
  }

  /// Appends rows of another log, each of which says what the log takes up to it.
  func append(_ rows: some Sequence<LogRow>, account: Int64) throws {
    for row in rows {
      try insert(
        row.entry.id, row.entry.version, payload: row.entry.payload, inverse: row.inverse,
        row.entry.chain, bytes: row.bytes ?? 0, account: account)
    }
  }

  /// Adds chains of undo and redo as they stand.
  func append(_ chains: some Sequence<UndoRow>, account: Int64) throws {
    for chain in chains {
      try statement("INSERT INTO undo_chain (account, root, latest, undone) VALUES (?, ?, ?, ?)")
        .run(account, chain.root, chain.latest, chain.isUndone)
    }
  }

  private func insert(
    _ id: Edit.ID, _ version: Version, payload: [UInt8], inverse: [UInt8]?, _ chain: Chain,
    bytes: Int, account: Int64
  ) throws {
    // One by one, as for each statement that a bump runs: a pack of values takes longer.
    try insert.bind(Self.rowID(account, version), at: 1)
    try id.bind(to: insert, at: 2)
    try insert.bind(Int64(ChainMaker.payloadFormat), at: 3)
    try insert.bind(text: payload.span, at: 4)
    try inverse.map { UTF8Text($0) }.bind(to: insert, at: 5)
    try chain.bind(to: insert, at: 6)
    try insert.bind(Int64(bytes), at: 7)
    try insert.run()
  }

  private static let selectChains =
    "SELECT root, latest, undone FROM undo_chain WHERE account = ?"

  /// How the chain of undo and redo stands that begins at an edit; nil where it was never taken
  /// back.
  func chain(account: Int64, root: Version) throws -> UndoRow? {
    try statement("\(Self.selectChains) AND root = ?").first(account, root, read: UndoRow.init)
  }

  func chains(account: Int64) throws -> [UndoRow] {
    try statement(Self.selectChains).all(account, read: UndoRow.init)
  }

  func rows(account: Int64, after version: Version, limit: Int) throws -> [LogRow] {
    try selectAfter.bind(Self.rowID(account, version), Self.rowID(account &+ 1, .none), limit)
    defer { selectAfter.reset() }
    var (rows, bytes) = ([LogRow](), 0)
    while bytes < LogRow.bytesAtOnce, try selectAfter.step() {
      let row = try LogRow(selectAfter)
      bytes += row.size
      rows.append(row)
    }
    return rows
  }

  /// How many bytes the rows of an account take that do not state the log's size.
  func oldBytes(account: Int64) throws -> Int {
    try statement("SELECT old_bytes FROM account WHERE number = ?").first(account) {
      Int(try $0.integer(at: 0))
    } ?? 0
  }

  /// What each account's log takes.
  func bytes() throws -> [Account.ID: Int] {
    var bytes: [Account.ID: Int] = [:]
    try statement(
      """
      SELECT id, coalesce((
        SELECT bytes FROM edit WHERE place >= number << 40 AND place < (number + 1) << 40
        ORDER BY place DESC LIMIT 1), old_bytes) FROM account WHERE staged = 0
      """
    ).each { row in
      bytes[try row.id(at: 0, of: "an account")] = Int(try row.integer(at: 1))
    }
    return bytes
  }

  func row(account: Int64, _ version: Version) throws -> LogRow? {
    let row = try last(account: account, upTo: version)
    return row?.entry.version == version ? row : nil
  }

  /// The last row that is not after a version; nil where there is none.
  func last(account: Int64, upTo version: Version? = nil) throws -> LogRow? {
    let end = version.map { Self.rowID(account, $0) } ?? Self.rowID(account &+ 1, .none) &- 1
    return try selectAt.first(end, Self.rowID(account, .none), read: LogRow.init)
  }

  /// A version past the last that there can be is taken for that one, and never for a row of
  /// another account.
  static func rowID(_ account: Int64, _ version: Version) -> Int64 {
    account << 40 | min(Int64(version.number), lastVersion)
  }

  static func account(ofRowID rowID: Int64) -> Int64 { rowID >> 40 }

  static func version(ofRowID rowID: Int64) -> Version {
    Version(Int(rowID & lastVersion))
  }

  private static var lastVersion: Int64 { 1 << 40 - 1 }
}

extension LogRow {
  fileprivate init(_ row: Statement) throws {
    let version = LogTable.version(ofRowID: try row.integer(at: 0))
    guard
      let id: Edit.ID = try row.id(at: 1),
      let chain = try row.visitBlob(at: 5, { $0.withUnsafeBytes { Chain(bytes: $0) } })
    else { throw SQLiteError.unreadable("the row of version \(version)") }
    entry = LogEntry(
      version: version, id: id, format: Int(try row.integer(at: 2)), payload: try row.utf8(at: 3),
      chain: chain)
    inverse = try row.optional(at: 4, row.utf8)
    bytes = try row.optional(at: 6, row.integer).map { Int($0) }
  }
}

extension UndoRow {
  fileprivate init(_ row: Statement) throws {
    root = try row.version(at: 0)
    latest = try row.version(at: 1)
    guard let flag = try row.flag(at: 2) else {
      throw SQLiteError.unreadable("the chain of undo from version \(root)")
    }
    isUndone = flag
  }
}
