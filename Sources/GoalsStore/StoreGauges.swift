/// How much a store has to do, and to hold, at a moment.
package struct StoreGauges: Hashable, Sendable {
  /// Changes that wait for the writer.
  package var waiting = 0
  /// Accounts whose state is in memory, and about how many bytes those take.
  package var cached = 0
  package var cacheBytes = 0
  /// Bytes of the database, and of the write-ahead log beside it; 0 for a store in memory.
  package var databaseBytes = 0
  package var logBytes = 0

  package init() {}
}
