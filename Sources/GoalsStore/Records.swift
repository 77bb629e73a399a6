import GoalsCore

/// An account as it is kept beside its edits.
package struct AccountRecord: Hashable, Sendable {
  package let id: Account.ID
  package internal(set) var name: String
  package let createdAt: Instant
  /// The calendar at the start, over which the chain begins.
  package internal(set) var initialCalendar: CalendarSettings
  /// Whether anybody ever named its time zone; false where the machine's was taken.
  package var isZoneChosen: Bool

  package init(
    id: Account.ID, name: String, createdAt: Instant, initialCalendar: CalendarSettings,
    isZoneChosen: Bool = false
  ) {
    self.id = id
    self.name = name
    self.createdAt = createdAt
    self.initialCalendar = initialCalendar
    self.isZoneChosen = isZoneChosen
  }
}

/// A token as it is kept: its text only as a hash.
package struct TokenRecord: Hashable, Sendable {
  package typealias ID = GoalsCore.ID<TokenRecord>

  /// What a token may be used for.
  package enum Scope: String, CaseIterable, Sendable {
    /// Every GET.
    case read
    /// Every GET, and counting: bumps, skips, and taking them back.
    case count
    /// Everything.
    case write
    /// Bumping one goal, and nothing else.
    case bump
  }

  package let id: ID
  package let account: Account.ID
  package let name: String
  package let scope: Scope
  /// For the scope `bump`: the goal.
  package let goal: Goal.ID?
  /// SHA-256 of the token's text.
  package let secret: [UInt8]
  package let createdAt: Instant
  package private(set) var lastUsedAt: Instant?
  package let expiresAt: Instant?
  package private(set) var revokedAt: Instant?
  /// The token that made it, with which it is revoked; nil where an operator made it.
  package let madeBy: ID?

  package init(
    id: ID, account: Account.ID, name: String, scope: Scope, goal: Goal.ID? = nil,
    secret: [UInt8], createdAt: Instant, lastUsedAt: Instant? = nil, expiresAt: Instant? = nil,
    revokedAt: Instant? = nil, madeBy: ID? = nil
  ) {
    self.id = id
    self.account = account
    self.name = name
    self.scope = scope
    self.goal = goal
    self.secret = secret
    self.createdAt = createdAt
    self.lastUsedAt = lastUsedAt
    self.expiresAt = expiresAt
    self.revokedAt = revokedAt
    self.madeBy = madeBy
  }

  /// Whether it still opens anything.
  package func isValid(at now: Instant) -> Bool {
    revokedAt == nil && expiresAt.map { now < $0 } ?? true
  }

  /// The same, revoked at this instant; nil for not revoked.
  func revoked(at now: Instant?) -> TokenRecord {
    var token = self
    token.revokedAt = now
    return token
  }

  /// The same, used last at this instant.
  package func used(at now: Instant) -> TokenRecord {
    var token = self
    token.lastUsedAt = now
    return token
  }
}

/// A sign-in link that was not used yet: what the token will be that its code makes. The code is
/// kept only as a hash.
package struct LinkRecord: Hashable, Sendable {
  /// How many an account has at most: each is used within minutes.
  package static let maximumPerAccount = 100

  /// SHA-256 of the code's text.
  package let secret: [UInt8]
  package let account: Account.ID
  package let name: String
  package let scope: TokenRecord.Scope
  /// For the scope `bump`: the goal.
  package let goal: Goal.ID?
  /// When the token expires that it makes.
  package let tokenExpiresAt: Instant?
  /// The token that made it, with which it goes; nil where an operator made it.
  package let madeBy: TokenRecord.ID?
  /// From then on the code opens nothing.
  package let endsAt: Instant

  package init(
    secret: [UInt8], account: Account.ID, name: String, scope: TokenRecord.Scope,
    goal: Goal.ID? = nil, tokenExpiresAt: Instant? = nil, madeBy: TokenRecord.ID? = nil,
    endsAt: Instant
  ) {
    self.secret = secret
    self.account = account
    self.name = name
    self.scope = scope
    self.goal = goal
    self.tokenExpiresAt = tokenExpiresAt
    self.madeBy = madeBy
    self.endsAt = endsAt
  }
}

/// What came of a link's code.
package enum LinkUse: Hashable, Sendable {
  /// There is no such link, or no more.
  case unknown
  /// The account has as many tokens as it may: the link stays.
  case tooManyTokens
  /// The token that it made.
  case used(TokenRecord)
}

