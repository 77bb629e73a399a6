import GoalsCore
import SQLite

/// A blob of sixteen bytes.
extension ID: Parameter {
  package func bind(to statement: Statement, at parameter: Int) throws(SQLiteError) {
    try withBytes { bytes throws(SQLiteError) in try statement.bind(blob: bytes, at: parameter) }
  }
}

/// A blob of 32 bytes.
extension Chain: Parameter {
  package func bind(to statement: Statement, at parameter: Int) throws(SQLiteError) {
    try withBytes { bytes throws(SQLiteError) in try statement.bind(blob: bytes, at: parameter) }
  }
}

/// Milliseconds since 1970.
extension Instant: Parameter {
  package func bind(to statement: Statement, at parameter: Int) throws(SQLiteError) {
    try statement.bind(milliseconds, at: parameter)
  }
}

extension Version: Parameter {
  package func bind(to statement: Statement, at parameter: Int) throws(SQLiteError) {
    try statement.bind(Int64(number), at: parameter)
  }
}

extension Statement {
  /// Nil for a blob of another length.
  func id<Subject>(at column: Int) throws(SQLiteError) -> ID<Subject>? {
    try visitBlob(at: column) { $0.withUnsafeBytes { ID(bytes: $0) } }
  }

  /// The id of something, which has to be readable.
  func id<Subject>(at column: Int, of thing: String) throws(SQLiteError) -> ID<Subject> {
    guard let id: ID<Subject> = try id(at: column) else { throw .unreadable(thing) }
    return id
  }

  func instant(at column: Int) throws(SQLiteError) -> Instant {
    Instant(milliseconds: try integer(at: column))
  }

  func version(at column: Int) throws(SQLiteError) -> Version {
    Version(Int(try integer(at: column)))
  }

  /// Reads a column that is 0 or 1; nil for anything else.
  func flag(at column: Int) throws(SQLiteError) -> Bool? {
    switch try integer(at: column) {
    case 0: false
    case 1: true
    default: nil
    }
  }

  /// Nil for null.
  func optional<Value>(
    at column: Int, _ read: (Int) throws(SQLiteError) -> Value
  ) throws(SQLiteError) -> Value? {
    try isNull(at: column) ? nil : try read(column)
  }
}
