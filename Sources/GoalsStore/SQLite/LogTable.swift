import GoalsCore
import SQLite

/// The rows of the log.
///
/// A row's key is its place: the account's number × 2^40 + the version. So there can be 2^23
/// accounts with 10^12 edits each.
final class LogTable {
  private let insert: Statement
  private let selectAfter: Statement
  private let selectAt: Statement
  private let putChain: Statement
  private let putWholeChain: Statement
  private let selectChain: Statement
  private let selectChains: Statement
  private let selectOldBytes: Statement
  private let selectBytes: Statement

  init(on connection: Connection) throws(SQLiteError) {
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
    putWholeChain = try connection.prepare(
      "INSERT INTO undo_chain (account, root, latest, undone) VALUES (?, ?, ?, ?)")
    selectChain = try connection.prepare(
      "SELECT root, latest, undone FROM undo_chain WHERE account = ? AND root = ?")
    selectChains = try connection.prepare(
      "SELECT root, latest, undone FROM undo_chain WHERE account = ?")
    selectOldBytes = try connection.prepare("SELECT old_bytes FROM account WHERE number = ?")
    selectBytes = try connection.prepare(
      """
      SELECT id, coalesce((
        SELECT bytes FROM edit WHERE place >= number << 40 AND place < (number + 1) << 40
        ORDER BY place DESC LIMIT 1), old_bytes) FROM account WHERE staged = 0
      """)
  }

  /// Appends edits with their seals, to which what the log takes with them is added.
  ///
  /// - Parameter bytes: what it takes before them.
  func append(
    _ edits: [RecordedEdit], _ seals: inout [Seal], account: Int64, after bytes: Int
  ) throws(SQLiteError) {
    var bytes = bytes
    for (index, edit) in edits.enumerated() {
      let inverse = try edit.storedInverse { version throws(SQLiteError) in
        try row(account: account, version)
      }
      let seal = seals[index]
      bytes += LogRow.size(payload: seal.payload.count, inverse: inverse)
      seals[index].logBytes = bytes
      try insert(
        edit.id, edit.version, payload: seal.payload.span, inverse: inverse, seal.chain,
        bytes: bytes, account: account)
      if let undone = edit.undone {
        try putChain.bind(account, at: 1)
        try putChain.bind(Int64(undone.root.number), at: 2)
        try putChain.bind(Int64(edit.version.number), at: 3)
        try putChain.run()
      }
    }
  }

  /// Appends entries of an imported log.
  func append(
    _ log: ImportedLog, _ range: Range<Int>, account: Int64
  ) throws(SQLiteError) {
    for index in range {
      let entry = log.entries[index]
      try insert(
        entry.id, Version(index + 1), payload: log.bytes.span.extracting(entry.payload),
        inverse: entry.inverse, entry.chain, bytes: entry.logBytes, account: account)
    }
  }

  /// Adds chains of undo and redo as they stand.
  func append(_ chains: some Sequence<UndoRow>, account: Int64) throws(SQLiteError) {
    for chain in chains {
      try putWholeChain.bind(account, at: 1)
      try putWholeChain.bind(Int64(chain.root.number), at: 2)
      try putWholeChain.bind(Int64(chain.latest.number), at: 3)
      try putWholeChain.bind(chain.isUndone ? 1 : 0, at: 4)
      try putWholeChain.run()
    }
  }

  private func insert(
    _ id: Edit.ID, _ version: Version, payload: Span<UInt8>, inverse: [UInt8]?, _ chain: Chain,
    bytes: Int, account: Int64
  ) throws(SQLiteError) {
    try insert.bind(Self.rowID(account, version), at: 1)
    try insert.bind(id: id, at: 2)
    try insert.bind(Int64(ChainMaker.payloadFormat), at: 3)
    try insert.bind(text: payload, at: 4)
    if let inverse {
      try insert.bind(text: inverse.span, at: 5)
    } else {
      try insert.bindNull(at: 5)
    }
    try chain.withBytes { bytes throws(SQLiteError) in try insert.bind(blob: bytes, at: 6) }
    try insert.bind(Int64(bytes), at: 7)
    try insert.run()
  }

