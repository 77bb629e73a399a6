import GoalsCore
import GoalsStore

/// The tools of the features that make accounts, tokens and sessions, and of those that follow a
/// caller.
///
/// A change is durable before it is answered. The authenticator is told at once of each token and
/// session that was taken away, and tells everyone else.
package struct Access: Sendable {
  let store: Store
  let world: World
  let authenticator: Authenticator
  /// Sign-up makes no account where there are so many already.
  var maximumAccounts = Int.max

  /// Tokens, with when each was last used.
  func used(_ tokens: [TokenRecord]) -> [TokenRecord] {
    tokens.map { token in
      authenticator.lastUse(of: token.id).map { token.used(at: $0) } ?? token
    }
  }
}
