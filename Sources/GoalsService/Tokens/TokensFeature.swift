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
  /// A link whose code makes the token.
  case link(AskedToken, to: Account.ID, by: Caller?, Completion<NewLink>)
  /// The token of a link, by its code; called as the link says where no name is given.
  case use(LinkCode, as: Title?, Completion<NewToken>)
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

/// A link that was made, with its code, which is told this once.
package struct NewLink: Sendable {
  let record: LinkRecord
  let code: LinkCode
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
      asked.checked(in: account, store, world, queues, completion) {
        let token = Token(random: world.random)
        let record = TokenRecord(
          id: world.makeID(), account: account, name: asked.name.text, scope: asked.scope,
          goal: asked.goal, secret: token.secret, createdAt: world.now(),
          expiresAt: asked.expiry(by: caller), madeBy: caller?.token.id)
        guard try store.book.addToken(record, caller?.authority) else {
          throw Failure.tooManyTokens
        }
        world.track(.tokenMade(record.id, of: account, by: record.madeBy))
        return NewToken(record: record, token: token)
      }
    case .link(let asked, let account, let caller, let completion):
      asked.checked(in: account, store, world, queues, completion) {
        let (code, now) = (LinkCode(random: world.random), world.now())
        let record = LinkRecord(asked, code, of: account, by: caller, at: now)
        guard try store.book.addLink(record, now, caller?.authority) else {
          throw Failure.tooManyLinks
        }
        return NewLink(record: record, code: code)
      }
    case .use(let code, let name, let completion):
      access.after(queues, { try access.account(of: code) }, completion) {
        try access.use(code, as: name)
      }
    case .revoke(let token, let account, let caller, let completion):
      queues.access.complete(of: account, completion, in: world) {
        let revoked = try store.book.revokeToken(token, account, caller?.authority)
        guard !revoked.isEmpty else { throw Failure.unknownToken }
        for token in revoked {
          authenticator.end(.token(token))
          world.track(.tokenRevoked(token, of: account, by: caller?.token.id))
        }
      }
    }
  }
}

extension LinkRecord {
  /// It ends no later than the token of the caller, nor than the one that it makes.
  fileprivate init(
    _ asked: AskedToken, _ code: LinkCode, of account: Account.ID, by caller: Caller?,
    at now: Instant
  ) {
    let expiry = asked.expiry(by: caller)
    let end = now.adding(milliseconds: LinkCode.lifetime)
    self.init(
      secret: code.secret, account: account, name: asked.name.text, scope: asked.scope,
      goal: asked.goal, tokenExpiresAt: expiry, madeBy: caller?.token.id,
      endsAt: expiry.map { min($0, end) } ?? end)
  }
}

extension AskedToken {
  /// When it expires: what a token makes expires no later than it.
  fileprivate func expiry(by caller: Caller?) -> Instant? {
    [expiresAt, caller?.token.expiresAt].compactMap { $0 }.min()
  }

  /// Completes a use case with the result of `work`, in the account's turn, where the account has
  /// the goal that is asked for.
  fileprivate func checked<Value: Sendable>(
    in account: Account.ID, _ store: Store, _ world: World, _ queues: Queues,
    _ completion: @escaping Completion<Value>, _ work: @escaping @Sendable () throws -> Value
  ) {
    queues.state(of: account, for: .patient, in: store, world) { state in
      queues.access.complete(of: account, completion, in: world) {
        let roster = try state.get().state.roster
        if let goal, roster.listed(goal) == nil { throw Failure.unknownTokenGoal(goal) }
        return try work()
      }
    }
  }
}
