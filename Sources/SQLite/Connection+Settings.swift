import CSQLite

/// A setting of SQLite by its name (sqlite.org/pragma.html).
package struct Pragma: Equatable, Sendable {
  package let name: String

  package static let applicationID = Pragma(name: "application_id")
  package static let autocheckpoint = Pragma(name: "wal_autocheckpoint")
  package static let cacheSize = Pragma(name: "cache_size")
  package static let cellSizeCheck = Pragma(name: "cell_size_check")
  package static let foreignKeys = Pragma(name: "foreign_keys")
  package static let journalMode = Pragma(name: "journal_mode")
  package static let journalSizeLimit = Pragma(name: "journal_size_limit")
  package static let lockingMode = Pragma(name: "locking_mode")
  package static let mmapSize = Pragma(name: "mmap_size")
  package static let pageCount = Pragma(name: "page_count")
  package static let pageSize = Pragma(name: "page_size")
  package static let queryOnly = Pragma(name: "query_only")
  package static let synchronous = Pragma(name: "synchronous")
  package static let trustedSchema = Pragma(name: "trusted_schema")
  package static let userVersion = Pragma(name: "user_version")
}

/// A switch of a connection (sqlite.org/c3ref/c_dbconfig_defensive.html).
package enum Switch: Sendable {
  /// Refuses SQL that could corrupt the file on purpose.
  case defensive
  /// Leaves the WAL as it is when the last connection is closed.
  case noCheckpointOnClose
  /// Whether functions in the schema may do more than compute.
  case trustedSchema
  /// Whether `"text"` that names no column counts as a string: in statements, and in the schema.
  case doubleQuotedStrings, doubleQuotedStringsInSchema
  /// Whether SQL may load extensions.
  case loadExtension

  var code: Int32 {
    switch self {
    case .defensive: SQLITE_DBCONFIG_DEFENSIVE
    case .noCheckpointOnClose: SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE
    case .trustedSchema: SQLITE_DBCONFIG_TRUSTED_SCHEMA
    case .doubleQuotedStrings: SQLITE_DBCONFIG_DQS_DML
    case .doubleQuotedStringsInSchema: SQLITE_DBCONFIG_DQS_DDL
    case .loadExtension: SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION
    }
  }
}

extension Connection {
  /// What a setting is now; null where SQLite does not know it.
  package func value(of pragma: Pragma) throws(SQLiteError) -> Value {
    try rows("PRAGMA \(pragma.name)").first?.first ?? .null
  }

  /// Makes a setting and reads it back. SQLite ignores what it does not know or can't do, so
  /// anything else read throws `.notTaken`.
  package func set(_ pragma: Pragma, to value: Value) throws(SQLiteError) {
    // A pragma takes no parameters; what is set are numbers and words of this program's own.
    let assignment = "PRAGMA \(pragma.name) = \(value)"
    try rows(assignment)
    try expect(pragma, value, doing: assignment)
  }

  /// Throws `.notTaken` when a setting is not what it should be.
  package func expect(_ pragma: Pragma, _ wanted: Value, doing: String) throws(SQLiteError) {
    let found = try value(of: pragma)
    guard found == wanted else {
      throw SQLiteError(
        .notTaken, code: SQLITE_ERROR, "\(pragma.name) is \(found), not \(wanted)", doing: doing)
    }
  }

  /// Turns a switch and reads it back; `.notTaken` when it did not turn.
  package func set(_ option: Switch, to isOn: Bool) throws(SQLiteError) {
    let doing = "turn \(option) \(isOn ? "on" : "off")"
    let handle = try live(doing: doing)
    var current: Int32 = -1
    let code = csqlite_db_config_switch(handle, option.code, isOn ? 1 : 0, &current)
    guard code == SQLITE_OK else { throw SQLiteError(code: code, on: handle, doing: doing) }
    guard current == (isOn ? 1 : 0) else {
      throw SQLiteError(.notTaken, code: SQLITE_ERROR, "it stayed \(current)", doing: doing)
    }
  }
}
