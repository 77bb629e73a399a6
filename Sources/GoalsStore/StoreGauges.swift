/// How much a store has to do, and to hold, at a moment.
package struct StoreGauges: Hashable, Sendable {
  /// Changes that wait for the writer.
  package var waiting = 0
  /// Transactions on their way; nil for a log that is not shared, where there is one at most.
  package var rounds: Int?
  /// How much is allowed by the database's settings that may lose what was committed.
  package var risks = 0
  /// Accounts whose state is in memory, and about how many bytes those take.
  package var cached = 0
  package var cacheBytes = 0
  /// Bytes of the database, and of the write-ahead log beside it; 0 for a store in memory.
  package var databaseBytes = 0
  package var logBytes = 0

  /// Accounts, what their logs take together, and how many of them may take no more.
  package struct Accounts: Hashable, Sendable {
    package let count: Int
    package let logBytes: Int
    package let full: Int
  }

  package init() {}
}
