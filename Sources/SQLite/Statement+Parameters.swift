import CSQLite

/// Each throws when the statement has no such parameter, when it was stepped and not reset since,
/// or when the value is larger than SQLite takes (10^9 bytes).
///
/// The bytes of texts and blobs are copied once, so they need not outlive the call: short ones into
/// memory that the statement has for each parameter, longer ones into memory that SQLite allocates
/// for this value.
extension Statement {
  package func bindNull(at parameter: Int) throws(SQLiteError) {
    let statement = try live()
    try check(sqlite3_bind_null(statement, Int32(clamping: parameter)))
  }

  package func bind(_ integer: Int64, at parameter: Int) throws(SQLiteError) {
    let statement = try live()
    try check(sqlite3_bind_int64(statement, Int32(clamping: parameter), integer))
  }

  /// SQLite has no NaN: it becomes null.
  package func bind(real: Double, at parameter: Int) throws(SQLiteError) {
    let statement = try live()
    try check(sqlite3_bind_double(statement, Int32(clamping: parameter), real))
  }

  package func bind(_ text: String, at parameter: Int) throws(SQLiteError) {
    let statement = try live()
    var text = text
    try check(
      text.withUTF8 { bytes in
        bindText(statement, Int32(clamping: parameter), UnsafeRawBufferPointer(bytes))
      })
  }

  /// - Parameter text: valid UTF-8, which is not checked here.
  package func bind(text: Span<UInt8>, at parameter: Int) throws(SQLiteError) {
    let statement = try live()
    try check(
      text.withUnsafeBytes { bytes in
        bindText(statement, Int32(clamping: parameter), bytes)
      })
  }

  package func bind(blob: Span<UInt8>, at parameter: Int) throws(SQLiteError) {
    let statement = try live()
    let index = Int32(clamping: parameter)
    try check(
      blob.withUnsafeBytes { bytes in
        // NB: without an address SQLite binds null, not an empty blob.
        guard let address = bytes.baseAddress, !bytes.isEmpty else {
          return sqlite3_bind_zeroblob(statement, index, 0)
        }
        guard let kept = copyToBuffer(bytes, of: statement, index) else {
          return csqlite_bind_blob(statement, index, address, UInt64(bytes.count))
        }
        // Without a destructor the bytes stay where they are (SQLITE_STATIC).
        return sqlite3_bind_blob64(statement, index, kept, UInt64(bytes.count), nil)
      })
  }

  package func bind(value: Value, at parameter: Int) throws(SQLiteError) {
    switch value {
    case .null: try bindNull(at: parameter)
    case .integer(let integer): try bind(integer, at: parameter)
    case .real(let real): try bind(real: real, at: parameter)
    case .text(let text): try bind(text, at: parameter)
    case .blob(let bytes): try bind(blob: bytes.span, at: parameter)
    }
  }

  private func bindText(
    _ statement: OpaquePointer, _ index: Int32, _ bytes: UnsafeRawBufferPointer
  ) -> Int32 {
    // NB: without an address SQLite binds null, not an empty text.
    guard let address = bytes.baseAddress, !bytes.isEmpty else {
      return csqlite_bind_text(statement, index, "", 0)
    }
    guard let kept = copyToBuffer(bytes, of: statement, index) else {
      return csqlite_bind_text(statement, index, address, UInt64(bytes.count))
    }
    return sqlite3_bind_text64(
      statement, index, kept.assumingMemoryBound(to: CChar.self), UInt64(bytes.count), nil,
      UInt8(SQLITE_UTF8))
  }

  /// How long a value is at most that is kept in the statement's own memory: a recorded bump is
  /// shorter.
  private static let bufferSize = 512

  /// Copies a short value to where it stays until the next one of its parameter. Nil for a longer
  /// one, and where SQLite will refuse it: for no such parameter, or before the statement is reset.
  private func copyToBuffer(
    _ bytes: UnsafeRawBufferPointer, of statement: OpaquePointer, _ index: Int32
  ) -> UnsafeRawPointer? {
    let count = sqlite3_bind_parameter_count(statement)
    guard bytes.count <= Self.bufferSize, index >= 1, index <= count, !isRunning else {
      return nil
    }
    let buffers =
      parameterBuffers ?? .allocate(byteCount: Int(count) * Self.bufferSize, alignment: 8)
    parameterBuffers = buffers
    let buffer = buffers + Int(index - 1) * Self.bufferSize
    UnsafeMutableRawBufferPointer(start: buffer, count: bytes.count).copyMemory(from: bytes)
    return UnsafeRawPointer(buffer)
  }

  private func check(_ code: Int32) throws(SQLiteError) {
    guard code == SQLITE_OK else { throw fault(code) }
  }
}
