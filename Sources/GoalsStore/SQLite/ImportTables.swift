import GoalsCore
import SQLite

/// The accounts under which imports are written that nobody sees yet.
struct ImportTables {
  private let statement: StatementCache

  /// An account that was anybody's is not taken for one, whatever became of the column.
  /// It had a token from its first moment.
  private static let isStaged =
    """
    staged = 1 AND name = '' AND created_at = 0
      AND NOT EXISTS (SELECT 1 FROM token WHERE token.account = account.number)
    """

  init(_ statements: StatementCache) { statement = statements }

  /// Makes an account that nobody sees, and answers its number. Its id is the digits of the number,
  /// until `finish` gives it that of the account.
  func begin(_ calendar: CalendarSettings) throws -> Int64 {
    let number = try statement(
      """
      INSERT INTO account (number, id, name, created_at, time_zone, week_start, day_start, staged)
      SELECT next, CAST(printf('%016d', next) AS BLOB), '', 0, ?, ?, ?, 1
      FROM (SELECT coalesce(max(number), 0) + 1 AS next FROM account) RETURNING number
      """
    ).first(
      calendar.timeZone.text, calendar.weekStart.isoNumber, calendar.dayStart.minutes
    ) { try $0.integer(at: 0) }
    return number ?? 0
  }

  /// Has an account of which nothing is recorded go on under the number where its log lies.
  func finish(_ number: Int64, as old: Int64, namesZone: Bool) throws {
    func refuse(_ message: String) -> SQLiteError { .refused(message, doing: "importing a log") }
    let account = try statement(
      "SELECT id, name, created_at, seal FROM account WHERE number = ?"
    ).first(old) { row in
      (
        id: try row.value(at: 0), name: try row.value(at: 1), createdAt: try row.value(at: 2),
        seal: try row.value(at: 3)
      )
    }
    guard let account else { throw refuse("the account is gone") }
    try statement("UPDATE token SET account = ?2 WHERE account = ?1").run(old, number)
    try delete(old)
    let taken = try statement(
      """
      UPDATE account
      SET id = ?2, name = ?3, created_at = ?4, seal = ?5, zone_chosen = ?6, staged = 0
      WHERE number = ?1 AND staged = 1 RETURNING number
      """
    ).run(
      number, account.id, account.name, account.createdAt, account.seal, namesZone)
    guard taken > 0 else { throw refuse("nothing is staged") }
  }

  /// The numbers of those that are under way, or were cut off.
  func staged() throws -> [Int64] {
    try statement("SELECT number FROM account WHERE \(Self.isStaged)").all {
      try $0.integer(at: 0)
    }
  }

  /// The accounts that are hidden as those of imports are, and were never one, a sentence each.
  static func faults(of connection: Connection) throws -> [String] {
    try connection.rows(
      "SELECT number FROM account WHERE staged = 1 AND NOT (\(isStaged)) ORDER BY number"
    ).map { row in "account number \(row[0]) is hidden, and is no import" }
  }

  /// Removes all of them, in one transaction: for a copy that nobody waits for.
  static func discardAll(on connection: Connection) throws {
    try connection.execute("DELETE FROM account WHERE \(isStaged)")
  }

  /// Removes some rows of one; true once it is gone with all of them. Another account stays.
  func discard(_ number: Int64) throws -> Bool {
    let isThere = try statement("SELECT 1 FROM account WHERE number = ? AND \(Self.isStaged)")
    guard try isThere.run(number) > 0 else { return true }
    var room = StagedLog.rows
    for (table, key, condition) in Self.rows {
      room -= try statement(
        """
        DELETE FROM \(table) WHERE \(condition) AND (\(key)) IN (
          SELECT \(key) FROM \(table) WHERE \(condition) LIMIT ?2) RETURNING 1
        """
      ).run(number, room)
      if room == 0 { return false }
    }
    try delete(number)
    return true
  }

  /// Where an account has rows, and the keys of those.
  private static let rows = [
    (EditIDs.indexTable, "id", "account = ?1"),
    ("edit", "place", "place >= ?1 << 40 AND place < (?1 + 1) << 40"),
    ("undo_chain", "root", "account = ?1"),
    ("day", "slot, day", "account = ?1"),
    ("note", "slot, version", "account = ?1"),
    ("goal", "slot", "account = ?1"),
  ]

  private func delete(_ number: Int64) throws {
    try statement("DELETE FROM account WHERE number = ?").run(number)
  }
}
