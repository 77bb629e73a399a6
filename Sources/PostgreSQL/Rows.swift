import CPostgreSQL

/// The rows that a query answered, all of them in memory.
package final class Rows {
  /// The name of the query that they answer.
  let doing: String
  fileprivate let result: OpaquePointer

  /// - Parameter result: it is the rows' from now on.
  init(_ result: OpaquePointer, doing: String) {
    self.result = result
    self.doing = doing
  }

  deinit { PQclear(result) }

  /// What the server did, with counts for some: `COMMIT`, `INSERT 0 3`, `SELECT 2`.
  package var command: String { String(cString: PQcmdStatus(result)) }

  /// How many rows a statement that writes has written; 0 of others.
  package var changes: Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }
}

extension Rows: RandomAccessCollection {
  package var startIndex: Int { 0 }
  package var endIndex: Int { Int(PQntuples(result)) }
  package subscript(index: Int) -> Row { Row(rows: self, index: Int32(clamping: index)) }
}

/// One row. Each getter throws `.defect` for a value of another type than the one it is asked for:
/// the wrapper never converts. So it does for null, and for a column that the row does not have.
///
/// Columns are counted from 0.
package struct Row {
  fileprivate let rows: Rows
  fileprivate let index: Int32

  package func isNull(at column: Int) -> Bool {
    PQgetisnull(rows.result, index, Int32(clamping: column)) != 0
  }

  package func bigint(at column: Int) throws(PostgreSQLError) -> Int64 {
    try value(at: column, .bigint) { bytes in bytes.word().map(Int64.init(bitPattern:)) }
  }

  package func smallint(at column: Int) throws(PostgreSQLError) -> Int16 {
    try value(at: column, .smallint) { bytes in bytes.word().map(Int16.init(bitPattern:)) }
  }

  package func bool(at column: Int) throws(PostgreSQLError) -> Bool {
    try value(at: column, .bool) { bytes in bytes.word().map { (byte: UInt8) in byte != 0 } }
  }

  package func uuid(at column: Int) throws(PostgreSQLError) -> UUIDBits {
    try value(at: column, .uuid) { bytes in bytes.uuid() }
  }

  package func text(at column: Int) throws(PostgreSQLError) -> String {
    try value(at: column, .text) { bytes in String(validating: bytes, as: UTF8.self) }
  }

  /// The bytes of a text. Whether they are UTF-8 is not checked.
  package func utf8(at column: Int) throws(PostgreSQLError) -> [UInt8] {
    try value(at: column, .text) { bytes in Array(bytes) }
  }

  package func bytea(at column: Int) throws(PostgreSQLError) -> [UInt8] {
    try value(at: column, .bytea) { bytes in Array(bytes) }
  }

  /// Shows the bytes of a text or bytea where libpq keeps them.
  package func visit<Result>(
    at column: Int, _ type: ColumnType, _ body: (Span<UInt8>) -> Result
  ) throws(PostgreSQLError) -> Result {
    try value(at: column, type) { bytes in body(bytes.bindMemory(to: UInt8.self).span) }
  }

  // MARK: Reading

  private func value<Value>(
    at column: Int, _ type: ColumnType, _ read: (UnsafeRawBufferPointer) -> Value?
  ) throws(PostgreSQLError) -> Value {
    let bytes = try bytes(at: column, type)
    guard let value = read(bytes) else { throw mismatch("column \(column) is no \(type)") }
    return value
  }

  /// Where libpq keeps a value; valid as long as the rows are.
  private func bytes(
    at column: Int, _ type: ColumnType
  ) throws(PostgreSQLError) -> UnsafeRawBufferPointer {
    let result = rows.result
    guard column >= 0, column < Int(PQnfields(result)), index < PQntuples(result), index >= 0 else {
      throw mismatch("there is no column \(column)")
    }
    let column = Int32(column)
    let found = PQftype(result, column)
    guard found == type.number else {
      throw mismatch("column \(column) is of the type with the number \(found), not \(type)")
    }
    guard PQgetisnull(result, index, column) == 0 else {
      throw mismatch("column \(column) is null, not \(type)")
    }
    return UnsafeRawBufferPointer(
      start: PQgetvalue(result, index, column), count: Int(PQgetlength(result, index, column)))
  }

  private func mismatch(_ message: String) -> PostgreSQLError {
    PostgreSQLError(.defect, message, doing: rows.doing)
  }
}

extension UnsafeRawBufferPointer {
  /// The number that these bytes are, big-endian; nil where they are fewer or more.
  fileprivate func word<Word: FixedWidthInteger>() -> Word? {
    count == MemoryLayout<Word>.size ? Word(bigEndian: loadUnaligned(as: Word.self)) : nil
  }

  fileprivate func uuid() -> UUIDBits? {
    guard count == 16 else { return nil }
    return UUIDBits(
      high: UInt64(bigEndian: loadUnaligned(as: UInt64.self)),
      low: UInt64(bigEndian: loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
  }
}
