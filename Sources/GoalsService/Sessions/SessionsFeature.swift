import GoalsCore
import GoalsStore

/// Opening and closing the sessions of browsers.
package enum SessionsUseCase: Sendable {
  /// Begins a session in place of a token. Where the token has as many as it may, the one that was
  /// renewed longest ago ends.
  case begin(TokenRecord, Completion<SessionKey>)
  /// Ends the session with this SHA-256 of its key, if there is one, for a caller of this account;
  /// nil where there is nothing to end.
  case end([UInt8]?, by: Account.ID, Completion<Void>)
}

func sessionsFeature(_ access: Access, _ queues: Queues) -> Feature<SessionsUseCase> {
  let (store, world, authenticator) = (access.store, access.world, access.authenticator)
  return { useCase in
    switch useCase {
    case .begin(let token, let completion):
      queues.access.complete(of: token.account, completion, in: world) {
        let key = SessionKey(random: world.random)
        let now = world.now()
        let ended = try store.book.addSession(
          SessionRecord(secret: key.secret, token: token.id, createdAt: now, renewedAt: now))
        for secret in ended { authenticator.end(.session(secret)) }
        return key
      }
    case .end(nil, _, let completion): completion(.success(()))
    case .end(let secret?, let account, let completion):
      queues.access.complete(of: account, completion, in: world) {
        if try store.book.endSession(secret) { authenticator.end(.session(secret)) }
      }
    }
  }
}
