import GoalsCore
import PostgreSQL

/// Tokens and sessions.
///
/// Every statement that locks several rows takes them in the order of their keys, so that two
/// servers never wait for each other in a circle.
extension PostgreSQLWriter {
  // MARK: Who asks

  /// A revocation of the token, or its removal, waits until this transaction is over. Where the
  /// revocation came first, this query waits for it and sees it.
  private static let holdToken = Query(
    "hold the token that asks",
    "SELECT FROM token WHERE id = $1::uuid AND revoked_at IS NULL FOR SHARE")
  private static let holdSession = Query(
    "hold the session that asks", "SELECT FROM session WHERE secret = $1::bytea FOR KEY SHARE")

  func admits(_ asker: Authority) throws -> Bool {
    guard try rows(Self.holdToken, { $0.add(asker.token) }).count == 1 else { return false }
    guard let session = asker.session else { return true }
    return try rows(Self.holdSession) { $0.add(bytea: session.span) }.count == 1
  }

  // MARK: Tokens

  private static let insertToken = Query(
    "add a token",
    """
    INSERT INTO token (id, account, name, scope, goal, secret, created_at, last_used_at, expires_at,
      revoked_at, made_by)
    VALUES ($1::uuid, $2::uuid, $3::text, $4::text, $5::uuid, $6::bytea, $7::bigint, $8::bigint,
      $9::bigint, $10::bigint, $11::uuid)
    """)
  /// Looked up by the account, so that a token of another takes as many steps as none.
  private static let revokeToken = Query(
    "revoke a token",
    """
    UPDATE token AS t SET revoked_at = $2::bigint
    WHERE t.account = $3::uuid AND t.id = $1::uuid AND t.revoked_at IS NULL
    RETURNING \(TokenRecord.columns)
    """)
  private static let endSessions = Query(
    "end the sessions of a token", "DELETE FROM session WHERE token = $1::bytea")
  private static let useTokens = Query(
    "take note of uses",
    """
    WITH held AS MATERIALIZED (
      SELECT t.secret, u.at FROM unnest($1::uuid[], $2::bigint[]) AS u (id, at)
      JOIN token AS t ON t.id = u.id ORDER BY t.secret FOR UPDATE OF t
    )
    UPDATE token AS t SET last_used_at = greatest(t.last_used_at, h.at)
    FROM held AS h WHERE t.secret = h.secret
    """)

  func add(_ token: TokenRecord) throws {
    try reseal(token.account) { $0.change(nil, to: token) }
    try insert(token)
  }

  func insert(_ token: TokenRecord) throws {
    _ = try rows(Self.insertToken) {
      $0.add(token.id)
      $0.add(token.account)
      $0.add(token.name)
      $0.add(token.scope.rawValue)
      $0.add(token.goal) { $0.add($1) }
      $0.add(bytea: token.secret.span)
      $0.add(token.createdAt)
      $0.add(token.lastUsedAt) { $0.add($1) }
      $0.add(token.expiresAt) { $0.add($1) }
      $0.add(token.revokedAt) { $0.add($1) }
      $0.add(token.madeBy) { $0.add($1) }
    }
  }

  func revoke(_ token: TokenRecord.ID, of account: Account.ID, at now: Instant) throws -> Bool {
    let row = try rows(Self.revokeToken) {
      $0.add(token)
      $0.add(now)
      $0.add(account)
    }.first
    guard let row else { return false }
    let revoked = try TokenRecord(row)
    try reseal(revoked.account) { $0.change(revoked.revoked(at: nil), to: revoked) }
    _ = try rows(Self.endSessions) { $0.add(bytea: revoked.secret.span) }
    return true
  }

  func recordUses(_ uses: [TokenRecord.ID: Instant]) throws {
    let uses = Array(uses)
    _ = try rows(Self.useTokens) {
      $0.add(.uuid, of: uses) { $0.add($1.key) }
      $0.add(.bigint, of: uses) { $0.add($1.value) }
    }
  }

