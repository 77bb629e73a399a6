import GoalsCore
import GoalsStore

extension Administration {
  /// Adds a token. The goal of one that may bump is named by its id or its title.
  func add(
    _ new: AdminCommand.NewToken, to account: AccountRecord,
    _ completion: @escaping Completion<AdminReply>
  ) throws {
    let add = { @Sendable (goal: String?) in
      let asked = try asked(new, goal: goal)
      guard new.link != true else {
        let linked = telling(completion, new.account) { (new: NewLink) in
          AdminReply.addedLink(.init(new, at: address))
        }
        return domain(.tokens(.link(asked, to: account.id, by: nil, linked)))
      }
      let added = telling(completion, new.account) { (new: NewToken) in
        AdminReply.addedToken(.init(new.record, token: new.token.text))
      }
      domain(.tokens(.add(asked, to: account.id, by: nil, added)))
    }
    guard let goal = new.goal, new.scope == TokenRecord.Scope.bump.rawValue else {
      return try add(new.goal)
    }
    let found = found(goal, completion) { (id: Goal.ID) in
      try add(id.description)
    }
    domain(.goals(.find(goal, of: account.id, found)))
  }

  private func asked(
    _ new: AdminCommand.NewToken, goal: String?
  ) throws(AdminError) -> AskedToken {
    let words = [
      ("name", new.name), ("scope", new.scope), ("goal", goal), ("expiresAt", new.expires),
    ]
    return try Self.valid(AskedToken.read(try Self.object(words).root, at: world.now()))
  }

  /// Revokes the token of an id or a name, of an account or of any.
  func revoke(
    _ reference: String, of account: Account.ID?, _ completion: @escaping Completion<AdminReply>
  ) {
    let found = found(reference, completion) { (token: TokenRecord) in
      let revoked = telling(completion, reference) { (_: Void) in
        AdminReply.revokedToken(id: token.id.description, name: token.name)
      }
      domain(.tokens(.revoke(token.id, of: token.account, by: nil, revoked)))
    }
    domain(.tokens(.find(reference, of: account, found)))
  }
}
