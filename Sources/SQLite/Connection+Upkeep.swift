import CSQLite

extension Connection {
  /// How far a checkpoint goes (sqlite.org/c3ref/wal_checkpoint_v2.html).
  package enum Checkpoint: Sendable {
    /// As far as it gets without waiting for anyone.
    case passive
    /// To the end, and leaves an empty WAL; waits for readers up to the busy timeout.
    case truncate

    var code: Int32 {
      switch self {
      case .passive: SQLITE_CHECKPOINT_PASSIVE
      case .truncate: SQLITE_CHECKPOINT_TRUNCATE
      }
    }
  }

  /// How many frames (pages) the WAL held, and how many of them are in the database file now.
  package struct CheckpointReport: Equatable, Sendable {
    package let frames: Int
    package let checkpointed: Int
  }

  /// Moves what is in the WAL into the database file. Answers `.busy` when another connection was
  /// in the way of a whole one.
  @discardableResult
  package func checkpoint(_ checkpoint: Checkpoint) throws(SQLiteError) -> CheckpointReport {
    let doing = "checkpoint \(path)"
    let handle = try live(doing: doing)
    var frames: Int32 = 0
    var checkpointed: Int32 = 0
    let code = sqlite3_wal_checkpoint_v2(handle, nil, checkpoint.code, &frames, &checkpointed)
    guard code == SQLITE_OK else { throw SQLiteError(code: code, on: handle, doing: doing) }
    return CheckpointReport(frames: Int(frames), checkpointed: Int(checkpointed))
  }

  /// What is wrong in the file, at most `limit` sentences; none when it is sound. Reads all of it
  /// (sqlite.org/pragma.html#pragma_integrity_check).
  package func integrityFaults(limit: Int = 100) throws(SQLiteError) -> [String] {
    do {
      let rows = try rows("PRAGMA integrity_check(\(limit))").map { $0.first ?? .null }
      return rows == ["ok"] ? [] : rows.map(\.description)
    } catch {
      // Some damage keeps SQLite even from checking.
      guard error.kind == .corrupt || error.kind == .notADatabase else { throw error }
      let tables = (try? uncheckedTables()) ?? []
      return tables.isEmpty ? [error.message] : tables.map { "table \($0): \(error.message)" }
    }
  }

  /// The tables that SQLite can't check, because of damage in them or in their indexes.
  private func uncheckedTables() throws(SQLiteError) -> [String] {
    try rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      .compactMap { $0.first?.description }
      .filter { (try? rows("PRAGMA integrity_check(\"\($0)\")")) == nil }
  }

  /// The rows that point at nothing, a sentence each; none when all foreign keys hold.
  package func foreignKeyFaults() throws(SQLiteError) -> [String] {
    try rows("PRAGMA foreign_key_check").map { row in
      let words = row.map(\.description)
      return words.count > 2
        ? "\(words[0]) row \(words[1]) points at no \(words[2])" : words.joined(separator: " ")
    }
  }

  /// The bytes that the database takes, as seen by this connection: what is only in the WAL yet is
  /// counted, and what the WAL repeats is not.
  package func size() throws(SQLiteError) -> Int64 {
    guard case .integer(let pages) = try value(of: .pageCount),
      case .integer(let pageSize) = try value(of: .pageSize)
    else { return 0 }
    let size = pages.multipliedReportingOverflow(by: pageSize)
    return size.overflow ? .max : size.partialValue
  }
}
