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
