import GoalsCore
import SQLite

/// The rows of sessions.
struct SessionTable {
  private let insertSession: Statement
  private let deleteSurplus: Statement
  private let selectSession: Statement
  private let deleteSession: Statement
  private let deleteOfToken: Statement
  private let renewSession: Statement

  init(on connection: Connection) throws(SQLiteError) {
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
    deleteSession = try connection.prepare("DELETE FROM session WHERE secret = ? RETURNING secret")
    deleteOfToken = try connection.prepare("DELETE FROM session WHERE token = ?")
    renewSession = try connection.prepare("UPDATE session SET renewed_at = ?2 WHERE secret = ?1")
  }

  /// Adds a session. Those of its token that were renewed longest ago make room for it: their
  /// secrets are the answer.
  func add(_ session: SessionRecord) throws(SQLiteError) -> [[UInt8]] {
    var ended: [[UInt8]] = []
    try deleteSurplus.bind(id: session.token, at: 1)
    try deleteSurplus.bind(Int64(SessionRecord.maximumPerToken - 1), at: 2)
    try deleteSurplus.each { row throws(SQLiteError) in ended.append(try row.blob(at: 0)) }
    try insertSession.bind(blob: session.secret.span, at: 1)
    try insertSession.bind(id: session.token, at: 2)
    try insertSession.bind(session.createdAt.milliseconds, at: 3)
    try insertSession.bind(session.renewedAt.milliseconds, at: 4)
    try insertSession.run()
    return ended
  }

  func session(secret: [UInt8]) throws(SQLiteError) -> SessionRecord? {
    try selectSession.bind(blob: secret.span, at: 1)
    return try selectSession.first { row throws(SQLiteError) in
      guard let token = TokenRecord.ID(bytes: try row.blob(at: 1)) else {
        throw .unreadable("a session")
      }
      return SessionRecord(
        secret: try row.blob(at: 0), token: token,
        createdAt: Instant(milliseconds: try row.integer(at: 2)),
        renewedAt: Instant(milliseconds: try row.integer(at: 3)))
    }
  }

  /// False where there is none.
  func end(secret: [UInt8]) throws(SQLiteError) -> Bool {
    try deleteSession.bind(blob: secret.span, at: 1)
    var isEnded = false
    try deleteSession.each { _ in isEnded = true }
    return isEnded
  }

  func endAll(of token: TokenRecord.ID) throws(SQLiteError) {
    try deleteOfToken.bind(id: token, at: 1)
    try deleteOfToken.run()
  }

  /// Nothing where there is no such session any more.
  func renew(secret: [UInt8], at instant: Instant) throws(SQLiteError) {
    try renewSession.bind(blob: secret.span, at: 1)
    try renewSession.bind(instant.milliseconds, at: 2)
    try renewSession.run()
  }
}
