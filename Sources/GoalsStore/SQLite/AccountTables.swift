import GoalsCore
import SQLite

/// The rows of accounts and tokens.
struct AccountTables {
  private let selectNumber: Statement
  private let insertAccount: Statement
  private let renameAccount: Statement
  private let chooseZone: Statement
  private let selectAccount: Statement
  private let selectAccounts: Statement
  private let countAccounts: Statement
  private let deleteAccount: Statement
  private let insertRemoved: Statement
  private let insertToken: Statement
  private let selectToken: Statement
  private let selectTokenByID: Statement
  private let selectTokens: Statement
  private let countTokens: Statement
  private let revokeToken: Statement
  private let revokeOwnToken: Statement
  private let useToken: Statement
  let seals: BookSeals

  init(on connection: Connection) throws(SQLiteError) {
    let columns = "id, name, created_at, time_zone, week_start, day_start, zone_chosen"
    selectNumber = try connection.prepare("SELECT number FROM account WHERE id = ?")
    insertAccount = try connection.prepare(
      """
      INSERT INTO account (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING number
      """)
    renameAccount = try connection.prepare("UPDATE account SET name = ?2 WHERE id = ?1")
    chooseZone = try connection.prepare(
      "UPDATE account SET zone_chosen = 1 WHERE id = ? AND zone_chosen = 0")
    selectAccount = try connection.prepare("SELECT \(columns) FROM account WHERE id = ?")
    selectAccounts = try connection.prepare(
      "SELECT \(columns) FROM account WHERE staged = 0 ORDER BY created_at, number")
    countAccounts = try connection.prepare(
      "SELECT count(*) - (SELECT count(*) FROM account WHERE staged = 1) FROM account")
    deleteAccount = try connection.prepare("DELETE FROM account WHERE id = ?")
    insertRemoved = try connection.prepare("INSERT OR IGNORE INTO removed_account (id) VALUES (?)")
    let token = "id, name, scope, goal, secret, created_at, last_used_at, expires_at, revoked_at"
    insertToken = try connection.prepare(
      """
      INSERT INTO token (\(token), account)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, (SELECT number FROM account WHERE id = ?10))
      """)
    let join = "FROM token AS t JOIN account AS a ON a.number = t.account"
    let named = token.split(separator: ", ").map { "t.\($0)" }.joined(separator: ", ")
    selectToken = try connection.prepare("SELECT \(named), a.id \(join) WHERE t.secret = ?")
    selectTokenByID = try connection.prepare("SELECT \(named), a.id \(join) WHERE t.id = ?")
    selectTokens = try connection.prepare(
      "SELECT \(named), a.id \(join) WHERE a.id = ? ORDER BY t.created_at, t.id")
    countTokens = try connection.prepare(
      "SELECT count(*) FILTER (WHERE t.revoked_at IS NULL), count(*) \(join) WHERE a.id = ?")
    revokeToken = try connection.prepare(
      "UPDATE token SET revoked_at = ?2 WHERE id = ?1 AND revoked_at IS NULL RETURNING id")
    // Looked up by the account first: found by its id alone, a token of another account takes more
    // steps than none, which would tell that it is there. The `+` keeps the index of ids out of it
    // (https://sqlite.org/optoverview.html#disqualifying_where_clause_terms_using_unary_).
    revokeOwnToken = try connection.prepare(
      """
      UPDATE token SET revoked_at = ?2
      WHERE account = (SELECT number FROM account WHERE id = ?3) AND +id = ?1 AND revoked_at IS NULL
      RETURNING id
      """)
    useToken = try connection.prepare("UPDATE token SET last_used_at = ?2 WHERE id = ?1")
    seals = try BookSeals(on: connection)
  }

  /// Takes note of when a token was used; nothing where there is none.
  func recordUse(of id: TokenRecord.ID, at instant: Instant) throws(SQLiteError) {
    try useToken.bind(id: id, at: 1)
    try useToken.bind(instant.milliseconds, at: 2)
    try useToken.run()
  }

  /// The number by which the other tables know an account; nil where there is none.
  func number(of id: Account.ID) throws(SQLiteError) -> Int64? {
    try selectNumber.bind(id: id, at: 1)
    return try selectNumber.first { row throws(SQLiteError) in try row.integer(at: 0) }
  }

  /// Adds an account and answers its number.
  func add(_ account: AccountRecord) throws(SQLiteError) -> Int64 {
    try insertAccount.bind(id: account.id, at: 1)
    try insertAccount.bind(account.name, at: 2)
    try insertAccount.bind(account.createdAt.milliseconds, at: 3)
    try insertAccount.bind(account.initialCalendar.timeZone.text, at: 4)
    try insertAccount.bind(account.initialCalendar.weekStart.isoNumber, at: 5)
    try insertAccount.bind(Int64(account.initialCalendar.dayStart.minutes), at: 6)
    try insertAccount.bind(account.isZoneChosen ? 1 : 0, at: 7)
    var number: Int64 = 0
    try insertAccount.each { row throws(SQLiteError) in number = try row.integer(at: 0) }
    try seals.seal(account)
    return number
  }

  /// Calls an account otherwise; false where there is none.
  func rename(_ id: Account.ID, to name: String) throws(SQLiteError) -> Bool {
    guard let old = try account(id) else { return false }
    try renameAccount.bind(id: id, at: 1)
    try renameAccount.bind(name, at: 2)
    try renameAccount.run()
    var new = old
    new.name = name
    try seals.change(old, to: new)
    return true
  }

