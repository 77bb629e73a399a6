import GoalsCore
import GoalsStore

/// What the features that make accounts, tokens and sessions work with, and those that follow a
/// caller.
///
/// What they change is durable once it is answered. The authenticator is told at once of what opens
/// nothing any more, and tells everyone else.
package struct Access: Sendable {
  let store: Store
  let world: World
  let authenticator: Authenticator
  /// How many accounts there may be for another to be made by sign-up.
  let maximumAccounts: Int

  package init(
    store: Store, world: World, authenticator: Authenticator, maximumAccounts: Int = .max
  ) {
    self.store = store
    self.world = world
    self.authenticator = authenticator
    self.maximumAccounts = maximumAccounts
  }
}
