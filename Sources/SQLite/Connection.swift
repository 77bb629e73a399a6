import CSQLite

/// A connection to a database file.
///
/// It is used by one thread at a time: SQLite is told to leave out its mutexes
/// (`SQLITE_OPEN_NOMUTEX`), so its owner confines it, with its statements, to one serial queue. It
/// is not `Sendable` for that reason; `interrupt` is what other threads may have.
package final class Connection {
  package enum Access: Sendable {
    /// Reads only. A missing file is refused.
    case readOnly
    /// Reads and writes. A missing file is refused.
    case readWrite
    /// Reads and writes. A missing file is made, with the mode that the umask leaves.
    case create
  }

  /// How the write-ahead log is written.
  package enum LogWriting: Sendable {
    /// As SQLite does: each page in two calls, one for its frame's header.
    case direct
    /// What a commit writes is gathered and written together, in calls of up to 128 KiB.
    case gathered
  }

  package let path: String
  /// What stops a running statement, from any thread.
  package let interrupt: Interrupt
  private(set) var handle: OpaquePointer?
  /// The statements that begin and end transactions, kept once they were needed.
  private var controls: [Control: OpaquePointer] = [:]

  /// Opens a database. SQLite reads nothing of the file before the first statement, so a file that
  /// is no database is noticed only then.
  ///
  /// - Parameter busyTimeout: how long a statement waits for another connection's lock, in
  ///   milliseconds.
  package convenience init(
    path: String, access: Access, log: LogWriting = .direct, busyTimeout: Int32
  ) throws(SQLiteError) {
    guard Library.VFS.code == SQLITE_OK else {
      throw SQLiteError(code: Library.VFS.code, on: nil, doing: "open \(path)")
    }
    let vfs =
      switch log {
      case .direct: Library.VFS.direct
      case .gathered: Library.VFS.gathering
      }
    try self.init(path: path, access: access, vfs: vfs, busyTimeout: busyTimeout)
  }

  /// - Parameter vfs: by which SQLite reaches its files (sqlite.org/vfs.html); nil: the default
  ///   one.
  init(path: String, access: Access, vfs: String?, busyTimeout: Int32) throws(SQLiteError) {
    let doing = "open \(path)"
    guard Library.isThreadSafe else {
      throw SQLiteError(
        .cannotOpen, code: SQLITE_MISUSE, "this SQLite was built for one thread", doing: doing)
    }
    // An empty name would be a temporary database, and a NUL would end the name early.
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw SQLiteError(.cannotOpen, code: SQLITE_CANTOPEN, "no such name", doing: doing)
    }
    let mode =
      switch access {
      case .readOnly: SQLITE_OPEN_READONLY
      case .readWrite: SQLITE_OPEN_READWRITE
      case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      }
    let flags =
      mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_EXRESCODE
    var opened: OpaquePointer?
    // NB: Debian's SQLite takes a name that starts so for a URI, with settings of its own.
    let name = path.hasPrefix("file:") ? "./" + path : path
    let code = sqlite3_open_v2(name, &opened, flags, vfs)
    guard code == SQLITE_OK, let opened else {
      let error = SQLiteError(code: code, on: opened, doing: doing)
      sqlite3_close_v2(opened)
      throw error
    }
    sqlite3_busy_timeout(opened, busyTimeout)
    self.path = path
    handle = opened
    interrupt = Interrupt(of: opened)
  }

  deinit {
    interrupt.end()
    for statement in controls.values { sqlite3_finalize(statement) }
    sqlite3_close_v2(handle)
  }

  /// Ends the connection and every statement of it; a transaction that is open is rolled back. What
  /// is used afterwards answers `.closed`.
  package func close() throws(SQLiteError) {
    guard let handle else { return }
    interrupt.end()
    controls = [:]
    while let statement = sqlite3_next_stmt(handle, nil) {
      sqlite3_finalize(statement)
    }
    let code = sqlite3_close(handle)
    guard code == SQLITE_OK else {
      // A backup still runs from it: SQLite closes it when that ends.
      let error = SQLiteError(code: code, on: handle, doing: "close \(path)")
      sqlite3_close_v2(handle)
      self.handle = nil
      throw error
    }
    self.handle = nil
  }

  func live(doing: @autoclosure () -> String) throws(SQLiteError) -> OpaquePointer {
    guard let handle else { throw .closed(doing: doing()) }
    return handle
  }
}

// MARK: - Statements

extension Connection {
  /// Prepares one statement, to be kept and run often.
  package func prepare(_ sql: String) throws(SQLiteError) -> Statement {
    try Statement(sql, on: self)
  }

