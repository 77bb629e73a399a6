import GoalsCore
import SQLite

/// Checking that the ids of edits are those of the log: each edit is found by its id, and there is no more.
extension SQLiteSession: IDCheck {
  /// Checks that each edit is found by its id.
  func check(_ entries: [LogEntry], account: Int64) throws(StoreError) {
    // First in memory, then in the index as it is after that: see `RecentIDs`.
    let indexed = entries.filter { recentIDs.version(of: $0.id, account: account) != $0.version }
    try consistently { () throws(StoreError) in
      for entry in indexed {
        let version = try reading { () throws(SQLiteError) in
          try ids.version(of: entry.id, account: account)
        }
        guard version == entry.version else {
          throw .corrupt("at version \(entry.version) the edit is not found by its id")
        }
      }
    }
  }

  /// Each was checked when it was given.
  func finish() {}

  /// What of the ids does not fit the log, of one moment.
  func idFaults() throws(SQLiteError) -> [String] {
    if let orphan = try number(Self.orphan) {
      return ["edits are recorded under account number \(orphan), which is none"]
    }
    var versions: [Int64: [Edit.ID: Version]] = [:]
    var unindexed: Int64 = 0
    for entry in try recentRows.rows().lazy.flatMap(\.entries) {
      let other = versions[entry.account, default: [:]].updateValue(entry.version, forKey: entry.id)
      let indexed = try ids.version(of: entry.id, account: entry.account)
      for version in [other, indexed] where version ?? entry.version != entry.version {
        return ["an id of account number \(entry.account) is that of two edits"]
      }
      if other == nil && indexed == nil { unindexed += 1 }
    }
    let edits = try number(Self.editCount) ?? 0
    let known = try (number(Self.idCount) ?? 0) + unindexed
    return edits == known ? [] : ["the index holds \(known) ids, but the log has \(edits) edits"]
  }

  private func number(_ sql: String) throws(SQLiteError) -> Int64? {
    try connection.prepare(sql).first { row throws(SQLiteError) in try row.integer(at: 0) }
  }

  // An import that is under way, or was cut off, has its ids before its edits.
  private static let editCount = """
    SELECT count(*) - (SELECT count(*) FROM account AS a JOIN edit AS e
      ON e.place >= a.number << 40 AND e.place < (a.number + 1) << 40 WHERE a.staged = 1) FROM edit
    """
  private static let idCount = """
    SELECT count(*) - (SELECT count(*) FROM account AS a JOIN edit_id AS e ON e.account = a.number
      WHERE a.staged = 1) FROM edit_id
    """

  /// The first account number under which there are edits, and that is no account's.
  private static let orphan = """
    WITH RECURSIVE owner (number) AS (
      SELECT min(place) >> 40 FROM edit
      UNION ALL
      SELECT (SELECT min(place) >> 40 FROM edit WHERE place >= (number + 1) << 40) FROM owner
      WHERE number IS NOT NULL)
    SELECT number FROM owner
    WHERE number IS NOT NULL AND number NOT IN (SELECT number FROM account) LIMIT 1
    """
}
