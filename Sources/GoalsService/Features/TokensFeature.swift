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
    case .add(let asked, let account):
      queues.changeAccess(access.world, reply) { () throws(StoreError) in
        switch try access.addToken(asked, to: account) {
        case .added(let record, let token): .addedToken(record, token)
        case .unknownAccount: .failed(.unknownAccount)
        case .unknownGoal(let goal): .failed(.unknownTokenGoal(goal))
        case .full: .failed(.tooManyTokens)
        }
      }
    case .revoke(let token, let account):
      queues.changeAccess(access.world, reply) { () throws(StoreError) in
        try access.revokeToken(token, of: account) ? .revokedToken : .failed(.unknownToken)
      }
    }
  }
}
