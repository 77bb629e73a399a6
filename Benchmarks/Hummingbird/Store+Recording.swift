import Foundation
import GRDB

extension Store {
  /// Records bumps, in one transaction.
  func record(_ edits: [Bump], by secret: Data, at now: Date) async throws -> Commit {
    try await pool.write { db in
      let caller = try Caller.find(secret, in: db)
      var recording = Recording(caller: caller, now: now)
      for edit in edits { try recording.take(edit, in: db) }
      return try recording.finish(in: db)
    }
  }
}

/// What a transaction has recorded so far.
private struct Recording {
  let caller: Caller
  let now: Date
  var version: Int64
  var outcomes: [Outcome] = []
  var recorded: [RecordedBump] = []

  init(caller: Caller, now: Date) {
    self.caller = caller
    self.now = now
    version = caller.version
  }

  mutating func take(_ edit: Bump, in db: Database) throws {
    let outcome = try judge(edit, in: db)
    outcomes.append(outcome)
  }

  private mutating func judge(_ edit: Bump, in db: Database) throws -> Outcome {
    if let known = try outcome(ofRecorded: edit, in: db) { return known }
    if let fault = edit.fault(at: now) { return edit.rejected(fault) }
    let find = try db.cachedStatement(
      sql: "SELECT number, active FROM goal WHERE account = ? AND id = ?")
    guard let goal = try Row.fetchOne(find, arguments: [caller.account, edit.goal]) else {
      return edit.rejected("unknown-goal")
    }
    guard goal[1] as Bool else { return edit.rejected("inactive-goal") }
    let number: Int64 = goal[0]
    let at = edit.at ?? now
    guard try count(edit.increment, of: number, on: at.day, in: db) else {
      return edit.rejected("below-zero")
    }
    version += 1
    try insert(edit, of: number, at: at, in: db)
    recorded.append(
      RecordedBump(
        id: edit.id, goal: edit.goal, by: edit.increment, note: edit.note, at: at,
        version: version, recordedAt: now, device: caller.device, day: at.day.text))
    return Outcome(id: edit.id, status: .applied, version: version)
  }

  /// What to answer where the id is taken already; nil where it is free.
  private func outcome(ofRecorded edit: Bump, in db: Database) throws -> Outcome? {
    let find = try db.cachedStatement(
      sql: """
        SELECT edit.version, goal.id, edit.by, edit.note
        FROM edit JOIN goal ON goal.number = edit.goal
        WHERE edit.account = ? AND edit.id = ?
        """)
    guard let row = try Row.fetchOne(find, arguments: [caller.account, edit.id]) else {
      return nil
    }
    let isSame =
      row[1] as UUID == edit.goal && row[2] as Int == edit.increment
      && row[3] as String? == edit.note
    return isSame
      ? Outcome(id: edit.id, status: .duplicate, version: row[0]) : edit.rejected("id-conflict")
  }

  /// Adds to a day's count; false where it would fall below 0.
  private func count(
    _ increment: Int, of goal: Int64, on day: Day, in db: Database
  ) throws -> Bool {
    if increment < 0 {
      let find = try db.cachedStatement(sql: "SELECT count FROM day WHERE goal = ? AND day = ?")
      let present = try Int.fetchOne(find, arguments: [goal, day]) ?? 0
      guard present + increment >= 0 else { return false }
    }
    try db.cachedStatement(
      sql: """
        INSERT INTO day (goal, day, count) VALUES (?, ?, ?)
        ON CONFLICT (goal, day) DO UPDATE SET count = count + excluded.count
        """
    ).execute(arguments: [goal, day, increment])
    return true
  }

  private func insert(_ edit: Bump, of goal: Int64, at instant: Date, in db: Database) throws {
    try db.cachedStatement(
      sql: """
        INSERT INTO edit (account, version, id, goal, by, note, at, day, recorded_at, device)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(
      arguments: [
        caller.account, version, edit.id, goal, edit.increment, edit.note, instant.milliseconds,
        instant.day, now.milliseconds, caller.device,
      ])
  }

  func finish(in db: Database) throws -> Commit {
    if version != caller.version {
      try db.cachedStatement(sql: "UPDATE account SET version = ? WHERE number = ?")
        .execute(arguments: [version, caller.account])
    }
    return Commit(
      account: caller.account, answer: EditAnswer(version: version, outcomes: outcomes),
      recorded: recorded)
  }
}

extension Bump {
  fileprivate func rejected(_ code: String) -> Outcome {
    Outcome(id: id, status: .rejected, code: code)
  }
}
