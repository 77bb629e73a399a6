@testable import GoalsStore

extension Store {
  /// A store that forgets everything with the process.
  package static func memory(environment: StoreEnvironment, cacheLimit: Int = cacheLimit) -> Store {
    Store(StoreEngine(MemoryBacking(), environment: environment, cacheLimit: cacheLimit))
  }
}
