import GoalsCore
import SQLite

/// The rows of accounts and tokens.
struct AccountTables {
  private let statement: StatementCache
  let seals: BookSeals

  private static let columns =
    "id, name, created_at, time_zone, week_start, day_start, zone_chosen"
  private static let selectToken = """
    SELECT t.id, t.name, t.scope, t.goal, t.secret, t.created_at, t.last_used_at, t.expires_at,
      t.revoked_at, t.made_by, a.id
    FROM token AS t JOIN account AS a ON a.number = t.account
    """

  init(_ statements: StatementCache) {
    statement = statements
    seals = BookSeals(statements)
  }

  /// Takes note of when a token was used; nothing where there is none.
  func recordUse(of id: TokenRecord.ID, at instant: Instant) throws {
    try statement("UPDATE token SET last_used_at = ?2 WHERE id = ?1").run(id, instant)
  }

  /// The number by which the other tables know an account; nil where there is none.
  func number(of id: Account.ID) throws -> Int64? {
    try statement("SELECT number FROM account WHERE id = ?").first(id) { try $0.integer(at: 0) }
  }

  func add(_ account: AccountRecord) throws -> Int64 {
    let calendar = account.initialCalendar
    let number = try statement(
      """
      INSERT INTO account (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING number
      """
    ).first(
      account.id, account.name, account.createdAt, calendar.timeZone.text,
      calendar.weekStart.isoNumber, calendar.dayStart.minutes, account.isZoneChosen
    ) { try $0.integer(at: 0) }
    try seals.seal(account)
    return number ?? 0
  }

  /// Calls an account otherwise; false where there is none.
  func rename(_ id: Account.ID, to name: String) throws -> Bool {
    guard let old = try account(id) else { return false }
    try statement("UPDATE account SET name = ?2 WHERE id = ?1").run(id, name)
    var new = old
    new.name = name
    try seals.change(id) { $0.change(old, to: new) }
    return true
  }

  /// Takes note that the account's time zone was named; nothing where there is none.
  func recordChoiceOfZone(of id: Account.ID) throws {
    try statement("UPDATE account SET zone_chosen = 1 WHERE id = ? AND zone_chosen = 0").run(id)
  }

  func account(_ id: Account.ID) throws -> AccountRecord? {
    try statement("SELECT \(Self.columns) FROM account WHERE id = ?")
      .first(id, read: AccountRecord.init)
  }

  /// Whether the account was made by sign-up: then its first token has its id.
  func isSignedUp(_ id: Account.ID) throws -> Bool {
    try statement("SELECT account FROM token WHERE id = ?").first(id) { try $0.integer(at: 0) }
      .map { try $0 == number(of: id) } ?? false
  }

  func signedUp() throws -> Set<Account.ID> {
    let ids = try statement("SELECT a.id FROM token AS t JOIN account AS a ON a.id = t.id")
      .all { try $0.id(at: 0, of: "an account") as Account.ID }
    return Set(ids)
  }

  func count() throws -> Int {
    try statement(
      "SELECT count(*) - (SELECT count(*) FROM account WHERE staged = 1) FROM account"
    ).first { Int(try $0.integer(at: 0)) } ?? 0
  }

  func accounts() throws -> [AccountRecord] {
    try statement(
      "SELECT \(Self.columns) FROM account WHERE staged = 0 ORDER BY created_at, number"
    ).all(read: AccountRecord.init)
  }

  /// Removes an account with its log, snapshot and tokens, where there is one, and takes note that
  /// it is to stay so. Its recent ids are left to `EditIDs.remove`.
  func remove(_ id: Account.ID) throws {
    try statement("DELETE FROM account WHERE id = ?").run(id)
    try statement("INSERT OR IGNORE INTO removed_account (id) VALUES (?)").run(id)
  }

  func add(_ token: TokenRecord) throws {
    try statement(
      """
      INSERT INTO token (id, name, scope, goal, secret, created_at, last_used_at, expires_at,
        revoked_at, made_by, account)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10,
        (SELECT number FROM account WHERE id = ?11))
      """
    ).run(
      token.id, token.name, token.scope.rawValue, token.goal, token.secret, token.createdAt,
      token.lastUsedAt, token.expiresAt, token.revokedAt, token.madeBy, token.account)
    try seals.change(token.account) { $0.change(nil, to: token) }
  }

  /// The token whose text has this hash, revoked or not.
  func token(secret: [UInt8]) throws -> TokenRecord? {
    try statement("\(Self.selectToken) WHERE t.secret = ?")
      .first(secret, read: TokenRecord.init)
  }

  func token(_ id: TokenRecord.ID) throws -> TokenRecord? {
    try statement("\(Self.selectToken) WHERE t.id = ?").first(id, read: TokenRecord.init)
  }

  /// The tokens of an account, oldest first, revoked ones too.
  func tokens(of account: Account.ID) throws -> [TokenRecord] {
    try statement("\(Self.selectToken) WHERE a.id = ? ORDER BY t.created_at, t.id")
      .all(account, read: TokenRecord.init)
  }

