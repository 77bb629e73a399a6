import Dispatch
import GoalsCore
import Synchronization
import Testing

@testable import GoalsStore
@testable import StoreTestSupport

@Suite("Stores that share a log", .timeLimit(.minutes(5)))
struct SharedLogTests {
  @Test("take edits of one account at once, and lose and double none")
  func together() async throws {
    let backing = MemoryBacking(isLogShared: true)
    let first = try TestStore(.shared)
    let stores = try (0..<3).map { _ in try first.beside(MemoryBacking(beside: backing)).store }
    try await stores[0].addAccountWithGoal()
    let answers = try await onThreads(6) { thread in
      (0..<50).compactMap { place -> Answer? in
        // Each id comes to two stores.
        let id = UInt64(100 + 50 * (thread / 2) + place)
        return stores[(thread + place) % 3].sendAndWait(.of(.bump, from: id))
      }
    }
    try stores[0].expectWhole(.number(1), answers.flatMap(\.self))
    #expect(try stores[0].upkeep.verify() == [])
    for store in stores {
      #expect(try store.state(.number(1))?.state.version == Version(2 + 150))
    }
  }

  @Test("show what another one has just answered")
  func readYourWrites() async throws {
    let backing = MemoryBacking(isLogShared: true)
    let first = try TestStore(.shared)
    let stores = try (0..<2).map { _ in try first.beside(MemoryBacking(beside: backing)).store }
    try await stores[0].addAccountWithGoal()
    for place in 0..<20 {
      _ = try #require(stores[place % 2].sendAndWait(.of(.bump, from: UInt64(10 + place))))
      for store in stores {
        #expect(try store.state(.number(1))?.state.version == Version(3 + place))
        #expect(try store.log.page(.number(1), .none, 100)?.entries.count == 3 + place)
      }
    }
  }

  @Test("find by their ids what was recorded where nobody knew", arguments: [true, false])
  func unknownOutcome(_ isRecorded: Bool) async throws {
    let lossy = LossyBacking()
    let store = try TestStore(.shared).beside(lossy).store
    try await store.addAccountWithGoal()
    lossy.loseNext(afterRecording: isRecorded)
    let answer = try #require(store.sendAndWait(.of(.bump, from: 10)))
    #expect(answer.statuses == [isRecorded ? .duplicate(Version(3)) : .applied(Version(3))])
    #expect(try store.state(.number(1))?.state.version == Version(3))
    #expect(lossy.reopened == 1)
  }

  @Test("take no write while what they stand on can't be reached, and say so")
  func unreachable() async throws {
    let lossy = LossyBacking()
    let store = try TestStore(.shared).beside(lossy).store
    try await store.addAccountWithGoal()
    #expect(store.upkeep.lastWrite()?.isDurable == true)
    lossy.isGone = true
    #expect(store.sendAndWait(.of(.bump, from: 10))?.name == "unavailable")
    #expect(store.upkeep.lastWrite()?.isDurable == false)
    lossy.isGone = false
    #expect(store.sendAndWait(.of(.bump, from: 10))?.statuses == [.applied(Version(3))])
    #expect(store.upkeep.lastWrite()?.isDurable == true)
  }

  @Test("look ids up only where an edit is not to be recorded")
  func lookUps() async throws {
    let backing = MemoryBacking(isLogShared: true)
    let store = try TestStore(.shared).beside(backing).store
    try await store.addAccountWithGoal()
    let before = backing.readByRounds.ids
    #expect(store.sendAndWait(.of(.bump, from: 10))?.statuses == [.applied(Version(3))])
    #expect(backing.readByRounds.ids == before)
    #expect(store.sendAndWait(.of(.activate, from: 11))?.statuses == [.unchanged])
    #expect(backing.readByRounds.ids == before + 1)
    #expect(store.sendAndWait(.of(.bump, from: 10))?.statuses == [.duplicate(Version(3))])
    #expect(backing.readByRounds.ids == before + 2)
  }

