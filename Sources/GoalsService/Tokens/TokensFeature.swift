import GoalsCore
import GoalsStore

/// Managing the tokens of an account.
package enum TokensUseCase: Sendable {
  /// The token that a caller shows, or opened the session with.
  case read(of: Caller, Completion<TokenRecord>)
  /// Those that are not revoked, oldest first, with when each was last used.
  case list(of: Account.ID, for: Asker, Completion<[TokenRecord]>)
  /// Asked for by a client of the account, or by an operator where no caller is named.
  case add(AskedToken, to: Account.ID, by: Caller?, Completion<NewToken>)
  /// The one of an id, or of a name that only one has, of the tokens that are not revoked: those of
  /// an account, or of all where none is named.
  case find(String, of: Account.ID?, Completion<TokenRecord>)
  /// At once and for good, of an account: by a client, or by an operator where no caller is named.
  case revoke(TokenRecord.ID, of: Account.ID, by: Caller?, Completion<Void>)
}

/// A token that was made, with its text, which is told this once.
package struct NewToken: Sendable {
  let record: TokenRecord
  let token: Token
}

func tokensFeature(_ access: Access, _ queues: Queues) -> Feature<TokensUseCase> {
  let (store, world, authenticator) = (access.store, access.world, access.authenticator)
  return { useCase in
    switch useCase {
    case .read(let caller, let completion): completion(.success(caller.token))
    case .list(let account, let asker, let completion):
      queues.pages.run(
        of: account, for: asker, isOwed: true, in: world,
        { _ in access.used(try store.book.tokensInUse(account)) }, completion)
    case .find(let reference, let account, let completion):
      queues.reads.complete(completion, in: world) {
        try store.confirmed(or: .unknownToken) {
          let accounts = if let account { [account] } else { try store.book.accounts().map(\.id) }
          return try accounts.flatMap(store.book.tokensInUse)
            .named(reference, .tokens, by: \.id) { $0.name == reference }
        }
      }
    case .add(let asked, let account, let caller, let completion):
      queues.state(of: account, for: .patient, in: store, world) { state in
        queues.access.complete(of: account, completion, in: world) {
          let roster = try state.get().state.roster
          if let goal = asked.goal, roster.listed(goal) == nil {
            throw Failure.unknownTokenGoal(goal)
          }
          let token = Token(random: world.random)
          let record = TokenRecord(
            id: world.makeID(), account: account, name: asked.name.text, scope: asked.scope,
            goal: asked.goal, secret: token.secret, createdAt: world.now(),
            expiresAt: asked.expiresAt)
          guard try store.book.addToken(record, caller?.authority) else {
            throw Failure.tooManyTokens
          }
          return NewToken(record: record, token: token)
        }
      }
    case .revoke(let token, let account, let caller, let completion):
      queues.access.complete(of: account, completion, in: world) {
        guard try store.book.revokeToken(token, account, caller?.authority) else {
          throw Failure.unknownToken
        }
        authenticator.end(.token(token))
      }
    }
  }
}
