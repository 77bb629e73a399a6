import GoalsCore
import SQLite

/// The tokens of a database that is about to be replaced: a token that was revoked stays so.
struct PresentTokens {
  private struct Token {
    let id: TokenRecord.ID
    let revokedAt: Int64?
  }

  private let tokens: [Token]

  /// Reads them without changing the database; nil where it can't be read, which may be why it is
  /// replaced.
  init?(of file: DatabaseFile) {
    do {
      let hasLog = try DatabaseFile.size(of: file.log) ?? 0 > 0
      let connection = try Connection(path: file.path, access: .readWrite, busyTimeout: 0)
      try connection.harden()
      try connection.set(.queryOnly, to: 1)
      // A log that is there is moved aside with its database; without one, closing removes what
      // opening made.
      try connection.set(.noCheckpointOnClose, to: hasLog)
      var found: [Token] = []
      try connection.prepare("SELECT id, revoked_at FROM token").each { row throws(SQLiteError) in
        guard let id: TokenRecord.ID = try row.id(at: 0) else { throw .unreadable("a token") }
        found.append(
          Token(
            id: id,
            revokedAt: try row.isNull(at: 1) ? nil : try row.integer(at: 1)))
      }
      try connection.close()
      tokens = found
    } catch {
      return nil
    }
  }

  /// Revokes in another database what is revoked in this one.
  func carry(into connection: Connection) throws(SQLiteError) -> Restoration.Tokens {
    let book = try AccountTables(on: connection)
    var (revoked, gone) = (0, 0)
    for token in tokens {
      if let instant = token.revokedAt {
        let isRevoked = try book.revoke(
          token.id, of: nil, at: Instant(milliseconds: instant))
        if isRevoked { revoked += 1 }
      } else if try book.token(token.id) == nil {
        gone += 1
      }
    }
    return Restoration.Tokens(revoked: revoked, gone: gone)
  }
}