  /// Runs every statement of a script, in order, without a transaction of its own.
  package func execute(_ script: String) throws(SQLiteError) {
    let handle = try live(doing: script)
    var script = script
    let failure = script.withUTF8 { bytes -> SQLiteError? in
      var rest = bytes[...]
      while !rest.isEmpty {
        switch Prepared.first(of: rest, on: handle, flags: 0) {
        case .failure(let error): return error
        case .success(let prepared):
          guard let statement = prepared.statement else { return nil }
          rest = prepared.rest
          defer { sqlite3_finalize(statement) }
          var code: Int32
          repeat { code = sqlite3_step(statement) } while code == SQLITE_ROW
          guard code == SQLITE_DONE else {
            let doing = sqlite3_sql(statement).map { String(cString: $0) } ?? "a script"
            return SQLiteError(code: code, on: handle, doing: doing)
          }
        }
      }
      return nil
    }
    if let failure { throw failure }
  }

  /// Runs one statement with its parameters, and gives its rows. For the places where speed does
  /// not matter; the others keep a `Statement`.
  @discardableResult
  package func rows(_ sql: String, _ parameters: Value...) throws(SQLiteError) -> [[Value]] {
    let statement = try prepare(sql)
    for (index, parameter) in parameters.enumerated() {
      try statement.bind(value: parameter, at: index + 1)
    }
    var rows: [[Value]] = []
    while try statement.step() {
      var row: [Value] = []
      for column in 0..<statement.columnCount {
        row.append(try statement.value(at: column))
      }
      rows.append(row)
    }
    return rows
  }

  /// Rows inserted, changed or deleted since the connection was opened, those of foreign key
  /// actions included.
  package var totalChanges: Int64 {
    handle.map { sqlite3_total_changes64($0) } ?? 0
  }
}

// MARK: - Transactions

extension Connection {
  package enum Transaction: Sendable {
    /// Takes the write lock at once, so that nothing but the commit can find the database busy.
    case write
    /// One unchanging view of the database, taken with the first statement.
    case read
  }

  package func begin(_ transaction: Transaction) throws(SQLiteError) {
    switch transaction {
    case .write: try run(.beginWriting)
    case .read: try run(.beginReading)
    }
  }

  /// Makes the transaction durable. When it throws, the transaction may still be open
  /// (`isInTransaction`) or be rolled back already, as SQLite saw fit
  /// (sqlite.org/lang_transaction.html §3); `rollBack` settles either.
  package func commit() throws(SQLiteError) {
    try run(.commit)
  }

  /// Takes everything back since `begin`. Does nothing when there is no transaction: SQLite ends
  /// one by itself after some errors.
  package func rollBack() throws(SQLiteError) {
    if isInTransaction { try run(.rollBack) }
  }

  private enum Control: String {
    case beginWriting = "BEGIN IMMEDIATE"
    case beginReading = "BEGIN DEFERRED"
    case commit = "COMMIT"
    case rollBack = "ROLLBACK"
  }

  private func run(_ control: Control) throws(SQLiteError) {
    let handle = try live(doing: control.rawValue)
    let statement: OpaquePointer
    if let known = controls[control] {
      statement = known
    } else {
      var sql = control.rawValue
      let prepared = sql.withUTF8 {
        Prepared.first(of: $0[...], on: handle, flags: UInt32(SQLITE_PREPARE_PERSISTENT))
      }
      guard let made = try prepared.get().statement else { return }
      controls[control] = made
      statement = made
    }
    let code = sqlite3_step(statement)
    defer { sqlite3_reset(statement) }
    guard code == SQLITE_DONE else {
      throw SQLiteError(code: code, on: handle, doing: control.rawValue)
    }
  }

  package var isInTransaction: Bool {
    handle.map { sqlite3_get_autocommit($0) == 0 } ?? false
  }

  /// Runs `body` in a transaction that is committed when it returns and rolled back when it throws.
  package func write<Result>(_ body: () throws -> Result) throws -> Result {
    try run(.write, body)
  }

  /// Runs `body` over one unchanging view of the database.
  package func read<Result>(_ body: () throws -> Result) throws -> Result {
    try run(.read, body)
  }

  private func run<Result>(
    _ transaction: Transaction, _ body: () throws -> Result
  ) throws -> Result {
    try begin(transaction)
    do {
      let result = try body()
      try commit()
      return result
    } catch {
      // The first error is the one that tells; a rollback that fails too changes nothing for the
      // caller, as SQLite rolls back at the latest when the connection is closed.
      try? rollBack()
      throw error
    }
  }
}