  // MARK: Links

  private static let insertLink = Query(
    "add a link",
    """
    INSERT INTO link (secret, account, name, scope, goal, token_expires_at, made_by, ends_at)
    VALUES ($1::bytea, $2::uuid, $3::text, $4::text, $5::uuid, $6::bigint, $7::uuid, $8::bigint)
    """)
  private static let deleteLink = Query(
    "remove a link", "DELETE FROM link WHERE secret = $1::bytea")

  func add(_ link: LinkRecord) throws {
    _ = try rows(Self.insertLink) {
      $0.add(bytea: link.secret.span)
      $0.add(link.account)
      $0.add(link.name)
      $0.add(link.scope.rawValue)
      $0.add(link.goal) { $0.add($1) }
      $0.add(link.tokenExpiresAt) { $0.add($1) }
      $0.add(link.madeBy) { $0.add($1) }
      $0.add(link.endsAt)
    }
  }

  func removeLink(secret: [UInt8]) throws -> Bool {
    try rows(Self.deleteLink) { $0.add(bytea: secret.span) }.changes == 1
  }

  // MARK: Sessions

  private static let deleteSurplus = Query(
    "make room for a session",
    """
    DELETE FROM session WHERE secret IN (
      SELECT secret FROM session
      WHERE token = (SELECT secret FROM token WHERE id = $1::uuid)
      ORDER BY renewed_at DESC, secret OFFSET $2::bigint)
    RETURNING secret
    """)
  private static let insertSession = Query(
    "add a session",
    """
    INSERT INTO session (secret, token, created_at, renewed_at)
    SELECT $1::bytea, t.secret, $3::bigint, $4::bigint FROM token AS t
    WHERE t.id = $2::uuid
    """)
  private static let deleteSession = Query(
    "end a session", "DELETE FROM session WHERE secret = $1::bytea")
  private static let renewAll = Query(
    "renew sessions",
    """
    WITH held AS MATERIALIZED (
      SELECT s.secret, r.at FROM unnest($1::bytea[], $2::bigint[]) AS r (secret, at)
      JOIN session AS s ON s.secret = r.secret ORDER BY s.secret FOR UPDATE OF s
    )
    UPDATE session AS s SET renewed_at = greatest(s.renewed_at, h.at)
    FROM held AS h WHERE s.secret = h.secret
    """)

  func add(_ session: SessionRecord) throws -> [[UInt8]] {
    let surplus = try rows(Self.deleteSurplus) {
      $0.add(session.token)
      $0.add(Int64(SessionRecord.maximumPerToken - 1))
    }.map { try $0.bytea(at: 0) }
    let added = try rows(Self.insertSession) {
      $0.add(bytea: session.secret.span)
      $0.add(session.token)
      $0.add(session.createdAt)
      $0.add(session.renewedAt)
    }.changes
    guard added == 1 else { throw StoreError.other("there is no such token") }
    return surplus
  }

  func endSession(secret: [UInt8]) throws -> Bool {
    try rows(Self.deleteSession) { $0.add(bytea: secret.span) }.changes == 1
  }

  func renewSessions(_ renewals: [[UInt8]: Instant]) throws {
    let renewals = Array(renewals)
    _ = try rows(Self.renewAll) {
      $0.add(.bytea, of: renewals) { $0.add(bytea: $1.key.span) }
      $0.add(.bigint, of: renewals) { $0.add($1.value) }
    }
  }

  // MARK: The probe

  private static let putProbe = Query(
    "probe",
    """
    WITH gone AS (
      DELETE FROM probe WHERE written_at < $2::bigint - 86400000 AND server <> $1::uuid
    )
    INSERT INTO probe (server, written_at) VALUES ($1::uuid, $2::bigint)
    ON CONFLICT (server) DO UPDATE SET written_at = excluded.written_at
    """)

  func probe(at now: Instant) throws {
    _ = try rows(Self.putProbe) {
      $0.add(database.server)
      $0.add(now)
    }
  }
}
