import GoalsCore

@testable import GoalsStore

extension Store {
  /// A store that forgets everything with the process.
  package static func memory(environment: StoreEnvironment, cacheLimit: Int = cacheLimit) -> Store {
    memory(MemoryBacking(), environment: environment, cacheLimit: cacheLimit)
  }

  /// A store over these data.
  static func memory(
    _ backing: MemoryBacking, environment: StoreEnvironment, cacheLimit: Int = cacheLimit
  ) -> Store {
    Store(StoreEngine(backing, environment: environment, cacheLimit: cacheLimit))
  }
}

extension Store.Book {
  /// Adds an account, with a token if one is given, and without a link.
  package func addAccount(
    _ account: AccountRecord, _ token: TokenRecord? = nil
  ) throws(StoreError) {
    try addAccount(account, token, nil)
  }

  /// Revokes a token as an operator does. False where the account has no such token that is not
  /// revoked.
  package func revokeToken(
    _ token: TokenRecord.ID, of account: Account.ID
  ) throws(StoreError) -> Bool {
    try !revokeToken(token, account, nil).isEmpty
  }
}
