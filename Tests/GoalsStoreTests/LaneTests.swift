import Dispatch
import GoalsCore
import Synchronization
import Testing

@testable import GoalsStore
@testable import StoreTestSupport

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
      store.submit(.init(account: .number(1), batch: .of(.bump, from: 10 + id))) {
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

  /// A store whose timers fire when the test has them fire, with three accounts and no round on its
  /// way.
  private func store(
    over backing: TwoLanes, _ timers: Collected<@Sendable () -> Void>
  ) async throws -> Store {
    let environment = StoreEnvironment(
      now: { .at("2026-11-20T12:00:00Z") }, zone: testZone,
      later: { _, queue, body in timers.append { queue.async(execute: body) } }, track: { _ in })
    let store = Store(
      StoreEngine(backing, environment: environment, cacheLimit: Store.cacheLimit))
    for account in UInt64(1)...3 { try await store.addAccountWithGoal(account) }
    // A change that came while the round before it was ending has a timer of its own.
    while store.upkeep.gauges().rounds != 0 { store.updated.network.settle() }
    for timer in timers.takeAll() { timer() }
    store.updated.network.settle()
    return store
  }

  @Test("leave a round alone until it has had its time, and begin one beside it then")
  func gathering() async throws {
    let backing = TwoLanes()
    let timers = Collected<@Sendable () -> Void>()
    let store = try await store(over: backing, timers)
    backing.hold(.number(1))
    let answers = Collected<Account.ID>()
    for account in UInt64(1)...3 {
      store.submit(.init(account: .number(account), batch: .of(.bump, from: 10 + account))) { _ in
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

  @Test("look alone and after a rest for an account whose row another transaction holds")
  func resting() async throws {
    let backing = TwoLanes()
    let timers = Collected<@Sendable () -> Void>()
    let store = try await store(over: backing, timers)
    let before = backing.rounds.all.count
    backing.refuse(.number(2), times: 2)
    let (held, free) = (Collected<[Outcome.Status]>(), Collected<[Outcome.Status]>())
    func bump(_ account: UInt64, _ id: UInt64) {
      store.submit(.init(account: .number(account), batch: .of(.bump, from: id))) {
        (account == 2 ? held : free).append($0.statuses)
      }
    }
    store.updated.network.sync { for account in UInt64(1)...3 { bump(account, 11) } }
    while timers.all.isEmpty { store.updated.network.settle() }
    store.updated.network.sync { for account in UInt64(1)...3 { bump(account, 12) } }
    while free.all.count < 4 { store.updated.network.settle() }
    #expect(held.all == [])
    #expect(store.upkeep.gauges().waiting == 2)
    for timer in timers.all { timer() }
    while held.all.count < 2 { store.updated.network.settle() }
    #expect(held.all == [[.applied(Version(3))], [.applied(Version(4))]])
    bump(2, 13)
    while held.all.count < 3 { store.updated.network.settle() }
    let rounds = backing.rounds.all.dropFirst(before)
    let ofHeld = rounds.filter { $0.accounts.contains(.number(2)) }
    // The second bump has a round of its own where its state is read later than the first one's.
    let after = ofHeld.dropFirst(3).map(\.isWaiting)
    #expect(ofHeld.prefix(3).map(\.isWaiting) == [true, false, false])
    #expect([[true], [true, true]].contains(after))
    #expect(ofHeld.map(\.accounts.count) == [3] + ofHeld.dropFirst().map { _ in 1 })
    store.destroy()
  }

  @Test("hold up no request that has its ids looked up")
  func lookedUp() async throws {
    let backing = TwoLanes()
    let store = try TestStore(.shared).beside(backing).store
    for account in UInt64(1)...2 { try await store.addAccountWithGoal(account) }
    backing.hold(.number(1))
    let answers = Collected<[Outcome.Status]>()
    // Both come to one round.
    store.updated.network.sync {
      for (account, edit) in [(1, .bump), (2, .activate)] as [(UInt64, Edit)] {
        store.submit(.init(account: .number(account), batch: .of(edit, from: 10))) {
          answers.append($0.statuses)
        }
      }
    }
    backing.isHeld.wait()
    while answers.all.isEmpty { store.updated.network.settle() }
    #expect(answers.all == [[.unchanged]])
    backing.goOn.signal()
    while answers.all.count < 2 { store.updated.network.settle() }
    #expect(answers.all.last == [.applied(Version(3))])
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
      store.submit(.init(account: .number(1), batch: .of(.bump, from: 10 + id))) {
        answers.append($0.name == "ruled")
      }
      if id == 1 { backing.isHeld.wait() }
    }
    let isClosed = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      store.destroy()
      isClosed.signal()
    }
    // Once the store refuses new changes, only those that have begun are left.
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
    /// Answers with the accounts that are held.
    private let before: @Sendable ([Write], _ isWaiting: Bool) -> Set<Account.ID>

    init(
      _ data: MemoryBacking, before: @escaping @Sendable ([Write], Bool) -> Set<Account.ID>
    ) {
      self.data = data
      self.before = before
    }

    func writersView() throws -> any StoreReader { try data.writersView() }

    func persist(
      _ writes: [Write], on books: [Account.ID: BookHead], isWaiting: Bool
    ) throws -> Persisted {
      let held = before(writes, isWaiting)
      var persisted = try data.persist(
        writes.filter { !held.contains($0.account) }, on: books, isWaiting: isWaiting)
      persisted.overtaken.formUnion(held)
      persisted.held = held
      return persisted
    }
    func reopen() {}
  }

  private let data = MemoryBacking(isLogShared: true)
  let recorders: [any Recorder]
  /// The accounts of each round, and whether it waits for rows.
  let rounds = Collected<(accounts: [Account.ID], isWaiting: Bool)>()
  let isHeld = DispatchSemaphore(value: 0)
  let goOn = DispatchSemaphore(value: 0)

  private let held: Holder

  private final class Holder: Sendable {
    let account = Mutex<Account.ID?>(nil)
    let refused = Mutex<(account: Account.ID, times: Int)?>(nil)
  }

  init() {
    let held = Holder()
    self.held = held
    let before = {
      @Sendable [isHeld, goOn, rounds] (writes: [Write], isWaiting: Bool) -> Set<Account.ID> in
      rounds.append((writes.map(\.account), isWaiting))
      let isIt = held.account.withLock { account in
        guard let waited = account, writes.contains(where: { $0.account == waited }) else {
          return false
        }
        account = nil
        return true
      }
      if isIt {
        isHeld.signal()
        goOn.wait()
      }
      return held.refused.withLock { refused in
        guard let (account, times) = refused, writes.contains(where: { $0.account == account })
        else { return [] }
        refused = times > 1 ? (account, times - 1) : nil
        return [account]
      }
    }
    recorders = (0..<2).map { [data] _ in Lane(data, before: before) }
  }

  /// Says of the next rounds with an account that another transaction holds its row.
  func refuse(_ account: Account.ID, times: Int) {
    held.refused.withLock { $0 = (account, times) }
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
