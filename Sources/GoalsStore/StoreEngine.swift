import ChangePropagation
import Dispatch
import GoalsCore
import Synchronization

/// The one writer: collects what waits, has it decided, and performs the decisions.
///
/// `@unchecked Sendable` because `revocations`, `isWaitingForRound`, `held` and free lanes are
/// touched on the writer's queue only; what comes from elsewhere waits in the backlog.
final class StoreEngine: @unchecked Sendable {
  let cache: StateCache
  let commits: Changes<Commit>
  /// Its queue is the writer's.
  let network: ChangeNetwork
  let backing: any Backing
  let environment: StoreEnvironment
  let backlog = Mutex(Backlog())

  /// One round at a time is on each: `StoreEngine+Rounds.swift`.
  let lanes: [Lane]
  /// Of the rounds on their way.
  let rounds = DispatchGroup()
  /// Whether what waits is looked at again once the present round has had its time.
  var isWaitingForRound = false
  var held = HeldAccounts()
  private(set) var revocations = Revocations()

  /// Where states are read that a batch needs and that are not in memory.
  private let loads = (0..<2).map { DispatchQueue(label: "GoalsStore.loads-\($0)") }
  private let lastOutcome = Mutex<WriteOutcome?>(nil)

  init(_ backing: any Backing, environment: StoreEnvironment, cacheLimit: Int) {
    self.backing = backing
    self.environment = environment
    lanes = backing.recorders.map { Lane($0, isLogShared: backing.isLogShared) }
    cache = StateCache(limit: cacheLimit)
    network = ChangeNetwork(queue: DispatchQueue(label: "GoalsStore.writer"))
    commits = Changes(on: network)
  }

  // MARK: Changing

  func submit(_ sent: Store.SentBatch, answer: @escaping @Sendable (Answer) -> Void) {
    let waiting = WaitingBatch(sent: sent, answer: answer)
    let isRead = cache.published(sent.account) != nil
    perform(backlog.withLock { $0.add(waiting, isRead: isRead) }, for: waiting)
  }

  func perform(_ step: Backlog.Step, for waiting: WaitingBatch) {
    switch step {
    case .nothing: break
    case .read: readState(of: waiting.sent.account)
    case .wake: network.async { self.takeRound() }
    case .refuse: waiting.answer(.unavailable)
    }
  }

  /// Reads a state that batches wait for beside the writer, because that takes the time of the
  /// account's past. The batches hold it, as it may not stay in memory.
  private func readState(of account: Account.ID) {
    loads[Int(truncatingIfNeeded: account.low & 1)].async {
      let read = try? self.state(of: account)
      self.wake(self.backlog.withLock { $0.release(account, with: read) })
    }
  }

  // MARK: Reading

  func read<Result>(
    _ length: ReadLength, _ body: (any StoreReader) throws -> Result
  ) throws(StoreError) -> Result {
    if backlog.withLock({ $0.isClosed }) { throw .closed }
    return try inStore { try backing.read(length, body) }
  }

  var gauges: StoreGauges {
    var gauges = backing.sizes
    gauges.waiting = backlog.withLock { $0.count }
    if isLogShared { gauges.rounds = roundsOnTheirWay }
    (gauges.cached, gauges.cacheBytes) = cache.size
    return gauges
  }

  // MARK: Administration

  /// Runs `body` between transactions. The caller tells of what failed.
  func administer<Value>(_ body: (any Backing) throws -> Value) throws(StoreError) -> Value {
    try betweenRounds { backing in
      do throws(StoreError) {
        return try inStore { try body(backing) }
      } catch {
        learn(from: error)
        if case .inputOutput = error, !isLogShared { reopen(lanes) }
        throw error
      }
    }
  }

  func revoke(
    _ token: TokenRecord.ID, of account: Account.ID, by asker: Authority?
  ) throws(StoreError) -> [TokenRecord.ID] {
    let now = environment.now()
    return try administer { backing in
      var revoked: [TokenRecord.ID] = []
      _ = try takeAway(from: backing) {
        try $0.admit(asker)
        revoked = try $0.revoke(token, andAllMadeWithItOf: account, at: now)
        return !revoked.isEmpty
      }
      network.sync {
        for token in revoked { revocations.add(token, at: environment.uptime()) }
      }
      return revoked
    }
  }

  func probe() throws(StoreError) {
    let now = environment.now()
    try write { try $0.probe(at: now) }
    learn(isDurable: true)
    environment.track(.probed)
  }

  /// Nil, too, if what was written then may no longer be found.
  var lastWrite: WriteOutcome? {
    guard let last = lastOutcome.withLock({ $0 }) else { return nil }
    return last.isDurable && (try? checkPlace()) == nil ? nil : last
  }

  func checkPlace() throws(StoreError) { try inStore(backing.checkPlace) }

  func learn(isDurable: Bool) {
    let outcome = WriteOutcome(isDurable: isDurable, at: environment.now())
    lastOutcome.withLock { $0 = outcome }
  }

  /// A write that broke a rule, or met others, says nothing about the disk.
  func learn(from error: StoreError) {
    switch error {
    case .full, .inputOutput, .corrupt, .closed, .unknown: learn(isDurable: false)
    case .busy, .refused, .other: break
    }
  }

  /// Runs `body` on the writer's queue, between transactions. Of a log that is shared, on the
  /// calling thread: there transactions are apart by themselves.
  func betweenRounds<Value>(
    _ body: (any Backing) throws -> Value
  ) throws(StoreError) -> Value {
    func run() throws -> Value {
      guard !backlog.withLock({ $0.isClosed }) else { throw StoreError.closed }
      return try body(backing)
    }
    return try inStore { try isLogShared ? run() : network.sync(run) }
  }

  /// Takes nothing more, refuses what waits, finishes the rounds on their way, then closes.
  ///
  /// Deciding all that waits could take minutes, and a client that waits longer than a stopping
  /// server does has lost the connection by which the answer would go.
  func close() {
    // Before the writer's queue is entered: nothing that is queued there finds anything.
    let (wasClosed, waiting) = backlog.withLock { $0.close() }
    // A round that was taken is on its way after this.
    network.sync { for one in waiting { one.answer(.unavailable) } }
    rounds.wait()
    if !wasClosed { network.sync { backing.close() } }
  }
}
