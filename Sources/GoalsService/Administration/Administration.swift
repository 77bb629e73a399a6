import GoalsCore
import GoalsStore

/// What an operator does with accounts and tokens: the same beside a running server, which does it,
/// and without one.
package struct Administration: Sendable {
  private let store: Store
  private let world: World
  /// Who lets callers in; nil where nobody is served.
  private let authenticator: Authenticator?

  package init(store: Store, world: World, authenticator: Authenticator? = nil) {
    self.store = store
    self.world = world
    self.authenticator = authenticator
  }

  /// Carries a command out. Blocks until what it changes is durable.
  package func perform(_ command: AdminCommand) -> AdminReply {
    do throws(AdminError) {
      return try answer(command)
    } catch {
      return .failed(error.sentence)
    }
  }

  private func answer(_ command: AdminCommand) throws(AdminError) -> AdminReply {
    switch command {
    case .addAccount(let name, let timeZone):
      return .addedAccount(try addAccount(name, timeZone: timeZone))
    case .listAccounts:
      return .accounts(
        try storing { () throws(StoreError) in try store.book.accounts() }.map(\.listed))
    case .removeAccount(let reference):
      let account = try account(reference)
      let isRemoved = try storing { () throws(StoreError) in
        try store.book.removeAccount(account.id)
      }
      authenticator?.forget()
      guard isRemoved else { throw AdminError("There is no account \(reference).") }
      return .removedAccount(account.listed)
    case .addToken(let token):
      return .addedToken(try addToken(token))
    case .listTokens(let reference):
      let account = try account(reference)
      let tokens = try storing { () throws(StoreError) in try store.book.tokens(account.id) }
      return .tokens(
        tokens.filter { $0.revokedAt == nil }.map {
          $0.listed(lastUsedAt: authenticator?.lastUse(of: $0.id) ?? $0.lastUsedAt)
        })
    case .revokeToken(let text):
      let id = TokenRecord.ID(text)
      let isRevoked = try id.map { id throws(AdminError) in
        try storing { () throws(StoreError) in try store.book.revokeToken(id) }
      }
      authenticator?.forget()
      guard isRevoked == true else { throw AdminError("There is no token \(text).") }
      return .revokedToken(text)
    case .verify:
      let faults = try storing { () throws(StoreError) in try store.upkeep.verify() }
      let accounts = try storing { () throws(StoreError) in try store.book.accounts() }
      return .verified(accounts: accounts.count, faults: faults)
    }
  }

  /// Makes an account with its first token. Names are labels and need not be unique.
  package func addAccount(
    _ name: String, timeZone: String?, tokenName: String = "first token"
  ) throws(AdminError) -> AdminReply.NewAccount {
    let settings = try calendar(timeZone)
    guard let label = Title(name) else {
      throw AdminError("The name needs 1 to 200 characters and no control characters.")
    }
    let record = AccountRecord(
      id: world.makeID(), name: label.text, createdAt: world.now(), initialCalendar: settings)
    let token = Token(random: world.random)
    let first = TokenRecord(
      id: world.makeID(), account: record.id, name: tokenName, scope: .write,
      secret: token.secret, createdAt: world.now())
    try storing { () throws(StoreError) in
      try store.book.addAccount(record)
      try store.book.addToken(first)
    }
    return AdminReply.NewAccount(id: record.id.description, name: label.text, token: token.text)
  }

  private func addToken(_ asked: AdminCommand.NewToken) throws(AdminError) -> AdminReply.NewToken {
    let account = try account(asked.account)
    guard let name = Title(asked.name) else {
      throw AdminError("The token's name needs 1 to 200 characters and no control characters.")
    }
    guard let scope = TokenRecord.Scope(rawValue: asked.scope) else {
      throw AdminError("A scope is read, write or bump.")
    }
    let goal = asked.goal.flatMap { Goal.ID($0) }
    guard (goal == nil) == (asked.goal == nil) else {
      throw AdminError("The goal has to be its id, a UUID.")
    }
    guard (scope == .bump) == (goal != nil) else {
      throw AdminError("A goal goes with the scope bump, and with no other.")
    }
    if let goal {
      let published = try storing { () throws(StoreError) in try store.state(account.id) }
      guard published?.state.roster.listed(goal) != nil else {
        throw AdminError("The account has no goal \(goal).")
      }
    }
    let expiresAt = asked.expires.flatMap { Instant($0) }
    guard (expiresAt == nil) == (asked.expires == nil), expiresAt.map({ $0 > world.now() }) ?? true
    else { throw AdminError("The expiry has to be an RFC 3339 date and time that is to come.") }
    let token = Token(random: world.random)
    let record = TokenRecord(
      id: world.makeID(), account: account.id, name: name.text, scope: scope, goal: goal,
      secret: token.secret, createdAt: world.now(), expiresAt: expiresAt)
    try storing { () throws(StoreError) in try store.book.addToken(record) }
    return AdminReply.NewToken(listed: record.listed(lastUsedAt: nil), token: token.text)
  }

  private func calendar(_ timeZone: String?) throws(AdminError) -> CalendarSettings {
    let initial = CalendarSettings.initial
    guard let timeZone else { return initial }
    guard let name = ZoneName(timeZone), world.zones.zone(name) != nil else {
      throw AdminError("The time-zone database has no zone \(timeZone).")
    }
    return CalendarSettings(
      timeZone: name, weekStart: initial.weekStart, dayStart: initial.dayStart)
  }

  /// The account of an id, or of a name that only one has.
  private func account(_ reference: String) throws(AdminError) -> AccountRecord {
    let accounts = try storing { () throws(StoreError) in try store.book.accounts() }
    if let id = Account.ID(reference), let account = accounts.first(where: { $0.id == id }) {
      return account
    }
    let named = accounts.filter { $0.name == reference }
    guard let account = named.first else { throw AdminError("There is no account \(reference).") }
    guard named.count == 1 else {
      throw AdminError("\(named.count) accounts are called \(reference): use an id.")
    }
    return account
  }

  private func storing<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(AdminError) -> Result {
    do throws(StoreError) {
      return try body()
    } catch {
      throw AdminError(error.description)
    }
  }
}

/// Why a command was not carried out, in one line.
package struct AdminError: Error, Hashable, Sendable {
  package let sentence: String

  /// What an operator wrote may be quoted in it: its line ends become spaces.
  package init(_ sentence: String) {
    self.sentence = sentence.split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}

extension AccountRecord {
  fileprivate var listed: AdminReply.ListedAccount {
    AdminReply.ListedAccount(
      id: id.description, name: name, createdAt: createdAt.description)
  }
}

extension TokenRecord {
  fileprivate func listed(lastUsedAt: Instant?) -> AdminReply.ListedToken {
    AdminReply.ListedToken(
      id: id.description, name: name, scope: scope.rawValue, goal: goal?.description,
      createdAt: createdAt.description, lastUsedAt: lastUsedAt?.description,
      expiresAt: expiresAt?.description)
  }
}
