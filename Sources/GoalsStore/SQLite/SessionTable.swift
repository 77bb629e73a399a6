import GoalsCore
import SQLite

/// The rows of sessions.
struct SessionTable {
  private let insertSession: Statement
  private let deleteSurplus: Statement
  private let selectSession: Statement
  private let selectSessions: Statement
  private let deleteSession: Statement
  private let deleteOfToken: Statement
  private let renewSession: Statement

  init(on connection: Connection) throws {
    insertSession = try connection.prepare(
      "INSERT INTO session (secret, token, created_at, renewed_at) VALUES (?, ?, ?, ?)")
    deleteSurplus = try connection.prepare(
      """
      DELETE FROM session WHERE token = ?1 AND secret NOT IN (
        SELECT secret FROM session WHERE token = ?1 ORDER BY renewed_at DESC, secret LIMIT ?2)
      RETURNING secret
      """)
    selectSession = try connection.prepare(
      "SELECT secret, token, created_at, renewed_at FROM session WHERE secret = ?")
    selectSessions = try connection.prepare(
      """
      SELECT s.secret, s.token, s.created_at, s.renewed_at
      FROM session AS s JOIN token AS t ON t.id = s.token JOIN account AS a ON a.number = t.account
      WHERE a.id = ? ORDER BY s.secret
      """)
    deleteSession = try connection.prepare("DELETE FROM session WHERE secret = ? RETURNING secret")
    deleteOfToken = try connection.prepare("DELETE FROM session WHERE token = ?")
    renewSession = try connection.prepare("UPDATE session SET renewed_at = ?2 WHERE secret = ?1")
  }

  /// Adds a session. Those of its token that were renewed longest ago make room for it: their
  /// secrets are the answer.
  func add(_ session: SessionRecord) throws -> [[UInt8]] {
    let ended = try deleteSurplus.all(session.token, SessionRecord.maximumPerToken - 1) { row in
      try row.blob(at: 0)
    }
    try insertSession.run(session.secret, session.token, session.createdAt, session.renewedAt)
    return ended
  }

  func session(secret: [UInt8]) throws -> SessionRecord? {
    try selectSession.first(secret, read: SessionRecord.init)
  }

  /// Those of all tokens of an account, in the order of their secrets.
  func sessions(of account: Account.ID) throws -> [SessionRecord] {
    try selectSessions.all(account, read: SessionRecord.init)
  }

  /// False where there is none.
  func end(secret: [UInt8]) throws -> Bool { try deleteSession.run(secret) > 0 }

  func endAll(of token: TokenRecord.ID) throws { try deleteOfToken.run(token) }

  /// Nothing where there is no such session any more.
  func renew(secret: [UInt8], at instant: Instant) throws { try renewSession.run(secret, instant) }
}

extension SessionRecord {
  fileprivate init(_ row: Statement) throws {
    guard let token: TokenRecord.ID = try row.id(at: 1) else {
      throw SQLiteError.unreadable("a session")
    }
    self.init(
      secret: try row.blob(at: 0), token: token, createdAt: try row.instant(at: 2),
      renewedAt: try row.instant(at: 3))
  }
}
