import GoalsCore
import GoalsStore

/// Who may come in: makes accounts and tokens and takes them away, for an operator and over HTTP alike.
///
/// All of it blocks until what it changes is durable. What opens nothing any more the authenticator is
/// told at once, and through it everyone who has to know.
package struct Access: Sendable {
  let store: Store
  let world: World
  let authenticator: Authenticator
  /// How many accounts there may be for another to be made by who is not known.
  private let maximumAccounts: Int

  package init(
    store: Store, world: World, authenticator: Authenticator, maximumAccounts: Int = .max
  ) {
    self.store = store
    self.world = world
    self.authenticator = authenticator
    self.maximumAccounts = maximumAccounts
  }

  /// Whether another account may be made by who is not known. An operator may make one in any case.
  var isRoomForAccount: Bool {
    get throws(StoreError) { try store.book.count() < maximumAccounts }
  }

  /// An account that was made, with its first token.
  package struct NewAccount: Sendable {
    let record: AccountRecord
    let token: Token
  }

  /// Makes an account with its first token, which may write: both or neither. Names are labels and need
  /// not be unique.
  func addAccount(_ asked: AskedAccount, tokenName: String) throws(StoreError) -> NewAccount {
    let initial = CalendarSettings.initial
    let record = AccountRecord(
      id: world.makeID(), name: asked.name.text, createdAt: world.now(),
      initialCalendar: CalendarSettings(
        timeZone: asked.timeZone, weekStart: initial.weekStart, dayStart: initial.dayStart))
    let token = Token(random: world.random)
    let first = TokenRecord(
      id: world.makeID(), account: record.id, name: tokenName, scope: .write,
      secret: token.secret, createdAt: record.createdAt)
    try store.book.addAccount(record, first)
    return NewAccount(record: record, token: token)
  }

  /// Removes an account with everything of it; false where there is none.
  func removeAccount(_ id: Account.ID) throws(StoreError) -> Bool {
    guard try store.book.removeAccount(id) else { return false }
    authenticator.end(.account(id))
    return true
  }

  /// What came of asking for a token.
  package enum TokenAnswer: Sendable {
    case added(TokenRecord, Token)
    case unknownAccount
    /// The account has no such goal to bump.
    case unknownGoal(Goal.ID)
    /// The account has as many tokens as it may.
    case full
  }

  func addToken(
    _ asked: AskedToken, to account: Account.ID
  ) throws(StoreError) -> TokenAnswer {
    guard let published = try store.state(account) else { return .unknownAccount }
    if let goal = asked.goal, published.state.roster.listed(goal) == nil {
      return .unknownGoal(goal)
    }
    let token = Token(random: world.random)
    let record = TokenRecord(
      id: world.makeID(), account: account, name: asked.name.text, scope: asked.scope,
      goal: asked.goal, secret: token.secret, createdAt: world.now(), expiresAt: asked.expiresAt)
    return try store.book.addToken(record) ? .added(record, token) : .full
  }

  /// The tokens of an account that are not revoked, oldest first, with when each was last used.
  func tokens(of account: Account.ID) throws(StoreError) -> [TokenRecord] {
    try store.book.tokens(account).filter { $0.revokedAt == nil }.map { token in
      authenticator.lastUse(of: token.id).map { token.used(at: $0) } ?? token
    }
  }

  /// Opens a session in the place of a token. Where the token has as many as it may, the one that was
  /// renewed longest ago ends.
  func beginSession(_ token: TokenRecord) throws(StoreError) -> SessionKey {
    let key = SessionKey(random: world.random)
    let now = world.now()
    let ended = try store.book.addSession(
      SessionRecord(secret: key.secret, token: token.id, createdAt: now, renewedAt: now))
    for secret in ended { authenticator.end(.session(secret)) }
    return key
  }

  /// Ends a session, at once; nothing where there is none.
  func endSession(_ secret: [UInt8]) throws(StoreError) {
    if try store.book.endSession(secret) { authenticator.end(.session(secret)) }
  }

  /// Revokes a token, at once and for good; false where there is none, or where an account is named and
  /// it has none such.
  func revokeToken(_ id: TokenRecord.ID, of account: Account.ID?) throws(StoreError) -> Bool {
    guard try store.book.revokeToken(id, account) else { return false }
    authenticator.end(.token(id))
    return true
  }
}
