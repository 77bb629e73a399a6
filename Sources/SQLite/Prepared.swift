import CSQLite

/// The first statement of some SQL, compiled, and what follows it.
struct Prepared {
  /// Nil where there was nothing but blanks and comments.
  let statement: OpaquePointer?
  let rest: Slice<UnsafeBufferPointer<UInt8>>

  /// - Parameter flags: `SQLITE_PREPARE_…` (sqlite.org/c3ref/c_prepare_dont_log.html).
  static func first(
    of sql: Slice<UnsafeBufferPointer<UInt8>>, on database: OpaquePointer, flags: UInt32
  ) -> Result<Prepared, SQLiteError> {
    func doing() -> String { String(decoding: sql, as: UTF8.self) }
    // A NUL would end the SQL early, and in silence.
    guard !sql.contains(0), let count = Int32(exactly: sql.count) else {
      return .failure(
        SQLiteError(
          .other, code: SQLITE_MISUSE, "SQL that holds NUL or is too long", doing: doing())
      )
    }
    let bytes = UnsafeBufferPointer(rebasing: sql)
    guard let start = UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
    else { return .success(Prepared(statement: nil, rest: sql)) }
    var statement: OpaquePointer?
    var end: UnsafePointer<CChar>?
    let code = sqlite3_prepare_v3(database, start, count, flags, &statement, &end)
    guard code == SQLITE_OK else {
      return .failure(SQLiteError(code: code, on: database, doing: doing()))
    }
    let used = end.map { $0 - start } ?? sql.count
    return .success(Prepared(statement: statement, rest: sql.dropFirst(used)))
  }
}
