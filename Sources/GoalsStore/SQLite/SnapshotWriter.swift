import GoalsCore
import GoalsWire
import JSON
import SQLite

/// Writes the rows of snapshots that changed.
final class SnapshotWriter {
  private let putAccount: Statement
  private let putGoal: Statement
  private let putDay: Statement
  private let deleteDay: Statement
  private let putNote: Statement
  private let deleteNote: Statement
  private let deleteEverything: [Statement]

  init(on connection: Connection) throws(SQLiteError) {
    putAccount = try connection.prepare(
      """
      INSERT INTO snapshot (account, format, time_zone, week_start, day_start, list)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      ON CONFLICT (account) DO UPDATE SET format = ?2, time_zone = ?3, week_start = ?4,
        day_start = ?5, list = ?6
      """)
    putGoal = try connection.prepare(
      """
      INSERT INTO goal (account, slot, id, title, colour, unit, timelines)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
      ON CONFLICT (account, slot) DO UPDATE SET title = ?4, colour = ?5, unit = ?6, timelines = ?7
      """)
    putDay = try connection.prepare(
      """
      INSERT INTO day (account, slot, day, count, excused) VALUES (?1, ?2, ?3, ?4, ?5)
      ON CONFLICT (account, slot, day) DO UPDATE SET count = ?4, excused = ?5
      """)
    deleteDay = try connection.prepare(
      "DELETE FROM day WHERE account = ? AND slot = ? AND day = ?")
    putNote = try connection.prepare(
      """
      INSERT INTO note (account, slot, version, day, text) VALUES (?1, ?2, ?3, ?4, ?5)
      ON CONFLICT (account, slot, version) DO UPDATE SET day = ?4, text = ?5
      """)
    deleteNote = try connection.prepare(
      "DELETE FROM note WHERE account = ? AND slot = ? AND version = ?")
    deleteEverything = [
      try connection.prepare("DELETE FROM goal WHERE account = ?"),
      try connection.prepare("DELETE FROM day WHERE account = ?"),
      try connection.prepare("DELETE FROM note WHERE account = ?"),
    ]
  }

  /// Writes a snapshot whole in the place of one that can't be read, of which nothing is left.
  func rewrite(_ state: AccountState, account: Int64) throws(SQLiteError) {
    for statement in deleteEverything {
      try statement.bind(account, at: 1)
      try statement.run()
    }
    try write(Footprint(whole: state), of: state, account: account)
  }

  /// Writes what edits have changed in a state, as it is now.
  func write(
    _ footprint: Footprint, of state: AccountState, account: Int64
  ) throws(SQLiteError) {
    if footprint.account { try writeAccount(state, account) }
    for id in footprint.goals { try writeGoal(id, state, account) }
    for key in footprint.days { try writeDay(key, state, account) }
    for key in footprint.notes { try writeNote(key, state, account) }
  }

  private func writeAccount(_ state: AccountState, _ account: Int64) throws(SQLiteError) {
    let calendar = state.calendar
    try putAccount.bind(account, at: 1)
    try putAccount.bind(SnapshotTables.format, at: 2)
    try putAccount.bind(calendar.timeZone.text, at: 3)
    try putAccount.bind(calendar.weekStart.isoNumber, at: 4)
    try putAccount.bind(Int64(calendar.dayStart.minutes), at: 5)
    try putAccount.bind(blob: SnapshotTables.blob(state.roster.order).span, at: 6)
    try putAccount.run()
  }

  private func writeGoal(
    _ id: Goal.ID, _ state: AccountState, _ account: Int64
  ) throws(SQLiteError) {
    guard let slot = state.roster.slot(of: id), let tracked = state.roster.goal(in: slot) else {
      return
    }
    var timelines = JSONWriter()
    timelines.value(Timelines(of: tracked))
    try putGoal.bind(account, at: 1)
    try putGoal.bind(Int64(slot), at: 2)
    try putGoal.bind(id: id, at: 3)
    try putGoal.bind(tracked.goal.title.text, at: 4)
    try putGoal.bind(tracked.goal.colour.description, at: 5)
    if let unit = tracked.goal.unit {
      try putGoal.bind(unit.text, at: 6)
    } else {
      try putGoal.bindNull(at: 6)
    }
    try putGoal.bind(text: timelines.bytes.span, at: 7)
    try putGoal.run()
  }

  private func writeDay(
    _ key: Footprint.GoalDay, _ state: AccountState, _ account: Int64
  ) throws(SQLiteError) {
    guard let slot = state.roster.slot(of: key.goal), let tracked = state.roster.goal(in: slot)
    else { return }
    let entry = tracked.days[key.day]
    let isEmpty = entry.count == 0 && !entry.isExcused
    let statement = isEmpty ? deleteDay : putDay
    try statement.bind(account, at: 1)
    try statement.bind(Int64(slot), at: 2)
    try statement.bind(Int64(key.day.number), at: 3)
    if !isEmpty {
      try statement.bind(Int64(entry.count), at: 4)
      try statement.bind(entry.isExcused ? 1 : 0, at: 5)
    }
    try statement.run()
  }

  private func writeNote(
    _ key: Footprint.GoalNote, _ state: AccountState, _ account: Int64
  ) throws(SQLiteError) {
    guard let slot = state.roster.slot(of: key.goal), let tracked = state.roster.goal(in: slot)
    else { return }
    let note = tracked.notes[key.bump]
    let statement = note == nil ? deleteNote : putNote
    try statement.bind(account, at: 1)
    try statement.bind(Int64(slot), at: 2)
    try statement.bind(Int64(key.bump.number), at: 3)
    if let note {
      try statement.bind(Int64(note.day.number), at: 4)
      try statement.bind(note.note.text, at: 5)
    }
    try statement.run()
  }
}