  @Test("learn nothing of the disk from rounds that write nothing")
  func unwritten() async throws {
    let (backing, test) = (MemoryBacking(isLogShared: true), try TestStore(.shared))
    let store = try test.beside(MemoryBacking(beside: backing)).store
    try await store.addAccountWithGoal()
    let written = test.clock.now
    test.clock.advance(milliseconds: 4000)
    #expect(store.sendAndWait(.of(.activate, from: 10))?.statuses == [.unchanged])
    #expect(store.upkeep.lastWrite()?.at == written)
    #expect(store.sendAndWait(.of(.bump, from: 11))?.statuses == [.applied(Version(3))])
    #expect(store.upkeep.lastWrite()?.at == test.clock.now)
  }
}

extension Store {
  /// Whether every edit that was said to be applied is in the account's log once, at its version.
  func expectWhole(_ account: Account.ID, _ answers: [Answer]) throws {
    let entries = try #require(try log.page(account, .none, 10_000)).entries
    #expect(entries.map(\.version.number) == entries.indices.map { $0 + 1 })
    let versions = Dictionary(entries.map { ($0.id, $0.version) }) { $1 }
    #expect(versions.count == entries.count)
    for answer in answers {
      for outcome in try #require(answer.ruling).outcomes {
        let id = try #require(outcome.id)
        let version =
          switch outcome.status {
          case .applied(let version), .duplicate(let version): version
          case .unchanged, .rejected, .skipped: Version.none
          }
        #expect(versions[id] == version)
      }
    }
  }
}

@Suite("Two lanes of a store", .timeLimit(.minutes(5)))
struct LaneTests {
  @Test("go on with other accounts while one is held up, and lose and double nothing")
  func heldUp() async throws {
    let backing = TwoLanes()
    let store = try TestStore(.shared).beside(backing).store
    for account in UInt64(1)...3 { try await store.addAccountWithGoal(account) }
    backing.hold(.number(1))
    let answers = Collected<String>()
    for id in UInt64(1)...3 {
      store.change(.init(account: .number(1), batch: .of(.bump, from: 10 + id))) {
        answer in
        answers.append("\(id): \(answer.statuses)")
      }
    }
    backing.isHeld.wait()
    for account in UInt64(2)...3 {
      #expect(try #require(store.sendAndWait(.of(.bump, from: 10), to: account)).name == "ruled")
    }
    #expect(answers.all == [])
    #expect(store.upkeep.gauges().rounds == 1)
    backing.goOn.signal()
    while answers.all.count < 3 { store.updated.network.settle() }
    #expect(answers.all.map { $0.prefix(2) } == ["1:", "2:", "3:"])
    #expect(try store.log.page(.number(1), .none, 10)?.entries.count == 5)
    #expect(try store.upkeep.verify() == [])
  }

  @Test("leave a round alone until it has had its time, and begin one beside it then")
  func gathering() async throws {
    let backing = TwoLanes()
    let timers = Collected<@Sendable () -> Void>()
    let environment = StoreEnvironment(
      now: { .at("2026-11-20T12:00:00Z") }, zone: testZone,
      later: { _, queue, body in timers.append { queue.async(execute: body) } }, track: { _ in })
    let store = Store(
      StoreEngine(backing, environment: environment, cacheLimit: Store.cacheLimit))
    for account in UInt64(1)...3 { try await store.addAccountWithGoal(account) }
    backing.hold(.number(1))
    let answers = Collected<Account.ID>()
    for account in UInt64(1)...3 {
      store.change(.init(account: .number(account), batch: .of(.bump, from: 10 + account))) { _ in
        answers.append(.number(account))
      }
      if account == 1 { backing.isHeld.wait() }
    }
    store.updated.network.settle()
    #expect(timers.all.count == 1)
    #expect(answers.all == [])
    timers.all[0]()
    while answers.all.count < 2 { store.updated.network.settle() }
    #expect(Set(answers.all) == [.number(2), .number(3)])
    backing.goOn.signal()
    while answers.all.count < 3 { store.updated.network.settle() }
    store.destroy()
  }

  @Test("finish what is on its way before the store is closed, and refuse the rest")
  func closing() async throws {
    let backing = TwoLanes()
    let store = try TestStore(.shared).beside(backing).store
    try await store.addAccountWithGoal()
    backing.hold(.number(1))
    let answers = Collected<Bool>()
    for id in UInt64(1)...2 {
      store.change(.init(account: .number(1), batch: .of(.bump, from: 10 + id))) {
        answers.append($0.name == "ruled")
      }
      if id == 1 { backing.isHeld.wait() }
    }
    let isClosed = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      store.destroy()
      isClosed.signal()
    }
    // Once it refuses what is new, only what has begun is left.
    while store.sendAndWait(.of(.addGoal, from: 9), to: 2)?.name != "unavailable" {}
    backing.goOn.signal()
    isClosed.wait()
    #expect(answers.all.sorted { $0 && !$1 } == [true, false])
  }
}

