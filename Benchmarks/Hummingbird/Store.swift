import Foundation
import GRDB
import Hummingbird

/// The database: one transaction a request, durable before it is answered.
struct Store: Sendable {
  let pool: DatabasePool

  init(path: String) throws {
    pool = try DatabasePool(path: path)
    // NB: the pool sets `synchronous=NORMAL` when it opens its writer, after whatever a
    // configuration prepares; so FULL is set here, on the one connection that writes.
    try pool.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA synchronous = FULL") }
  }

  /// What the writing connection says of itself.
  func durability() async throws -> String {
    try await pool.writeWithoutTransaction { db in
      let mode = try String.fetchOne(db, sql: "PRAGMA journal_mode") ?? ""
      let level = try Int.fetchOne(db, sql: "PRAGMA synchronous") ?? 0
      return "journal_mode=\(mode) synchronous=\(level)"
    }
  }

  func account(of secret: Data) async throws -> Int64 {
    try await pool.read { db in try Caller.find(secret, in: db).account }
  }
}

/// Whose a token is.
struct Caller {
  let account: Int64
  let version: Int64
  let device: String

  static func find(_ secret: Data, in db: Database) throws -> Caller {
    let statement = try db.cachedStatement(
      sql: """
        SELECT account.number, account.version, token.name
        FROM token JOIN account ON account.number = token.account
        WHERE token.secret = ? AND token.revoked_at IS NULL
        """)
    guard let row = try Row.fetchOne(statement, arguments: [secret]) else {
      throw HTTPError.unauthenticated
    }
    return Caller(account: row[0], version: row[1], device: row[2])
  }
}

// MARK: Reading

struct GoalWithProgress: Encodable {
  let id: UUID
  let title: String
  let colour: String
  let interval: String
  let frequency: Int
  let unit: String?
  let active: Bool
  let progress: Int?
  let completion: Double?
  let period: Period?
}

struct GoalList: ResponseEncodable {
  let version: Int64
  let goals: [GoalWithProgress]
}

extension Store {
  func goals(of secret: Data, at now: Date) async throws -> GoalList {
    let running = RunningPeriods(at: now)
    let periods = [
      "daily": running.daily.period, "weekly": running.weekly.period,
      "monthly": running.monthly.period,
    ]
    return try await pool.read { db in
      let caller = try Caller.find(secret, in: db)
      let statement = try db.cachedStatement(
        sql: """
          SELECT id, title, colour, interval, frequency, unit, active, (
            SELECT COALESCE(SUM(count), 0) FROM day
            WHERE goal = goal.number
              AND day >= CASE interval WHEN 'daily' THEN ?1 WHEN 'weekly' THEN ?2 ELSE ?3 END
              AND day < CASE interval WHEN 'daily' THEN ?4 WHEN 'weekly' THEN ?5 ELSE ?6 END)
          FROM goal WHERE account = ?7 ORDER BY position
          """)
      let rows = try Row.fetchCursor(
        statement,
        arguments: [
          running.daily.lowerBound, running.weekly.lowerBound, running.monthly.lowerBound,
          running.daily.upperBound, running.weekly.upperBound, running.monthly.upperBound,
          caller.account,
        ])
      var goals: [GoalWithProgress] = []
      while let row = try rows.next() {
        let interval: String = row[3]
        let frequency: Int = row[4]
        let isActive: Bool = row[6]
        let count: Int = row[7]
        goals.append(
          GoalWithProgress(
            id: row[0], title: row[1], colour: row[2], interval: interval, frequency: frequency,
            unit: row[5], active: isActive, progress: isActive ? count : nil,
            completion: isActive ? Double(count) / Double(frequency) : nil,
            period: isActive ? periods[interval] : nil))
      }
      return GoalList(version: caller.version, goals: goals)
    }
  }
}

extension Range<Day> {
  fileprivate var period: Period { Period(start: lowerBound.text, end: upperBound.text) }
}
