import GoalsCore
import SQLite

/// The rows by which edits are found by their ids: the index `edit_id`, and `recent_id`, where ids wait for
/// it.
///
/// Random ids lie anywhere in an index, so that one more means one more page to write. Here a commit
/// appends them to a table, and thousands at a time go into the index, in its order: neighbours share
/// pages.
struct IDTable {
  private let selectVersion: Statement
  private let selectLargest: Statement
  private let selectRecent: Statement
  private let insertRecent: Statement
  private let insertInIndex: Statement
  private let merge: Statement
  private let deleteRecent: Statement
  private let deleteIndexed: Statement
  private let countEdits: Statement
  private let countIDs: Statement
  private let selectOrphan: Statement
  private let selectContradiction: Statement

  init(on connection: Connection) throws(SQLiteError) {
    selectVersion = try connection.prepare(
      "SELECT version FROM edit_id WHERE account = ? AND id = ?")
    selectLargest = try connection.prepare(
      "SELECT id FROM edit_id WHERE account = ? ORDER BY id DESC LIMIT 1")
    selectRecent = try connection.prepare("SELECT number, place, id FROM recent_id ORDER BY number")
    insertRecent = try connection.prepare(
      "INSERT INTO recent_id (number, place, id) VALUES (?, ?, ?)")
    insertInIndex = try connection.prepare(
      "INSERT INTO edit_id (account, id, version) VALUES (?, ?, ?)")
    // What a merge has done that was cut off is done again where it could not be dropped (`dropIndexed`).
    merge = try connection.prepare(
      """
      INSERT INTO edit_id (account, id, version) VALUES (?, ?, ?)
      ON CONFLICT (account, id) DO NOTHING
      """)
    deleteRecent = try connection.prepare("DELETE FROM recent_id WHERE number <= ?")
    deleteIndexed = try connection.prepare(
      """
      DELETE FROM recent_id WHERE EXISTS (
        SELECT 1 FROM edit_id AS indexed
        WHERE indexed.account = place >> 40 AND indexed.id = recent_id.id
          AND indexed.version = place & 1099511627775)
      """)
    countEdits = try connection.prepare("SELECT count(*) FROM edit")
    countIDs = try connection.prepare(
      """
      SELECT (SELECT count(*) FROM edit_id) + (
        SELECT count(*) FROM (
          SELECT DISTINCT place >> 40 AS account, id, place & 1099511627775 AS version FROM recent_id
        ) AS recent
        WHERE NOT EXISTS (
          SELECT 1 FROM edit_id
          WHERE account = recent.account AND id = recent.id AND version = recent.version))
      """)
    selectOrphan = try connection.prepare(
      """
      WITH RECURSIVE owner (number) AS (
        SELECT min(place) >> 40 FROM edit
        UNION ALL
        SELECT (SELECT min(place) >> 40 FROM edit WHERE place >= (number + 1) << 40) FROM owner
        WHERE number IS NOT NULL)
      SELECT number FROM owner
      WHERE number IS NOT NULL AND number NOT IN (SELECT number FROM account) LIMIT 1
      """)
    selectContradiction = try connection.prepare(
      """
      SELECT account FROM recent_id
      JOIN edit_id ON account = place >> 40 AND edit_id.id = recent_id.id
        AND version <> place & 1099511627775
      LIMIT 1
      """)
  }

  // MARK: Reading

  /// What an id names by the index; nil where it is not there.
  func version(of id: Edit.ID, account: Int64) throws(SQLiteError) -> Version? {
    try selectVersion.bind(account, at: 1)
    try selectVersion.bind(id: id, at: 2)
    return try selectVersion.first { row throws(SQLiteError) in
      Version(Int(try row.integer(at: 0)))
    }
  }

  /// The largest of an account's ids in the index.
  func largest(account: Int64) throws(SQLiteError) -> Edit.ID? {
    try selectLargest.bind(account, at: 1)
    return try selectLargest.first { row throws(SQLiteError) in
      guard let id: Edit.ID = try row.id(at: 0) else {
        throw .unreadable("the largest id of account \(account)")
      }
      return id
    }
  }

  /// The rows of `recent_id`, and their numbers; nil where there are none.
  func recent() throws(SQLiteError) -> (entries: [RecentIDs.Entry], rows: ClosedRange<Int64>)? {
    var entries: [RecentIDs.Entry] = []
    var rows: ClosedRange<Int64>?
    try selectRecent.each { row throws(SQLiteError) in
      let number = try row.integer(at: 0)
      let place = try row.integer(at: 1)
      // So many that the next can be counted on from there.
      guard let id: Edit.ID = try row.id(at: 2), number < 1 << 62 else {
        throw .unreadable("row \(number) of recent ids")
      }
      entries.append(
        RecentIDs.Entry(
          account: LogTable.account(ofPlace: place), id: id,
          version: LogTable.version(ofPlace: place)))
      rows = (rows?.lowerBound ?? number)...number
    }
    return rows.map { (entries, $0) }
  }

  /// What does not fit the log, of one moment.
  func faults() throws(SQLiteError) -> [String] {
    let number = { (row: Statement) throws(SQLiteError) in try row.integer(at: 0) }
    if let orphan = try selectOrphan.first(number) {
      return ["edits are recorded under account number \(orphan), which is none"]
    }
    if let account = try selectContradiction.first(number) {
      return ["an id of account number \(account) is that of two edits"]
    }
    let edits = try countEdits.first(number) ?? 0
    let ids = try countIDs.first(number) ?? 0
    return edits == ids ? [] : ["the index holds \(ids) ids, but the log has \(edits) edits"]
  }

  // MARK: Writing

  func append(_ entry: RecentIDs.Entry, number: Int64) throws(SQLiteError) {
    try insertRecent.bind(number, at: 1)
    try insertRecent.bind(LogTable.place(entry.account, entry.version), at: 2)
    try insertRecent.bind(id: entry.id, at: 3)
    try insertRecent.run()
  }

  /// Adds the ids of a log to the index, for an account that has none.
  func append(_ log: ImportedLog, account: Int64) throws(SQLiteError) {
    let places = log.entries.indices.sorted { log.entries[$0].id < log.entries[$1].id }
    for place in places {
      let entry = RecentIDs.Entry(
        account: account, id: log.entries[place].id, version: Version(place + 1))
      try insert(entry)
    }
  }

  /// Adds an id to the index that is in neither table.
  func insert(_ entry: RecentIDs.Entry) throws(SQLiteError) {
    try Self.run(insertInIndex, entry)
  }

  func perform(_ share: IDMerge.Share) throws(SQLiteError) {
    switch share {
    case .none: break
    case .index(let entries):
      for entry in entries { try Self.run(merge, entry) }
    case .drop(let number):
      try deleteRecent.bind(number, at: 1)
      try deleteRecent.run()
    }
  }

  /// Removes what waits although the index has it: what a merge had done that was cut off.
  func dropIndexed() throws(SQLiteError) { try deleteIndexed.run() }

  private static func run(
    _ statement: Statement, _ entry: RecentIDs.Entry
  ) throws(SQLiteError) {
    try statement.bind(entry.account, at: 1)
    try statement.bind(id: entry.id, at: 2)
    try statement.bind(Int64(entry.version.number), at: 3)
    try statement.run()
  }
}