  /// Takes note that the account's time zone was named; nothing where there is none.
  func recordChoiceOfZone(of id: Account.ID) throws(SQLiteError) {
    try chooseZone.bind(id: id, at: 1)
    try chooseZone.run()
  }

  func account(_ id: Account.ID) throws(SQLiteError) -> AccountRecord? {
    try selectAccount.bind(id: id, at: 1)
    return try selectAccount.first { row throws(SQLiteError) in try AccountRecord(row) }
  }

  func count() throws(SQLiteError) -> Int {
    try countAccounts.first { row throws(SQLiteError) in Int(try row.integer(at: 0)) } ?? 0
  }

  func accounts() throws(SQLiteError) -> [AccountRecord] {
    var accounts: [AccountRecord] = []
    try selectAccounts.each { row throws(SQLiteError) in accounts.append(try AccountRecord(row)) }
    return accounts
  }

  /// Removes an account with its log, snapshot and tokens, where there is one, and takes note that
  /// it is to stay so. Its recent ids are left to `RecentIDTable.retain`.
  func remove(_ id: Account.ID) throws(SQLiteError) {
    try deleteAccount.bind(id: id, at: 1)
    try deleteAccount.run()
    try insertRemoved.bind(id: id, at: 1)
    try insertRemoved.run()
  }

  func add(_ token: TokenRecord) throws(SQLiteError) {
    try insertToken.bind(id: token.id, at: 1)
    try insertToken.bind(token.name, at: 2)
    try insertToken.bind(token.scope.rawValue, at: 3)
    try insertToken.bind(value: token.goal.map { .blob($0.bytes) } ?? .null, at: 4)
    try insertToken.bind(blob: token.secret.span, at: 5)
    try insertToken.bind(token.createdAt.milliseconds, at: 6)
    for (index, instant) in [token.lastUsedAt, token.expiresAt, token.revokedAt].enumerated() {
      try insertToken.bind(
        value: instant.map { .integer($0.milliseconds) } ?? .null, at: 7 + index)
    }
    try insertToken.bind(id: token.account, at: 10)
    try insertToken.run()
    try seals.change(nil, to: token)
  }

  /// The token whose text has this hash, revoked or not.
  func token(secret: [UInt8]) throws(SQLiteError) -> TokenRecord? {
    try selectToken.bind(blob: secret.span, at: 1)
    return try selectToken.first { row throws(SQLiteError) in try TokenRecord(row) }
  }

  func token(_ id: TokenRecord.ID) throws(SQLiteError) -> TokenRecord? {
    try selectTokenByID.bind(id: id, at: 1)
    return try selectTokenByID.first { row throws(SQLiteError) in try TokenRecord(row) }
  }

  /// The tokens of an account, oldest first, revoked ones too.
  func tokens(of account: Account.ID) throws(SQLiteError) -> [TokenRecord] {
    var tokens: [TokenRecord] = []
    try selectTokens.bind(id: account, at: 1)
    try selectTokens.each { row throws(SQLiteError) in tokens.append(try TokenRecord(row)) }
    return tokens
  }

  func tokenCount(of account: Account.ID) throws(SQLiteError) -> TokenCount {
    try countTokens.bind(id: account, at: 1)
    let count = try countTokens.first { row throws(SQLiteError) in
      TokenCount(
        inUse: Int(try row.integer(at: 0)), everMade: Int(try row.integer(at: 1)))
    }
    return count ?? TokenCount(inUse: 0, everMade: 0)
  }

  /// Revokes a token; false where there is none that is not revoked, or none of the account.
  func revoke(
    _ id: TokenRecord.ID, of account: Account.ID?, at now: Instant
  ) throws(SQLiteError) -> Bool {
    let revoke = account == nil ? revokeToken : revokeOwnToken
    try revoke.bind(id: id, at: 1)
    try revoke.bind(now.milliseconds, at: 2)
    if let account { try revoke.bind(id: account, at: 3) }
    var isRevoked = false
    try revoke.each { _ in isRevoked = true }
    guard isRevoked, let revoked = try token(id) else { return false }
    try seals.change(revoked.revoked(at: nil), to: revoked)
    return true
  }
}

extension AccountRecord {
  fileprivate init(_ row: Statement) throws(SQLiteError) {
    guard let id = Account.ID(bytes: try row.blob(at: 0)) else { throw .unreadable("an account") }
    guard let calendar = try CalendarSettings(row, from: 3) else {
      throw .unreadable("account \(id): its calendar")
    }
    self.init(
      id: id, name: try row.text(at: 1),
      createdAt: Instant(milliseconds: try row.integer(at: 2)), initialCalendar: calendar,
      isZoneChosen: try row.integer(at: 6) == 1)
  }
}

extension TokenRecord {
  fileprivate init(_ row: Statement) throws(SQLiteError) {
    guard let id = ID(bytes: try row.blob(at: 0)), let scope = Scope(rawValue: try row.text(at: 2)),
      let account = Account.ID(bytes: try row.blob(at: 9))
    else { throw .unreadable("a token") }
    let instant = { (column: Int) throws(SQLiteError) -> Instant? in
      try row.isNull(at: column) ? nil : Instant(milliseconds: try row.integer(at: column))
    }
    self.init(
      id: id, account: account, name: try row.text(at: 1), scope: scope,
      goal: try row.isNull(at: 3) ? nil : Goal.ID(bytes: try row.blob(at: 3)),
      secret: try row.blob(at: 4), createdAt: Instant(milliseconds: try row.integer(at: 5)),
      lastUsedAt: try instant(6), expiresAt: try instant(7), revokedAt: try instant(8))
  }
}