extension ID where Subject == TokenRecord {
  /// The id of the first token of an account that was made by sign-up, and of no other token: the
  /// account's own. Tokens are never forgotten, so it is known for ever how the account was made.
  package init(ofSignUp account: Account.ID) {
    self.init(high: account.high, low: account.low)
  }
}

/// How many tokens an account has.
struct TokenCount: Hashable, Sendable {
  /// The most that are not revoked: a person's devices, scripts and buttons are far fewer.
  static let maximumInUse = 1000
  /// The most that were ever made: a revoked one is kept, so that it stays revoked.
  static let maximumEverMade = 10_000

  let inUse: Int
  /// Revoked ones too.
  let everMade: Int

  var isFull: Bool { inUse >= Self.maximumInUse || everMade >= Self.maximumEverMade }
}

/// A session: what a browser has in place of the token with which it was opened. The cookie's value
/// is kept only as a hash.
package struct SessionRecord: Hashable, Sendable {
  /// How many a token has at most, one for each browser that it was pasted into.
  package static let maximumPerToken = 100
  /// How long it lasts after it was opened or renewed, in milliseconds: 90 days.
  package static let lifetime: Int64 = 90 * 86_400_000

  /// SHA-256 of the cookie's value.
  package let secret: [UInt8]
  package let token: TokenRecord.ID
  package let createdAt: Instant
  package let renewedAt: Instant

  package init(secret: [UInt8], token: TokenRecord.ID, createdAt: Instant, renewedAt: Instant) {
    self.secret = secret
    self.token = token
    self.createdAt = createdAt
    self.renewedAt = renewedAt
  }

  /// Whether it still opens anything, as far as its token does.
  package func isValid(at now: Instant) -> Bool { now < end }

  /// When it is over, if it is not renewed.
  package var end: Instant { renewedAt.adding(milliseconds: Self.lifetime) }

  /// The same, renewed at this instant.
  package func renewed(at now: Instant) -> SessionRecord {
    SessionRecord(secret: secret, token: token, createdAt: createdAt, renewedAt: now)
  }
}

package struct LogEntry: Hashable, Sendable {
  package let version: Version
  package let id: Edit.ID
  package let format: Int
  /// The recorded edit, as clients read it.
  package let payload: [UInt8]
  package let chain: Chain
}

/// A stretch of an account's log.
package struct LogPage: Hashable, Sendable {
  /// Oldest first.
  package let entries: [LogEntry]
  /// The chain at the position after which the page begins; nil where the log does not reach it.
  package let chainBefore: Chain?
  /// The version of the account's last edit.
  package let head: Version
  /// Of a search for a goal, those of the edits that change it, oldest first.
  package var found: [RecordedEdit] = []

  /// The page of a search that has found these. It ends before the first edit that was not read.
  func found(_ edits: [RecordedEdit], before unread: Version?) -> LogPage {
    LogPage(
      entries: unread.map { end in entries.filter { $0.version < end } } ?? entries,
      chainBefore: chainBefore, head: head, found: edits)
  }

  /// The page as it read when a version was recorded.
  package func upTo(_ version: Version) -> LogPage {
    guard version < head else { return self }
    return LogPage(
      entries: entries.filter { $0.version <= version }, chainBefore: chainBefore, head: version,
      found: found.filter { $0.version <= version })
  }

  /// Whether the entries are the ones that the chain was made over.
  var isSound: Bool {
    guard var chain = chainBefore else { return entries.isEmpty }
    return entries.allSatisfy { entry in
      chain = ChainMaker.next(after: chain, format: entry.format, payload: entry.payload)
      return chain == entry.chain
    }
  }
}

/// A state with the chain up to it.
package struct Snapshot: Hashable, Sendable {
  package let state: AccountState
  package let chain: Chain
  /// What the log takes; 0 for a past state.
  var logBytes = 0
  /// Whether the account was made by sign-up; false for a past state.
  var isSignedUp = false
  /// Where the book stood when the state was read, of a log that is shared.
  var book: BookHead?
}

extension Snapshot {
  /// The state of an account's empty log.
  package init(beginning record: AccountRecord) {
    let calendar = record.initialCalendar
    self.init(state: AccountState(calendar: calendar), chain: ChainMaker.start(calendar))
  }
}
