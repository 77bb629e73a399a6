import CSQLite

/// The columns of the row that `step` went to. SQLite would turn any type into any other, and what
/// is not there into 0; here a column of another type than the one asked for is `.mismatch`, and so
/// is one that the row does not have.
///
/// A visitor sees SQLite's own memory: it may not step, reset or close what it reads from.
extension Statement {
  package enum ColumnType: Equatable, Sendable {
    case null, integer, real, text, blob
  }

  package var columnCount: Int {
    (try? live()).map { Int(sqlite3_column_count($0)) } ?? 0
  }

  /// `.null` also where there is no such column or no row.
  package func type(at column: Int) throws(SQLiteError) -> ColumnType {
    switch sqlite3_column_type(try live(), Int32(clamping: column)) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .real
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .blob
    default: .null
    }
  }

  package func isNull(at column: Int) throws(SQLiteError) -> Bool {
    try type(at: column) == .null
  }

  package func integer(at column: Int) throws(SQLiteError) -> Int64 {
    try expect(.integer, at: column)
    return sqlite3_column_int64(try live(), Int32(clamping: column))
  }

  package func real(at column: Int) throws(SQLiteError) -> Double {
    try expect(.real, at: column)
    return sqlite3_column_double(try live(), Int32(clamping: column))
  }

  package func text(at column: Int) throws(SQLiteError) -> String {
    let text = try visitText(at: column) { bytes in
      bytes.withUnsafeBufferPointer { String(validating: $0, as: UTF8.self) }
    }
    guard let text else { throw mismatch("column \(column) is not UTF-8") }
    return text
  }

  /// The bytes of a text. Whether they are UTF-8 is not checked.
  package func utf8(at column: Int) throws(SQLiteError) -> [UInt8] {
    try visitText(at: column) { bytes in bytes.withUnsafeBytes { Array($0) } }
  }

  package func blob(at column: Int) throws(SQLiteError) -> [UInt8] {
    try visitBlob(at: column) { bytes in bytes.withUnsafeBytes { Array($0) } }
  }

  package func value(at column: Int) throws(SQLiteError) -> Value {
    switch try type(at: column) {
    case .null: .null
    case .integer: .integer(try integer(at: column))
    case .real: .real(try real(at: column))
    case .text: .text(try text(at: column))
    case .blob: .blob(try blob(at: column))
    }
  }

  /// Shows the bytes of a text where SQLite keeps them. Whether they are UTF-8 is not checked.
  package func visitText<Result>(
    at column: Int, _ body: (Span<UInt8>) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    try expect(.text, at: column)
    let statement = try live()
    // sqlite.org/c3ref/column_blob.html: first the text, then its length in bytes.
    let start = sqlite3_column_text(statement, Int32(clamping: column))
    let count = Int(sqlite3_column_bytes(statement, Int32(clamping: column)))
    return try visit(start, count, body)
  }

  /// Shows the bytes of a blob where SQLite keeps them.
  package func visitBlob<Result>(
    at column: Int, _ body: (Span<UInt8>) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    try expect(.blob, at: column)
    let statement = try live()
    let start = sqlite3_column_blob(statement, Int32(clamping: column))
    let count = Int(sqlite3_column_bytes(statement, Int32(clamping: column)))
    return try visit(start?.assumingMemoryBound(to: UInt8.self), count, body)
  }

  private func visit<Result>(
    _ start: UnsafePointer<UInt8>?, _ count: Int,
    _ body: (Span<UInt8>) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    guard let start else {
      // No address: an empty blob, or memory ran out while SQLite fetched it.
      guard count == 0 else { throw fault(SQLITE_NOMEM) }
      return try body(Span())
    }
    return try body(UnsafeBufferPointer(start: start, count: count).span)
  }

  private func expect(_ wanted: ColumnType, at column: Int) throws(SQLiteError) {
    let found = try type(at: column)
    guard found == wanted else { throw mismatch("column \(column) is \(found), not \(wanted)") }
  }

  private func mismatch(_ message: String) -> SQLiteError {
    SQLiteError(.mismatch, code: SQLITE_MISMATCH, message, doing: sql)
  }
}
