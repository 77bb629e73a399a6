import ChangePropagation
import Dispatch
import GoalsCore
import Synchronization

/// The one writer: collects what waits, has it decided, and performs the decisions.
///
/// `@unchecked Sendable` because `writer`, `round`, `revocations` and `backing` are touched on
/// the network's queue only; what comes from elsewhere waits in the backlog.
final class StoreEngine: @unchecked Sendable {
  let cache: StateCache
  let commits: Changes<Commit>
  private let network: Network
  let backing: any Backing
  let environment: StoreEnvironment

  private var writer: Writer
  /// How long the last transaction took to be durable, or why it is not.
  private var persisted: Result<Duration, StoreError> = .success(.zero)
  /// The round that is decided, by tickets; nil for what was answered.
  private var round: [Waitlist.Change?] = []
  private(set) var revocations = Revocations()
  /// Where the books of the round's accounts stood, of a log that is shared.
  private var books: [Account.ID: BookHead] = [:]

  private let backlog = Mutex(Backlog())
  /// Where states are read that a change needs and that are not in memory.
  private let loads = (0..<2).map { DispatchQueue(label: "GoalsStore.loads-\($0)") }
  private let lastOutcome = Mutex<WriteOutcome?>(nil)

  init(_ backing: any Backing, environment: StoreEnvironment, cacheLimit: Int) {
    self.backing = backing
    self.environment = environment
    writer = Writer(isLogShared: backing.isLogShared)
    cache = StateCache(limit: cacheLimit)
    network = Network(queue: DispatchQueue(label: "GoalsStore.writer"))
    commits = Changes(on: network)
  }

  // MARK: Changing

  func submit(_ change: Store.Change, answer: @escaping @Sendable (Answer) -> Void) {
    let waiting = Waitlist.Change(change: change, answer: answer)
    let isRead = cache.published(change.account) != nil
    switch backlog.withLock({ $0.add(waiting, isRead: isRead) }) {
    case .nothing: break
    case .read: readState(of: change.account)
    case .wake: network.async { self.takeBatch() }
    case .refuse: answer(.unavailable)
    }
  }

  /// Reads a state that changes wait for beside the writer, because that takes the time of the
  /// account's past. The writer reads it itself where it can't be read, or did not stay in memory.
  private func readState(of account: Account.ID) {
    loads[Int(truncatingIfNeeded: account.low & 1)].async {
      // Where others' states were let go meanwhile, it is not kept the first time.
      for _ in 0..<2 where self.cache.published(account) == nil {
        _ = try? self.state(of: account)
      }
      if case .wake = self.backlog.withLock({ $0.release(account) }) {
        self.network.async { self.takeBatch() }
      }
    }
  }

  /// Decides what waits, and comes back if more has come meanwhile.
  private func takeBatch() {
    let (taken, isMore) = backlog.withLock { $0.takeBatch() }
    decideRound(of: revocations.isEmpty ? taken : taken.filter(isAdmitted))
    if isMore { network.async { self.takeBatch() } }
  }

  /// Whether the token by which a change came still stands; refuses it otherwise.
  private func isAdmitted(_ waiting: Waitlist.Change) -> Bool {
    guard revocations.include(waiting.change.token) else { return true }
    waiting.answer(.refused)
    return false
  }

  private func decideRound(of round: [Waitlist.Change]) {
    guard !round.isEmpty else { return }
    var accounts: [Account.ID: Account] = [:]
    var requests: [Submission] = []
    var namedIDs: [Account.ID: [Edit.ID]] = [:]
    var zones = Zones()
    namedIDs.reserveCapacity(round.count)
    for waiting in round {
      waiting.change.batch.addIDs(toLookUp: &namedIDs[waiting.change.account, default: []])
      waiting.change.batch.addZones(to: &zones, by: environment.zone)
    }
    books = [:]
    var failed: [Account.ID: Answer] = [:]
    let fail = { (id: Account.ID, error: StoreError) in
      self.environment.track(.failed(error))
      failed[id] = error.passes ? .unavailable : .failed
    }
    accounts.reserveCapacity(namedIDs.count)
    do throws(StoreError) {
      try inStore {
        let view = try backing.writersView()
        try view.consistently {
          try view.foresee(namedIDs)
          for (id, ids) in namedIDs {
            do throws(StoreError) {
              let account = try inStore { try self.account(id, naming: ids, in: view) }
              account?.addZones(to: &zones, by: environment.zone)
              accounts[id] = account
            } catch {
              fail(id, error)
            }
          }
        }
      }
    } catch {
      for id in namedIDs.keys { fail(id, error) }
    }
    self.round = round
    requests.reserveCapacity(round.count)
    for (ticket, waiting) in round.enumerated() {
      let account = waiting.change.account
      if let answer = failed[account] ?? refusal(of: waiting.change) {
        self.round[ticket] = nil
        waiting.answer(answer)
        continue
      }
      requests.append(
        Submission(ticket: ticket, account: account, batch: waiting.change.batch))
    }
    var event: Event? = .arrived(
      requests, accounts: accounts, now: environment.now(), zones: zones,
      maximumGoals: environment.maximumGoals, maximumLogBytes: environment.maximumLogBytes)
    while let next = event {
      event = nil
      for decision in decide(next, &writer) { event = perform(decision) ?? event }
    }
  }

