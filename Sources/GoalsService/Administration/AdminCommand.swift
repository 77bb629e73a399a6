import GoalsStore

/// What an operator asks of the process that owns the database. Sent as JSON over the admin socket.
package enum AdminCommand: Codable, Hashable, Sendable {
  /// With a token, or where a link is asked for with its code, which works until an instant or for
  /// 24 hours.
  case addAccount(name: String, timeZone: String?, link: Bool? = nil, expires: String? = nil)
  case setAccount(AccountChange)
  case listAccounts
  /// By id, or by a name that only one has.
  case removeAccount(String)
  case listGoals(account: String)
  case addToken(NewToken)
  case listTokens(account: String)
  /// By id, or by a name that only one has, of an account or of all.
  case revokeToken(String, of: String? = nil)
  case verify
  /// Answered with the export itself, where it can be made.
  case export(account: String)
  /// Into a new file, by its absolute path as the owner of the database sees it.
  case backUp(path: String)

  /// What is to be otherwise in an account; nil leaves it as it is.
  package struct AccountChange: Codable, Hashable, Sendable {
    let account: String
    let name: String?
    let timeZone: String?
    let weekStart: String?
    let dayStart: String?

    package init(
      account: String, name: String? = nil, timeZone: String? = nil, weekStart: String? = nil,
      dayStart: String? = nil
    ) {
      self.account = account
      self.name = name
      self.timeZone = timeZone
      self.weekStart = weekStart
      self.dayStart = dayStart
    }
  }

  package struct NewToken: Codable, Hashable, Sendable {
    let account: String
    let name: String
    let scope: String
    /// By id, or by a title that only one has.
    let goal: String?
    let expires: String?
    /// Whether a link is asked for, whose code makes the token.
    let link: Bool?

    package init(
      account: String, name: String, scope: String, goal: String?, expires: String?,
      link: Bool = false
    ) {
      self.account = account
      self.name = name
      self.scope = scope
      self.goal = goal
      self.expires = expires
      self.link = link
    }
  }
}

/// What came of it.
package enum AdminReply: Codable, Hashable, Sendable {
  case addedAccount(NewAccount)
  /// An account that was set, as it reads now.
  case account(Account)
  case accounts([ListedAccount])
  case removedAccount(RemovedAccount)
  case goals(GoalList)
  case addedToken(ListedToken)
  case addedLink(NewLink)
  case tokens([ListedToken])
  case revokedToken(id: String, name: String)
  /// What is wrong; nothing where the faults are none.
  case verified(accounts: Int, faults: [String])
  case backedUp(BackupReport)
  /// Why it was not done, in one line.
  case failed(String)

  package struct NewAccount: Codable, Hashable, Sendable {
    package let id: String
    package let name: String
    package let timeZone: String
    /// Its first token, told this once; nil where there is a link for it.
    package var token: String?
    package var link: NewLink?
  }

  /// A link that makes a token, told this once.
  package struct NewLink: Codable, Hashable, Sendable {
    /// What the token will be.
    package let name: String
    package let scope: String
    @OrNull package var goal: String?
    @OrNull package var expiresAt: String?
    package let code: String
    /// Until when the code works.
    package let endsAt: String
    /// Where people reach the server that has made it; nil where none runs.
    package let address: String?
  }

  /// A history that was taken in.
  package struct ImportedLog: Codable, Hashable, Sendable {
    package let id: String
    package let name: String
    package let version: Int
    package let cursor: String
  }

  package struct Account: Codable, Hashable, Sendable {
    package let id: String
    package let name: String
    package let timeZone: String
    package let timeZoneChosen: Bool
    package let weekStart: String
    package let dayStart: String
  }

  package struct ListedAccount: Codable, Hashable, Sendable {
    package let id: String
    package let name: String
    package let timeZone: String
    package let timeZoneChosen: Bool
    package let createdAt: String
    /// When one of its tokens was used last.
    @OrNull package var lastActiveAt: String?
    /// What its log takes of its quota.
    package let logBytes: Int
  }

  package struct RemovedAccount: Codable, Hashable, Sendable {
    package let id: String
    package let name: String
    package let createdAt: String
  }

  /// The goals of an account, in list order.
  package struct GoalList: Codable, Hashable, Sendable {
    /// Of the account.
    package let id: String
    package let name: String
    /// How many its log has.
    package let edits: Int
    package let goals: [ListedGoal]
  }

  package struct ListedGoal: Codable, Hashable, Sendable {
    package let id: String
    package let title: String
    package let interval: String
    package let frequency: Int
    @OrNull package var unit: String?
    package let active: Bool
    /// The count of the running period; nil while inactive.
    @OrNull package var progress: Int?
    /// The count of the present day; nil while inactive.
    @OrNull package var today: Int?
    /// Of the running period: `open`, `met` or `excused`; nil while inactive.
    @OrNull package var state: String?
    /// The present one.
    package let streak: Int
  }

  package struct ListedToken: Codable, Hashable, Sendable {
    package let id: String
    package let name: String
    package let scope: String
    @OrNull package var goal: String?
    /// The id of the token that made it.
    @OrNull package var madeBy: String?
    package let createdAt: String
    @OrNull package var lastUsedAt: String?
    @OrNull package var expiresAt: String?
    /// Told once, to the command that added it.
    package var token: String?
  }
}

/// A member that is null in JSON where it has no value, so that a program finds every member.
@propertyWrapper
package struct OrNull<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
  package var wrappedValue: Value?

  package init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

  package init(from decoder: any Decoder) throws {
    wrappedValue = try decoder.singleValueContainer().decode(Value?.self)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

extension KeyedDecodingContainer {
  /// A server of an older version leaves such a member out.
  func decode<Value>(_ type: OrNull<Value>.Type, forKey key: Key) throws -> OrNull<Value> {
    try decodeIfPresent(type, forKey: key) ?? OrNull(wrappedValue: nil)
  }
}
