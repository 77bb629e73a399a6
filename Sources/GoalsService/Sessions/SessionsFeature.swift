import GoalsCore
import GoalsStore

/// Opening and closing the sessions of browsers.
package enum SessionsUseCase: Sendable {
  /// Begins a session in place of a token. Where the token has as many as it may, the one that was
  /// renewed longest ago ends; so does the one that the browser had until now, by the SHA-256 of
  /// its key.
  case begin(SignIn, replacing: [UInt8]?, Completion<SessionKey>)
  /// Ends the session with this SHA-256 of its key, if there is one, for a caller of this account;
  /// nil where there is nothing to end.
  case end([UInt8]?, by: Account.ID, Completion<Void>)
}

/// By what a session is begun.
package enum SignIn: Sendable {
  /// A token that was let in.
  case token(TokenRecord)
  /// A token that is still to be looked at.
  case shown(Token)
  /// A link's code, which makes a token.
  case code(LinkCode)
}

func sessionsFeature(_ access: Access, _ queues: Queues) -> Feature<SessionsUseCase> {
  let (store, world, authenticator) = (access.store, access.world, access.authenticator)
  return { useCase in
    switch useCase {
    case .begin(let signIn, let replaced, let completion):
      let begin = { @Sendable in
        let key = SessionKey(random: world.random)
        let token = try access.begin(key, by: signIn)
        world.track(.sessionBegun(of: token.account, by: token.id))
        if let replaced, try store.book.endSession(replaced) {
          authenticator.end(.session(replaced))
        }
        return key
      }
      guard case .token(let token) = signIn else {
        return access.after(queues, { try access.account(of: signIn) }, completion, begin)
      }
      queues.access.complete(of: token.account, completion, in: world, begin)
    case .end(nil, _, let completion): completion(.success(()))
    case .end(let secret?, let account, let completion):
      queues.access.complete(of: account, completion, in: world) {
        if try store.book.endSession(secret) { authenticator.end(.session(secret)) }
      }
    }
  }
}

extension Access {
  fileprivate func account(of signIn: SignIn) throws -> Account.ID {
    switch signIn {
    case .token(let token): return token.account
    case .code(let code): return try account(of: code)
    case .shown(let token):
      return try authenticator.caller(.token(token)).or(.wrongCredential).account
    }
  }

  /// Adds the session of a key, and answers its token.
  fileprivate func begin(_ key: SessionKey, by signIn: SignIn) throws -> TokenRecord {
    let now = world.now()
    let session = { (token: TokenRecord) in
      SessionRecord(secret: key.secret, token: token.id, createdAt: now, renewedAt: now)
    }
    let token: TokenRecord
    switch signIn {
    case .code(let code): return try use(code, as: nil, beginning: session).record
    case .shown(let shown):
      token = try authenticator.caller(.token(shown)).or(.wrongCredential).token
      guard token.scope != .bump else { throw Failure.insufficientScope(.read) }
    case .token(let known): token = known
    }
    for secret in try store.book.addSession(session(token)) {
      authenticator.end(.session(secret))
    }
    return token
  }
}