  func tokensInUse(of account: Account.ID) throws -> [TokenRecord] {
    try statement(
      """
      \(Self.selectToken) WHERE a.id = ? AND t.revoked_at IS NULL ORDER BY t.created_at, t.id
      """
    ).all(account, read: TokenRecord.init)
  }

  func tokenCount(of account: Account.ID) throws -> TokenCount {
    let count = try statement(
      """
      SELECT count(*) FILTER (WHERE t.revoked_at IS NULL), count(*)
      FROM token AS t JOIN account AS a ON a.number = t.account WHERE a.id = ?
      """
    ).first(account) { row in
      TokenCount(inUse: Int(try row.integer(at: 0)), everMade: Int(try row.integer(at: 1)))
    }
    return count ?? TokenCount(inUse: 0, everMade: 0)
  }

  /// Revokes a token; false where the account has none that is not revoked.
  func revoke(_ id: TokenRecord.ID, of account: Account.ID, at now: Instant) throws -> Bool {
    // Looked up by the account first: found by its id alone, a token of another account takes more
    // steps than none, which would tell that it is there. The `+` keeps the index of ids out of it
    // (https://sqlite.org/optoverview.html#disqualifying_where_clause_terms_using_unary_).
    let rows = try statement(
      """
      UPDATE token SET revoked_at = ?2
      WHERE account = (SELECT number FROM account WHERE id = ?3) AND +id = ?1
        AND revoked_at IS NULL RETURNING id
      """
    ).run(id, now, account)
    guard rows > 0, let revoked = try token(id) else { return false }
    try seals.change(revoked.account) { $0.change(revoked.revoked(at: nil), to: revoked) }
    return true
  }

  // MARK: Links

  private static let selectLink = """
    SELECT l.secret, l.name, l.scope, l.goal, l.token_expires_at, l.made_by, l.ends_at, a.id
    FROM link AS l JOIN account AS a ON a.number = l.account
    """

  func add(_ link: LinkRecord) throws {
    try statement(
      """
      INSERT INTO link (secret, name, scope, goal, token_expires_at, made_by, ends_at, account)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, (SELECT number FROM account WHERE id = ?8))
      """
    ).run(
      link.secret, link.name, link.scope.rawValue, link.goal, link.tokenExpiresAt, link.madeBy,
      link.endsAt, link.account)
  }

  func link(secret: [UInt8]) throws -> LinkRecord? {
    try statement("\(Self.selectLink) WHERE l.secret = ?").first(secret, read: LinkRecord.init)
  }

  /// Those of an account, the one that ends first before the others.
  func links(of account: Account.ID) throws -> [LinkRecord] {
    try statement("\(Self.selectLink) WHERE a.id = ? ORDER BY l.ends_at, l.secret")
      .all(account, read: LinkRecord.init)
  }

  /// False where there is none.
  func removeLink(secret: [UInt8]) throws -> Bool {
    try statement("DELETE FROM link WHERE secret = ? RETURNING secret").run(secret) > 0
  }
}

extension AccountRecord {
  fileprivate init(_ row: Statement) throws {
    let id: Account.ID = try row.id(at: 0, of: "an account")
    guard let calendar = try CalendarSettings(row, from: 3) else {
      throw SQLiteError.unreadable("account \(id): its calendar")
    }
    self.init(
      id: id, name: try row.text(at: 1), createdAt: try row.instant(at: 2),
      initialCalendar: calendar, isZoneChosen: try row.integer(at: 6) == 1)
  }
}

extension TokenRecord {
  fileprivate init(_ row: Statement) throws {
    guard let id: ID = try row.id(at: 0), let scope = Scope(rawValue: try row.text(at: 2)),
      let account: Account.ID = try row.id(at: 10)
    else { throw SQLiteError.unreadable("a token") }
    self.init(
      id: id, account: account, name: try row.text(at: 1), scope: scope,
      goal: try row.optional(at: 3, row.id) ?? nil, secret: try row.blob(at: 4),
      createdAt: try row.instant(at: 5), lastUsedAt: try row.optional(at: 6, row.instant),
      expiresAt: try row.optional(at: 7, row.instant),
      revokedAt: try row.optional(at: 8, row.instant),
      madeBy: try row.optional(at: 9, row.id) ?? nil)
  }
}

extension LinkRecord {
  fileprivate init(_ row: Statement) throws {
    guard let scope = TokenRecord.Scope(rawValue: try row.text(at: 2)),
      let account: Account.ID = try row.id(at: 7)
    else { throw SQLiteError.unreadable("a link") }
    self.init(
      secret: try row.blob(at: 0), account: account, name: try row.text(at: 1), scope: scope,
      goal: try row.optional(at: 3, row.id) ?? nil,
      tokenExpiresAt: try row.optional(at: 4, row.instant),
      madeBy: try row.optional(at: 5, row.id) ?? nil, endsAt: try row.instant(at: 6))
  }
}
