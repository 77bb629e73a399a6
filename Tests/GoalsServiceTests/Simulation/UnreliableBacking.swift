import GoalsCore
import Synchronization

@testable import GoalsStore
@testable import StoreTestSupport

/// A store's data in memory that fail to be written when they are told to.
final class UnreliableBacking: Backing, Recorder {
  private let data: MemoryBacking
  private let failure = Mutex<StoreError?>(nil)

  /// - Parameter content: what is there from the start.
  init(_ content: MemoryBacking.Data = .init()) { data = MemoryBacking(content) }

  /// The data as they are, which an earlier state can be brought back from.
  var content: MemoryBacking.Data { data.content }

  /// Has the next edits fail.
  func failOnce(with error: StoreError?) { failure.withLock { $0 = error } }

  func persist(
    _ writes: [Write], on books: [Account.ID: BookHead], isWaiting: Bool
  ) throws -> Persisted {
    if let error = failure.withLock({ $0.take() }) { throw error }
    return try data.persist(writes, on: books, isWaiting: isWaiting)
  }

  func write<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result {
    try data.write(body)
  }

  func writersView() throws -> any StoreReader { try data.writersView() }

  func read<Result>(
    _ length: ReadLength, _ body: (any StoreReader) throws -> Result
  ) throws -> Result {
    try data.read(length, body)
  }

  func reopen() throws {}
  func close() {}
  var sizes: StoreGauges { StoreGauges() }
}