  /// Refuses a change whose token was revoked, by whichever store, before its account was read.
  private func refusal(of change: Store.Change) -> Answer? {
    guard let token = change.token, let book = books[change.account] else { return nil }
    return book.revoked.contains(token) ? .refused : nil
  }

  private func account(
    _ id: Account.ID, naming ids: [Edit.ID], in view: any StoreReader
  ) throws -> Account? {
    let published: Published
    // One that was let go while it was written has lost its book.
    if let known = cache.published(id), !isLogShared || known.book != nil {
      published = known
    } else if let snapshot = try view.snapshot(of: id) {
      published = Published(snapshot)
      cache.install(published, id)
    } else {
      return nil
    }
    books[id] = published.book
    return Account(
      state: published.state, chain: published.chain, logBytes: published.logBytes,
      recorded: try view.recorded(ids, in: id))
  }

  /// Performs one decision, and says what came of it where the writer has to know.
  private func perform(_ decision: Decision) -> Event? {
    switch decision {
    case .persist(let writes):
      do throws(StoreError) {
        let begun = environment.uptime()
        let result = try inStore { try backing.persist(writes, on: books) }
        persisted = .success(environment.uptime() - begun)
        learn(isDurable: true)
        return .committed(result.seals, overtaken: result.overtaken)
      } catch {
        learn(from: error)
        persisted = .failure(error)
        return .commitFailed(CommitFailure(error))
      }
    case .install(let account, let state, let last):
      cache.install(Published(state, last, after: cache.published(account)), account)
    case .answer(let ticket, let answer):
      let waiting = round[ticket]
      round[ticket] = nil
      waiting?.answer(answer)
    case .decideAgain(let requests):
      decideAgain(requests)
    case .announce(let commit):
      commits.announce(commit)
    case .track(let tracked):
      environment.track(.writer(tracked))
      switch (tracked, persisted) {
      case (.committed(_, let edits), .success(let duration)):
        environment.track(.persisted(edits: edits, duration))
      case (.commitFailed(_, let requests), .failure(let error)):
        environment.track(.unrecorded(requests: requests, error))
      case (.committed, .failure), (.commitFailed, .success): break
      }
    case .reopen:
      do throws(StoreError) {
        try inStore(backing.reopen)
        environment.track(.reopened)
      } catch {
        environment.track(.failed(error))
      }
    }
    return nil
  }

  /// How long a change may be overtaken again and again.
  private static let patience = Duration.seconds(3)

  /// Brings requests in again, before all others, and gives up those that were overtaken too long.
  private func decideAgain(_ requests: [Submission]) {
    let now = environment.uptime()
    var again: [Waitlist.Change] = []
    for request in requests {
      cache.remove(request.account)
      guard var waiting = round[request.ticket] else { continue }
      round[request.ticket] = nil
      let since = waiting.overtakenSince ?? now
      waiting.overtakenSince = since
      if now - since < Self.patience { again.append(waiting) } else { waiting.answer(.unavailable) }
    }
    if backlog.withLock({ $0.putBack(again) }) { network.async { self.takeBatch() } }
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
    (gauges.cached, gauges.cacheBytes) = cache.size
    gauges.accounts = try? accountGauges()
    return gauges
  }

  // MARK: Administration

  /// Runs `body` on the writer's queue, between transactions. The caller tells of what failed.
  func administer<Value>(_ body: (any Backing) throws -> Value) throws(StoreError) -> Value {
    try betweenBatches { backing in
      do throws(StoreError) {
        return try inStore { try body(backing) }
      } catch {
        learn(from: error)
        if case .inputOutput = error { _ = perform(.reopen) }
        throw error
      }
    }
  }

  func revoke(_ token: TokenRecord.ID, of account: Account.ID?) throws(StoreError) -> Bool {
    let now = environment.now()
    return try administer { backing in
      let isRevoked = try backing.write { try $0.revoke(token, of: account, at: now) }
      if isRevoked { revocations.add(token, at: environment.uptime()) }
      return isRevoked
    }
  }

  func probe() throws(StoreError) {
    let now = environment.now()
    try write { try $0.probe(at: now) }
    learn(isDurable: true)
    environment.track(.probed)
  }

  var lastWrite: WriteOutcome? { lastOutcome.withLock { $0 } }

  private func learn(isDurable: Bool) {
    let outcome = WriteOutcome(isDurable: isDurable, at: environment.now())
    lastOutcome.withLock { $0 = outcome }
  }

  /// A write that broke a rule says nothing about the disk.
  private func learn(from error: StoreError) {
    switch error {
    case .full, .inputOutput, .corrupt, .closed, .unknown: learn(isDurable: false)
    case .other: break
    }
  }

  /// Runs `body` on the writer's queue, between transactions.
  func betweenBatches<Value>(
    _ body: (any Backing) throws -> Value
  ) throws(StoreError) -> Value {
    try inStore {
      try network.sync {
        guard !backlog.withLock({ $0.isClosed }) else { throw StoreError.closed }
        return try body(backing)
      }
    }
  }

  /// Takes nothing more, finishes the batch it is in, refuses what waits, then closes.
  ///
  /// Deciding all that waits could take minutes, and whoever waits longer than a stopping server
  /// does has lost the connection by which the answer would go.
  func close() {
    // Before the writer's queue is entered: nothing that is queued there finds anything.
    let (wasClosed, waiting) = backlog.withLock { $0.close() }
    network.sync {
      for change in waiting { change.answer(.unavailable) }
      if !wasClosed { backing.close() }
    }
  }
}
