import GoalsCore
import GoalsWire
import JSON
import SQLite

/// The rows of the snapshots: the lists, goals, days and notes of accounts.
struct SnapshotTables {
  private let statement: StatementCache

  init(_ statements: StatementCache) { statement = statements }

  /// In which time zone each account is; one without a snapshot is in that of its start.
  func timeZones() throws -> [Account.ID: ZoneName] {
    var zones: [Account.ID: ZoneName] = [:]
    try statement(
      """
      SELECT a.id, coalesce(s.time_zone, a.time_zone)
      FROM account AS a LEFT JOIN snapshot AS s ON s.account = a.number
      WHERE a.staged = 0
      """
    ).each { row in
      let id: Account.ID = try row.id(at: 0, of: "an account")
      guard let name = ZoneName(try row.text(at: 1)) else {
        throw SQLiteError.unreadable("a time zone")
      }
      zones[id] = name
    }
    return zones
  }

  /// The format of an account's snapshot; nil where there is none.
  func format(account: Int64) throws -> Int64? {
    try statement("SELECT format FROM snapshot WHERE account = ?").first(account) {
      try $0.integer(at: 0)
    }
  }

  /// Reads the snapshot of an account at the version and instant of its log's end; nil where it is
  /// of another format.
  func load(account: Int64, version: Version, recordedAt: Instant?) throws -> AccountState? {
    let head = try statement(
      "SELECT format, time_zone, week_start, day_start, list FROM snapshot WHERE account = ?"
    ).first(account) { row in
      (
        format: try row.integer(at: 0), calendar: try CalendarSettings(row, from: 1),
        list: try row.blob(at: 4)
      )
    }
    guard let head, head.format == SnapshotParts.format else { return nil }
    var parts = SnapshotParts()
    try statement(
      "SELECT slot, day, count, excused FROM day WHERE account = ? ORDER BY slot, day"
    ).each(account) { row in
      try parts.addDay(
        row.integer(at: 0), row.integer(at: 1), count: row.integer(at: 2),
        isExcused: row.flag(at: 3))
    }
    try statement(
      "SELECT slot, version, day, text FROM note WHERE account = ? ORDER BY slot, version"
    ).each(account) { row in
      try parts.addNote(
        row.integer(at: 0), row.version(at: 1), row.integer(at: 2), row.text(at: 3))
    }
    try statement(
      "SELECT slot, id, title, colour, unit, timelines FROM goal WHERE account = ? ORDER BY slot"
    ).each(account) { row in
      try parts.addGoal(
        row.integer(at: 0), id: row.id(at: 1), title: row.text(at: 2), colour: row.text(at: 3),
        unit: row.optional(at: 4, row.text), timelines: row.utf8(at: 5))
    }
    return try parts.state(
      version: version, recordedAt: recordedAt, calendar: head.calendar, list: head.list)
  }
}

extension CalendarSettings {
  /// Reads zone, week start and day start from three columns; nil where one of them is none.
  init?(_ row: Statement, from column: Int) throws {
    self.init(
      zone: try row.text(at: column), isoWeekStart: try row.integer(at: column + 1),
      dayStart: try row.integer(at: column + 2))
  }
}
