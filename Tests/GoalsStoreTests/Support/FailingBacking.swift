import Dispatch
import GoalsCore
import Synchronization

@testable import GoalsStore
@testable import StoreTestSupport

/// A store's data in memory that fail when a test wants them to.
final class FailingBacking: Backing, Recorder {
  private struct Plan {
    /// What the writes to come fail with, one after the other.
    var failures: [StoreError] = []
    /// What opening anew fails with, one after the other.
    var reopenFailures: [StoreError] = []
    /// Every write that holds one of these edits fails.
    var culprits: Set<Edit.ID> = []
    var isReadingBroken = false
    /// Holds up the next long read, which signals first that it has come.
    var gate: Gate?
    var look: @Sendable () -> Void = {}
    var log: [String] = []
  }

  /// One waits until a read has come, and lets it go on.
  typealias Gate = (arrived: DispatchSemaphore, open: DispatchSemaphore)

  private let data = MemoryBacking()
  private let plan = Mutex(Plan())

  /// What the writer did, in order: `persist` with the edits' numbers, `reopen`, `close`.
  var log: [String] { plan.withLock { $0.log } }

  /// How many states rounds have read by themselves.
  var snapshotsOfWriter: Int { data.readByRounds.snapshots }

  func fail(with failures: StoreError...) { plan.withLock { $0.failures = failures } }
  func failReopening(with failures: StoreError...) {
    plan.withLock { $0.reopenFailures = failures }
  }
  func fail(on edits: UInt64...) { plan.withLock { $0.culprits = Set(edits.map { .number($0) }) } }
  /// Looks at what others see between the commit of each write and the moment when the writer
  /// learns of it.
  func afterCommits(_ look: @escaping @Sendable () -> Void) { plan.withLock { $0.look = look } }
  /// Holds up the next long read.
  func holdUpReading() -> Gate {
    let gate = (arrived: DispatchSemaphore(value: 0), open: DispatchSemaphore(value: 0))
    plan.withLock { $0.gate = gate }
    return gate
  }

  func breakReading(_ isBroken: Bool) { plan.withLock { $0.isReadingBroken = isBroken } }

  /// Notes a write, and has it fail where the plan says so.
  private func note(_ what: String, culprit: (Set<Edit.ID>) -> Bool) throws {
    let failure = plan.withLock { plan -> StoreError? in
      plan.log.append(what)
      if !plan.failures.isEmpty { return plan.failures.removeFirst() }
      return culprit(plan.culprits) ? .other("this edit") : nil
    }
    if let failure { throw failure }
  }

  func writersView() throws -> any StoreReader {
    try check()
    return try data.writersView()
  }

  func read<Result>(
    _ length: ReadLength, _ body: (any StoreReader) throws -> Result
  ) throws -> Result {
    try check()
    if length == .long, let gate = plan.withLock({ $0.gate.take() }) {
      gate.arrived.signal()
      gate.open.wait()
    }
    return try data.read(length, body)
  }

  private func check() throws {
    if plan.withLock({ $0.isReadingBroken }) { throw StoreError.inputOutput("reading") }
  }

  func persist(
    _ writes: [Write], on books: [Account.ID: BookHead], isWaiting: Bool
  ) throws -> Persisted {
    let ids = writes.flatMap { $0.edits.map(\.id) }
    try note("persist \(ids.map(\.low))") { culprits in !culprits.isDisjoint(with: ids) }
    let seals = try data.persist(writes, on: books, isWaiting: isWaiting)
    plan.withLock { $0.look }()
    return seals
  }

  func write<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result {
    try note("write") { _ in false }
    return try data.write(body)
  }

  func reopen() throws {
    let failure = plan.withLock { plan -> StoreError? in
      plan.log.append("reopen")
      return plan.reopenFailures.isEmpty ? nil : plan.reopenFailures.removeFirst()
    }
    if let failure { throw failure }
  }

  var sizes: StoreGauges { StoreGauges() }
  func close() { plan.withLock { $0.log.append("close") } }
}

extension Backing {
  /// Adds an account in a transaction of its own.
  func add(_ account: AccountRecord, with token: TokenRecord? = nil) throws {
    try write { data in try data.add(account, with: token) }
  }
}
