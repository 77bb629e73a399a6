import Dispatch
import GoalsCore
import Testing

@testable import GoalsStore

/// An account that is not in memory is read beside the writer, however long that takes.
@Suite("A change of an account that is not in memory") struct UnreadStateTests {
  private let backing = FailingBacking()
  private let answers = Collected<String>()
  private let store: Store

  /// Accounts 1 and 2, of which 1 has to be read.
  init() async throws {
    let environment = StoreEnvironment(
      now: { .at("2026-11-20T12:00:00Z") }, zone: testZone, track: { _ in })
    let before = Store(
      StoreEngine(backing, environment: environment, cacheLimit: Store.cacheLimit))
    for account in UInt64(1)...2 { try await before.addAccountWithGoal(account) }
    store = Store(StoreEngine(backing, environment: environment, cacheLimit: Store.cacheLimit))
    _ = await store.send(.of(.bump, from: 3), to: 2)
  }

  private func bump(_ account: UInt64, from id: UInt64) {
    let answers = answers
    store.change(.init(account: .number(account), batch: .of(.bump, from: id))) {
      answers.append("\(account): \($0.name)")
    }
  }

  @Test("waits for its state, and nobody else does")
  func waits() async throws {
    let gate = backing.holdUpReading()
    for id in UInt64(3)...5 { bump(1, from: id) }
    gate.arrived.wait()
    #expect(await store.send(.of(.bump, from: 4), to: 2).name == "ruled")
    store.updated.network.settle()
    #expect(answers.all.isEmpty)
    #expect(store.upkeep.gauges().waiting == 3)
    gate.open.signal()
    while answers.all.count < 3 { store.updated.network.settle() }
    #expect(answers.all == ["1: ruled", "1: ruled", "1: ruled"])
    #expect(try store.state(.number(1))?.state.version == Version(5))
  }

  @Test("is refused where the store is closed meanwhile")
  func closed() throws {
    let gate = backing.holdUpReading()
    bump(1, from: 3)
    gate.arrived.wait()
    store.destroy()
    #expect(answers.all == ["1: unavailable"])
    gate.open.signal()
  }

  @Test("is told of a state that can't be read by the writer, which tries again")
  func unreadable() async {
    backing.breakReading(true)
    #expect(await store.send(.of(.bump, from: 3)).name == "unavailable")
    backing.breakReading(false)
    #expect(await store.send(.of(.bump, from: 3)).name == "ruled")
  }
}