/// The data of a shared log behind two lanes, of which one can be held up.
private final class TwoLanes: Backing {
  private final class Lane: Recorder {
    let queue: DispatchQueue? = DispatchQueue(label: "lane")
    private let data: MemoryBacking
    private let before: @Sendable ([Write]) -> Void

    init(_ data: MemoryBacking, before: @escaping @Sendable ([Write]) -> Void) {
      self.data = data
      self.before = before
    }

    func writersView() throws -> any StoreReader { try data.writersView() }
    func persist(_ writes: [Write], on books: [Account.ID: BookHead]) throws -> Persisted {
      before(writes)
      return try data.persist(writes, on: books)
    }
    func reopen() {}
  }

  private let data = MemoryBacking(isLogShared: true)
  let recorders: [any Recorder]
  let isHeld = DispatchSemaphore(value: 0)
  let goOn = DispatchSemaphore(value: 0)

  private let held: Holder

  private final class Holder: Sendable {
    let account = Mutex<Account.ID?>(nil)
  }

  init() {
    let held = Holder()
    self.held = held
    let before = { @Sendable [isHeld, goOn] (writes: [Write]) in
      let isIt = held.account.withLock { account in
        guard let waited = account, writes.contains(where: { $0.account == waited }) else {
          return false
        }
        account = nil
        return true
      }
      guard isIt else { return }
      isHeld.signal()
      goOn.wait()
    }
    recorders = (0..<2).map { [data] _ in Lane(data, before: before) }
  }

  /// Holds the next round with an account up, until it is told to go on.
  func hold(_ account: Account.ID) { held.account.withLock { $0 = account } }

  func read<Result>(
    _ length: ReadLength, _ body: (any StoreReader) throws -> Result
  ) throws -> Result { try data.read(length, body) }
  func write<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result {
    try data.write(body)
  }
  func close() {}
  var sizes: StoreGauges { data.sizes }
  var isLogShared: Bool { true }
  func heads(of accounts: [Account.ID]) throws -> [Account.ID: Head] {
    try data.heads(of: accounts)
  }
}

/// The data of a shared log that lose an answer when they are told to.
private final class LossyBacking: Backing, Recorder {
  private enum Loss {
    case ofAnswer, ofRound
  }

  private let data = MemoryBacking(isLogShared: true)
  private let state = Mutex<(loss: Loss?, reopened: Int)>((nil, 0))
  private let gone = Atomic(false)

  /// Whether nothing can be read for a round.
  var isGone: Bool {
    get { gone.load(ordering: .acquiring) }
    set { gone.store(newValue, ordering: .releasing) }
  }

  var reopened: Int { state.withLock { $0.reopened } }

  func loseNext(afterRecording: Bool) {
    state.withLock { $0.loss = afterRecording ? .ofAnswer : .ofRound }
  }

  func persist(_ writes: [Write], on books: [Account.ID: BookHead]) throws -> Persisted {
    switch state.withLock({ $0.loss.take() }) {
    case nil: return try data.persist(writes, on: books)
    case .ofAnswer: _ = try data.persist(writes, on: books)
    case .ofRound: break
    }
    throw StoreError.unknown("the connection was lost")
  }

  func writersView() throws -> any StoreReader {
    if isGone { throw StoreError.inputOutput("no server answers") }
    return try data.writersView()
  }
  func read<Result>(
    _ length: ReadLength, _ body: (any StoreReader) throws -> Result
  ) throws -> Result { try data.read(length, body) }
  func write<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result {
    try data.write(body)
  }
  func reopen() throws { state.withLock { $0.reopened += 1 } }
  func close() {}
  var sizes: StoreGauges { data.sizes }
  var isLogShared: Bool { true }
  func heads(of accounts: [Account.ID]) throws -> [Account.ID: Head] {
    try data.heads(of: accounts)
  }
}
