import GoalsCore
import GoalsStore

/// Lists, makes and revokes the tokens of an account.
func tokensFeature(_ access: Access, _ queues: Queues) -> Feature<TokensUseCase> {
  { useCase, reply in
    switch useCase {
    case .list(let account):
      queues.read(access.world, reply) { () throws(StoreError) in
        .tokens(try access.tokens(of: account))
      }
    case .add(let asked, let caller):
      queues.changeAccess(access.world, reply) { () throws(StoreError) in
        // Revoked on the way here, it must not leave another behind.
        guard try access.authenticator.admits(caller) else { return .failed(.unknownAccount) }
        return switch try access.addToken(asked, to: caller.account) {
        case .added(let record, let token): .addedToken(record, token)
        case .unknownAccount: .failed(.unknownAccount)
        case .unknownGoal(let goal): .failed(.unknownTokenGoal(goal))
        case .full: .failed(.tooManyTokens)
        }
      }
    case .revoke(let token, let caller):
      queues.changeAccess(access.world, reply) { () throws(StoreError) in
        guard try access.authenticator.admits(caller) else { return .failed(.unknownAccount) }
        return try access.revokeToken(token, of: caller.account)
          ? .revokedToken : .failed(.unknownToken)
      }
    }
  }
}
