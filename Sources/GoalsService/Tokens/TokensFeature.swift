import GoalsCore
import GoalsStore

/// Managing the tokens of an account.
package enum TokensUseCase: Sendable {
  /// The token that a caller shows, or opened the session with.
  case read(of: Caller, Completion<TokenRecord>)
  /// Those that are not revoked, oldest first, with when each was last used.
  case list(of: Account.ID, Completion<[TokenRecord]>)
  /// Asked for by a client of the account, or by an operator where no caller is named.
  case add(AskedToken, to: Account.ID, by: Caller?, Completion<NewToken>)
  /// The one of an id, or of a name that only one has, of the tokens that are not revoked: those of
  /// an account, or of all where none is named.
  case find(String, of: Account.ID?, Completion<TokenRecord>)
  /// At once and for good: by a client, of its own account; by an operator, of any, where no caller
  /// is named.
  case revoke(TokenRecord.ID, by: Caller?, Completion<Void>)
}

/// A token that was made, with its text, which is told this once.
package struct NewToken: Sendable {
  let record: TokenRecord
  let token: Token
}

func tokensFeature(_ access: Access, _ queues: Queues) -> Feature<TokensUseCase> {
  let (store, world, authenticator) = (access.store, access.world, access.authenticator)
  // Revoked on the way here, a caller must not leave another token behind.
  let admits = { @Sendable (caller: Caller?) throws(StoreError) -> Bool in
    if let caller { try authenticator.admits(caller) } else { true }
  }
  return { useCase in
    switch useCase {
    case .read(let caller, let completion): completion(.success(caller.token))
    case .list(let account, let completion):
      queues.reads.complete(completion, in: world) { () throws(StoreError) in
        .success(try access.tokens(of: account).filter { $0.revokedAt == nil })
      }
    case .find(let reference, let account, let completion):
      queues.reads.complete(completion, in: world) { () throws(StoreError) in
        var tokens: [TokenRecord] = []
        let accounts = if let account { [account] } else { try store.book.accounts().map(\.id) }
        for account in accounts {
          tokens += try store.book.tokens(account).filter { $0.revokedAt == nil }
        }
        return token(reference, among: tokens)
      }
    case .add(let asked, let account, let caller, let completion):
      queues.access.complete(completion, in: world) { () throws(StoreError) in
        guard try admits(caller), let published = try store.state(account) else {
          return .failure(.unknownAccount)
        }
        if let goal = asked.goal, published.state.roster.listed(goal) == nil {
          return .failure(.unknownTokenGoal(goal))
        }
        let token = Token(random: world.random)
        let record = TokenRecord(
          id: world.makeID(), account: account, name: asked.name.text, scope: asked.scope,
          goal: asked.goal, secret: token.secret, createdAt: world.now(),
          expiresAt: asked.expiresAt)
        return try store.book.addToken(record)
          ? .success(NewToken(record: record, token: token)) : .failure(.tooManyTokens)
      }
    case .revoke(let token, let caller, let completion):
      queues.access.complete(completion, in: world) { () throws(StoreError) in
        guard try admits(caller) else { return .failure(.unknownAccount) }
        guard try store.book.revokeToken(token, caller?.account) else {
          return .failure(.unknownToken)
        }
        authenticator.end(.token(token))
        return .success(())
      }
    }
  }
}

/// The token of an id, or of a name that only one has.
private func token(
  _ reference: String, among tokens: [TokenRecord]
) -> Result<TokenRecord, Failure> {
  if let id = TokenRecord.ID(reference), let token = tokens.first(where: { $0.id == id }) {
    return .success(token)
  }
  let named = tokens.filter { $0.name == reference }
  guard named.count < 2 else { return .failure(.ambiguousToken(named.map(\.id))) }
  return named.first.orFailure(.unknownToken)
}
