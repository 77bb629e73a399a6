import SQLite

/// The tokens of a database that is about to be replaced: a token that was revoked stays so.
struct PresentTokens {
  private struct Token {
    let id: [UInt8]
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
        found.append(
          Token(
            id: try row.blob(at: 0),
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
    let revoke = try connection.prepare(
      "UPDATE token SET revoked_at = ?2 WHERE id = ?1 AND revoked_at IS NULL RETURNING id")
    let select = try connection.prepare("SELECT 1 FROM token WHERE id = ?1")
    var (revoked, gone) = (0, 0)
    for token in tokens {
      if let instant = token.revokedAt {
        try revoke.bind(blob: token.id.span, at: 1)
        try revoke.bind(instant, at: 2)
        try revoke.each { _ in revoked += 1 }
      } else {
        try select.bind(blob: token.id.span, at: 1)
        if try select.first({ _ in true }) == nil { gone += 1 }
      }
    }
    return Restoration.Tokens(revoked: revoked, gone: gone)
  }
}
