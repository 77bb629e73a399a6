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

  func persist(
    _ writes: [Write], on books: [Account.ID: BookHead], isWaiting: Bool
  ) throws -> Persisted {
    switch state.withLock({ $0.loss.take() }) {
    case nil: return try data.persist(writes, on: books, isWaiting: isWaiting)
    case .ofAnswer: _ = try data.persist(writes, on: books, isWaiting: isWaiting)
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