  /// How the chain of undo and redo stands that begins at an edit; nil where it was never taken
  /// back.
  func chain(account: Int64, root: Version) throws(SQLiteError) -> UndoRow? {
    try selectChain.bind(account, at: 1)
    try selectChain.bind(Int64(root.number), at: 2)
    return try selectChain.first { row throws(SQLiteError) in try UndoRow(row) }
  }

  /// Every chain of undo and redo of an account.
  func chains(account: Int64) throws(SQLiteError) -> [UndoRow] {
    var chains: [UndoRow] = []
    try selectChains.bind(account, at: 1)
    try selectChains.each { row throws(SQLiteError) in chains.append(try UndoRow(row)) }
    return chains
  }

  /// The rows after a version, oldest first.
  func rows(
    account: Int64, after version: Version, limit: Int
  ) throws(SQLiteError) -> [LogRow] {
    var rows: [LogRow] = []
    try selectAfter.bind(Self.rowID(account, version), at: 1)
    try selectAfter.bind(Self.rowID(account &+ 1, .none), at: 2)
    try selectAfter.bind(Int64(limit), at: 3)
    try selectAfter.each { row throws(SQLiteError) in rows.append(try LogRow(row)) }
    return rows
  }

  /// What those rows of an account take that do not say it.
  func oldBytes(account: Int64) throws(SQLiteError) -> Int {
    try selectOldBytes.bind(account, at: 1)
    return try selectOldBytes.first { row throws(SQLiteError) in Int(try row.integer(at: 0)) } ?? 0
  }

  /// What each account's log takes.
  func bytes() throws(SQLiteError) -> [Account.ID: Int] {
    var bytes: [Account.ID: Int] = [:]
    try selectBytes.each { row throws(SQLiteError) in
      guard let id: Account.ID = try row.id(at: 0) else { throw .unreadable("an account") }
      bytes[id] = Int(try row.integer(at: 1))
    }
    return bytes
  }

  func row(account: Int64, _ version: Version) throws(SQLiteError) -> LogRow? {
    let row = try last(account: account, upTo: version)
    return row?.entry.version == version ? row : nil
  }

  /// The last row that is not after a version; nil where there is none.
  func last(account: Int64, upTo version: Version? = nil) throws(SQLiteError) -> LogRow? {
    let end = version.map { Self.rowID(account, $0) } ?? Self.rowID(account &+ 1, .none) &- 1
    try selectAt.bind(end, at: 1)
    try selectAt.bind(Self.rowID(account, .none), at: 2)
    return try selectAt.first { row throws(SQLiteError) in try LogRow(row) }
  }

  /// A version past the last that there can be is taken for that one, and never for a place of
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
  fileprivate init(_ row: Statement) throws(SQLiteError) {
    let version = LogTable.version(ofRowID: try row.integer(at: 0))
    guard
      let id: Edit.ID = try row.id(at: 1),
      let chain = try row.visitBlob(at: 5, { $0.withUnsafeBytes { Chain(bytes: $0) } })
    else { throw .unreadable("the row of version \(version)") }
    entry = LogEntry(
      version: version, id: id, format: Int(try row.integer(at: 2)), payload: try row.utf8(at: 3),
      chain: chain)
    inverse = try row.isNull(at: 4) ? nil : try row.utf8(at: 4)
    bytes = try row.isNull(at: 6) ? nil : Int(try row.integer(at: 6))
  }
}

extension UndoRow {
  fileprivate init(_ row: Statement) throws(SQLiteError) {
    root = Version(Int(try row.integer(at: 0)))
    latest = Version(Int(try row.integer(at: 1)))
    guard let flag = try row.flag(at: 2) else {
      throw .unreadable("the chain of undo from version \(root)")
    }
    isUndone = flag
  }
}
