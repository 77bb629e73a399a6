import GoalsCore
import GoalsWire
import JSON
import SQLite

/// The rows of the snapshots: the lists, goals, days and notes of accounts.
struct SnapshotTables {
  /// The format of what is written here. A snapshot of another one is made anew from the log.
  static let format: Int64 = 1

  private let selectAccount: Statement
  private let selectGoals: Statement
  private let selectDays: Statement
  private let selectNotes: Statement
  private let selectTimeZones: Statement

  init(on connection: Connection) throws {
    selectAccount = try connection.prepare(
      "SELECT format, time_zone, week_start, day_start, list FROM snapshot WHERE account = ?")
    selectGoals = try connection.prepare(
      "SELECT slot, id, title, colour, unit, timelines FROM goal WHERE account = ? ORDER BY slot")
    selectDays = try connection.prepare(
      "SELECT slot, day, count, excused FROM day WHERE account = ? ORDER BY slot, day")
    selectNotes = try connection.prepare(
      "SELECT slot, version, day, text FROM note WHERE account = ? ORDER BY slot, version")
    selectTimeZones = try connection.prepare(
      """
      SELECT a.id, coalesce(s.time_zone, a.time_zone)
      FROM account AS a LEFT JOIN snapshot AS s ON s.account = a.number
      WHERE a.staged = 0
      """)
  }

  /// In which time zone each account is; one without a snapshot is in that of its start.
  func timeZones() throws -> [Account.ID: ZoneName] {
    var zones: [Account.ID: ZoneName] = [:]
    try selectTimeZones.each { row in
      guard let id: Account.ID = try row.id(at: 0) else {
        throw SQLiteError.unreadable("an account")
      }
      guard let name = ZoneName(try row.text(at: 1)) else {
        throw SQLiteError.unreadable("a time zone")
      }
      zones[id] = name
    }
    return zones
  }

  /// Whether the snapshot of an account is there, and of the format that is written here.
  func isCurrent(account: Int64) throws -> Bool {
    try format(account: account) == Self.format
  }

  /// The format of an account's snapshot; nil where there is none.
  func format(account: Int64) throws -> Int64? {
    try selectAccount.first(account) { try $0.integer(at: 0) }
  }

  /// Reads the snapshot of an account at the version and instant of its log's end; nil where it is
  /// of another format.
  func load(account: Int64, version: Version, recordedAt: Instant?) throws -> AccountState? {
    let head = try selectAccount.first(account) { try Head($0) }
    guard let head, let head else { return nil }
    var days = try loadDays(account)
    var notes = try loadNotes(account)
    var goals: [TrackedGoal] = []
    try selectGoals.each(account) { row in
      let slot = Int(try row.integer(at: 0))
      guard slot == goals.count else { throw SQLiteError.unreadable("the order of the goals") }
      goals.append(
        try goal(
          row, days: days.removeValue(forKey: slot) ?? DayCounts(),
          notes: KeptNotes(notes.removeValue(forKey: slot) ?? [])))
    }
    // A goal that is made later would find them there.
    guard days.isEmpty else { throw SQLiteError.unreadable("a day of no goal") }
    guard notes.isEmpty else { throw SQLiteError.unreadable("a note of no goal") }
    guard let roster = Roster(goals: goals, order: head.list) else {
      throw SQLiteError.unreadable("the list")
    }
    return AccountState(
      version: version, recordedAt: recordedAt, calendar: head.calendar, roster: roster)
  }

  private struct Head {
    let calendar: CalendarSettings
    let list: [Int]

    /// Nil where the row is of another format.
    init?(_ row: Statement) throws {
      guard try row.integer(at: 0) == SnapshotTables.format else { return nil }
      guard let calendar = try CalendarSettings(row, from: 1) else {
        throw SQLiteError.unreadable("the calendar")
      }
      guard let list = SnapshotTables.slots(try row.blob(at: 4)) else {
        throw SQLiteError.unreadable("the list")
      }
      self.calendar = calendar
      self.list = list
    }
  }

  private func loadDays(_ account: Int64) throws -> [Int: DayCounts] {
    var days: [Int: [DayCounts.Entry]] = [:]
    try selectDays.each(account) { row in
      guard let day = Day(number: try row.integer(at: 1)), let isExcused = try row.flag(at: 3)
      else { throw SQLiteError.unreadable("a day") }
      days[Int(try row.integer(at: 0)), default: []].append(
        DayCounts.Entry(
          day: day, count: Int(try row.integer(at: 2)), isExcused: isExcused))
    }
    return days.mapValues { DayCounts($0) }
  }

  private func loadNotes(_ account: Int64) throws -> [Int: [TrackedGoal.KeptNote]] {
    var notes: [Int: [TrackedGoal.KeptNote]] = [:]
    try selectNotes.each(account) { row in
      guard let day = Day(number: try row.integer(at: 2)), let note = Note(try row.text(at: 3))
      else { throw SQLiteError.unreadable("a note") }
      notes[Int(try row.integer(at: 0)), default: []].append(
        TrackedGoal.KeptNote(version: try row.version(at: 1), day: day, note: note))
    }
    return notes
  }

  private func goal(_ row: Statement, days: DayCounts, notes: KeptNotes) throws -> TrackedGoal {
    let unitText = try row.optional(at: 4, row.text)
    let unit = unitText.flatMap { Unit($0) }
    guard (unit == nil) == (unitText == nil), let id: Goal.ID = try row.id(at: 1),
      let title = Title(try row.text(at: 2)),
      let colour = Colour(try row.text(at: 3)),
      let timelines = Timelines(Array(try row.text(at: 5).utf8))
    else { throw SQLiteError.unreadable("a goal") }
    return TrackedGoal(
      id: id, title: title, colour: colour, unit: unit, intervals: timelines.intervals,
      frequencies: timelines.frequencies, activity: timelines.activity,
      existence: timelines.existence, days: days, notes: notes)
  }

  static func blob(_ slots: [Int]) -> [UInt8] {
    slots.flatMap { slot in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: slot >> $0) }
    }
  }

  /// Nil where the last slot is cut off.
  private static func slots(_ blob: [UInt8]) -> [Int]? {
    guard blob.count.isMultiple(of: 4) else { return nil }
    return stride(from: 0, to: blob.count, by: 4).map { start in
      blob[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
    }
  }
}

extension CalendarSettings {
  /// Reads zone, week start and day start from three columns; nil where one of them is none.
  init?(_ row: Statement, from column: Int) throws {
    guard let zone = ZoneName(try row.text(at: column)),
      let weekStart = Weekday(isoNumber: Int(try row.integer(at: column + 1))),
      let dayStart = DayStart(minutes: Int(try row.integer(at: column + 2)))
    else { return nil }
    self.init(timeZone: zone, weekStart: weekStart, dayStart: dayStart)
  }
}

extension Weekday {
  /// ISO 8601's number: 1 for Monday to 7 for Sunday.
  var isoNumber: Int64 { Int64((Self.allCases.firstIndex(of: self) ?? 0) + 1) }

  init?(isoNumber: Int) {
    guard Self.allCases.indices.contains(isoNumber - 1) else { return nil }
    self = Self.allCases[isoNumber - 1]
  }
}
