import GoalsCore
import SQLite

/// The rows of sessions.
struct SessionTable {
  private let statement: StatementCache

  init(_ statements: StatementCache) { statement = statements }

  /// Adds a session. Those of its token that were renewed longest ago make room for it: their
  /// secrets are the answer.
  func add(_ session: SessionRecord) throws -> [[UInt8]] {
    let ended = try statement(
      """
      DELETE FROM session WHERE token = ?1 AND secret NOT IN (
        SELECT secret FROM session WHERE token = ?1 ORDER BY renewed_at DESC, secret LIMIT ?2)
      RETURNING secret
      """
    ).all(session.token, SessionRecord.maximumPerToken - 1) { row in try row.blob(at: 0) }
    try statement(
      "INSERT INTO session (secret, token, created_at, renewed_at) VALUES (?, ?, ?, ?)"
    ).run(session.secret, session.token, session.createdAt, session.renewedAt)
    return ended
  }

  func session(secret: [UInt8]) throws -> SessionRecord? {
    try statement("SELECT secret, token, created_at, renewed_at FROM session WHERE secret = ?")
      .first(secret, read: SessionRecord.init)
  }

  /// Those of all tokens of an account, in the order of their secrets.
  func sessions(of account: Account.ID) throws -> [SessionRecord] {
    try statement(
      """
      SELECT s.secret, s.token, s.created_at, s.renewed_at
      FROM session AS s JOIN token AS t ON t.id = s.token JOIN account AS a ON a.number = t.account
      WHERE a.id = ? ORDER BY s.secret
      """
    ).all(account, read: SessionRecord.init)
  }

  /// False where there is none.
  func end(secret: [UInt8]) throws -> Bool {
    try statement("DELETE FROM session WHERE secret = ? RETURNING secret").run(secret) > 0
  }

  func endAll(of token: TokenRecord.ID) throws {
    try statement("DELETE FROM session WHERE token = ?").run(token)
  }

  /// Nothing where there is no such session any more.
  func renew(secret: [UInt8], at instant: Instant) throws {
    try statement("UPDATE session SET renewed_at = ?2 WHERE secret = ?1").run(secret, instant)
  }
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
