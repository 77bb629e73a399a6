/// What an operator asks of the process that owns the database. Sent as JSON over the admin socket.
package enum AdminCommand: Codable, Hashable, Sendable {
  case addAccount(name: String, timeZone: String?)
  case listAccounts
  /// By id, or by a name that only one has.
  case removeAccount(String)
  case addToken(NewToken)
  case listTokens(account: String)
  case revokeToken(String)
  case verify
  /// Answered with the export itself, where it can be made.
  case export(account: String)
  /// Into a new file, by its absolute path as the owner of the database sees it.
  case backUp(path: String)

  package struct NewToken: Codable, Hashable, Sendable {
    let account: String
    let name: String
    let scope: String
    let goal: String?
    let expires: String?

    package init(account: String, name: String, scope: String, goal: String?, expires: String?) {
      self.account = account
      self.name = name
      self.scope = scope
      self.goal = goal
      self.expires = expires
    }
  }
}

/// What came of it.
package enum AdminReply: Codable, Hashable, Sendable {
  case addedAccount(NewAccount)
  case accounts([ListedAccount])
  case removedAccount(ListedAccount)
  case addedToken(NewToken)
  case tokens([ListedToken])
  case revokedToken(String)
  /// What is wrong; nothing where the faults are none.
  case verified(accounts: Int, faults: [String])
  case backedUp(Backup)
  /// Why it was not done, in one line.
  case failed(String)

  package struct NewAccount: Codable, Hashable, Sendable {
    package let id: String
    package let name: String
    /// Its first token, told this once.
    package let token: String
  }

  /// A history that was taken in.
  package struct ImportedLog: Codable, Hashable, Sendable {
    package let id: String
    package let name: String
    package let version: Int
    package let cursor: String
  }

  package struct ListedAccount: Codable, Hashable, Sendable {
    package let id: String
    package let name: String
    package let createdAt: String
    /// What its log takes of its quota; nil for one that was removed.
    package let logBytes: Int?
  }

  package struct Backup: Codable, Hashable, Sendable {
    package let path: String
    package let bytes: Int64
    package let accounts: Int
  }

  package struct ListedToken: Codable, Hashable, Sendable {
    package let id: String
    package let name: String
    package let scope: String
    package let goal: String?
    package let createdAt: String
    package let lastUsedAt: String?
    package let expiresAt: String?
  }

  package struct NewToken: Codable, Hashable, Sendable {
    package let listed: ListedToken
    /// Told this once.
    package let token: String
  }
}
