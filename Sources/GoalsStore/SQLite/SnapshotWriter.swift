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

  init(on connection: Connection) throws {
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
  func rewrite(_ state: AccountState, account: Int64) throws {
    for statement in deleteEverything { try statement.run(account) }
    try write(Footprint(whole: state), of: state, account: account)
  }

  /// Writes what edits have changed in a state, as it is now.
  func write(_ footprint: Footprint, of state: AccountState, account: Int64) throws {
    if footprint.account { try writeAccount(state, account) }
    for id in footprint.goals { try writeGoal(id, state, account) }
    for key in footprint.days { try writeDay(key, state, account) }
    for key in footprint.notes { try writeNote(key, state, account) }
  }

  private func writeAccount(_ state: AccountState, _ account: Int64) throws {
    let calendar = state.calendar
    try putAccount.run(
      account, SnapshotParts.format, calendar.timeZone.text, calendar.weekStart.isoNumber,
      calendar.dayStart.minutes, SnapshotParts.list(of: state.roster.order))
  }

  private func writeGoal(_ id: Goal.ID, _ state: AccountState, _ account: Int64) throws {
    guard let (slot, tracked) = state.tracked(id) else { return }
    var timelines = JSONWriter()
    timelines.value(Timelines(of: tracked))
    let goal = tracked.goal
    try putGoal.run(
      account, slot, id, goal.title.text, goal.colour.description, goal.unit?.text,
      UTF8Text(timelines.bytes))
  }

  private func writeDay(_ key: Footprint.GoalDay, _ state: AccountState, _ account: Int64) throws {
    guard let (slot, tracked) = state.tracked(key.goal) else { return }
    let entry = tracked.days[key.day]
    let day = Int64(key.day.number)
    if entry.count == 0 && !entry.isExcused {
      try deleteDay.run(account, slot, day)
    } else {
      // One by one: see `LogTable`.
      try putDay.bind(account, at: 1)
      try putDay.bind(Int64(slot), at: 2)
      try putDay.bind(day, at: 3)
      try putDay.bind(Int64(entry.count), at: 4)
      try putDay.bind(entry.isExcused ? 1 : 0, at: 5)
      try putDay.run()
    }
  }

  private func writeNote(
    _ key: Footprint.GoalNote, _ state: AccountState, _ account: Int64
  ) throws {
    guard let (slot, tracked) = state.tracked(key.goal) else { return }
    if let note = tracked.notes[key.bump] {
      try putNote.run(account, slot, key.bump, Int64(note.day.number), note.note.text)
    } else {
      try deleteNote.run(account, slot, key.bump)
    }
  }
}
