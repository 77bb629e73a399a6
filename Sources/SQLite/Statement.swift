import CSQLite

/// A statement that is compiled once and run often: `bind`, `step` until there are no more rows,
/// `reset`. It keeps its connection open, and is confined to the same queue.
///
/// Parameters are counted from 1 and columns from 0, as SQLite does.
package final class Statement {
  private let connection: Connection
  private let handle: OpaquePointer
  /// Memory for the short values of its parameters, one behind the other; nil until one is bound.
  /// SQLite points into it, so it goes only after the statement has.
  var parameterBuffers: UnsafeMutableRawPointer?
  /// Whether it was stepped, also to its end, and not reset since: SQLite takes no values then.
  private(set) var isRunning = false

  init(_ sql: String, on connection: Connection) throws(SQLiteError) {
    let database = try connection.live(doing: sql)
    var sql = sql
    // The flag tells SQLite that the statement will be kept, which spares its small-memory pool.
    let result = sql.withUTF8 { bytes -> Result<OpaquePointer, SQLiteError> in
      Prepared.first(of: bytes[...], on: database, flags: UInt32(SQLITE_PREPARE_PERSISTENT))
        .flatMap { prepared in
          func refuse(_ message: String) -> Result<OpaquePointer, SQLiteError> {
            .failure(
              SQLiteError(
                .other, code: SQLITE_MISUSE, message, doing: String(decoding: bytes, as: UTF8.self))
            )
          }
          guard let statement = prepared.statement else { return refuse("no statement") }
          // What follows must compile to nothing, too.
          switch Prepared.first(of: prepared.rest, on: database, flags: 0) {
          case .success(let next) where next.statement == nil: return .success(statement)
          case .success(let next):
            sqlite3_finalize(next.statement)
            sqlite3_finalize(statement)
            return refuse("more than one statement")
          case .failure(let error):
            sqlite3_finalize(statement)
            // What does not compile is a statement too; an interrupt, say, tells nothing of it.
            return error.primaryCode == SQLITE_ERROR
              ? refuse("more than one statement") : .failure(error)
          }
        }
    }
    handle = try result.get()
    self.connection = connection
  }

  deinit {
    // A connection that was closed took its statements along.
    if connection.handle != nil { sqlite3_finalize(handle) }
    parameterBuffers?.deallocate()
  }

  package var sql: String {
    guard connection.handle != nil else { return "a statement of a closed connection" }
    return sqlite3_sql(handle).map { String(cString: $0) } ?? "a statement"
  }

  // MARK: Running

  /// Goes on to the next row; false when there is none. Ends a run that fails.
  package func step() throws(SQLiteError) -> Bool {
    let statement = try live()
    isRunning = true
    let code = sqlite3_step(statement)
    switch code {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default:
      let error = fault(code)
      reset()
      throw error
    }
  }

  /// Ends the run, and with it the read that it holds open. The parameters keep their values.
  package func reset() {
    guard connection.handle != nil else { return }
    // The code it gives is that of the run before, which `step` has thrown already.
    sqlite3_reset(handle)
    isRunning = false
  }

  /// Binds its first parameters, in order.
  @inlinable
  package func bind<each Bound: Parameter>(_ values: repeat each Bound) throws(SQLiteError) {
    var parameter = 1
    for value in repeat each values {
      try value.bind(to: self, at: parameter)
      parameter += 1
    }
  }

  /// Runs it to its end, resets it, and answers how many rows it gave.
  @discardableResult
  package func run() throws(SQLiteError) -> Int {
    defer { reset() }
    var rows = 0
    while try step() { rows += 1 }
    return rows
  }

  /// The same, with these parameters.
  @inlinable @discardableResult
  package func run<First: Parameter, each Bound: Parameter>(
    _ first: First, _ values: repeat each Bound
  ) throws(SQLiteError) -> Int {
    try bind(first, repeat each values)
    return try run()
  }

  /// Reads the first row, if there is one, and resets the statement.
  @inlinable
  package func first<each Bound: Parameter, Result>(
    _ values: repeat each Bound, read: (Statement) throws -> Result
  ) throws -> Result? {
    try bind(repeat each values)
    defer { reset() }
    return try step() ? try read(self) : nil
  }

  /// Reads every row, and resets the statement, also when `read` throws.
  @inlinable
  package func each<each Bound: Parameter>(
    _ values: repeat each Bound, read: (Statement) throws -> Void
  ) throws {
    try bind(repeat each values)
    defer { reset() }
    while try step() { try read(self) }
  }

  /// What `read` makes of every row.
  @inlinable
  package func all<each Bound: Parameter, Result>(
    _ values: repeat each Bound, read: (Statement) throws -> Result
  ) throws -> [Result] {
    var all: [Result] = []
    try each(repeat each values) { row in all.append(try read(row)) }
    return all
  }

  // MARK: For the extensions

  func live() throws(SQLiteError) -> OpaquePointer {
    guard connection.handle != nil else { throw .closed(doing: "a statement") }
    return handle
  }

  func fault(_ code: Int32) -> SQLiteError {
    SQLiteError(code: code, on: connection.handle, doing: sql)
  }
}
