import GoalsCore
import SQLite

/// Ids, which are blobs of sixteen bytes.
extension Statement {
  func bind<Subject>(id: ID<Subject>, at parameter: Int) throws(SQLiteError) {
    try id.withBytes { bytes throws(SQLiteError) in try bind(blob: bytes, at: parameter) }
  }

  /// Nil for a blob of another length.
  func id<Subject>(at column: Int) throws(SQLiteError) -> ID<Subject>? {
    try visitBlob(at: column) { $0.withUnsafeBytes { ID(bytes: $0) } }
  }
}
