import Dispatch
import GoalsCore
import Testing

@testable import GoalsStore

/// An account that is not in memory is read beside the writer, however long that takes.
@Suite("A change of an account that is not in memory") struct UnreadStateTests {
  private let backing = FailingBacking()
  private let answers = Collected<String>()
  private let engine: StoreEngine
  private let store: Store

  /// Accounts 1 and 2, of which 1 has to be read.
  init() async throws {
    let environment = StoreEnvironment(
      now: { .at("2026-11-20T12:00:00Z") }, zone: testZone, track: { _ in })
    let before = Store(
      StoreEngine(backing, environment: environment, cacheLimit: Store.cacheLimit))
    for account in UInt64(1)...2 { try await before.addAccountWithGoal(account) }
    engine = StoreEngine(backing, environment: environment, cacheLimit: Store.cacheLimit)
    store = Store(engine)
    _ = await store.send(.of(.bump, from: 3), to: 2)
  }

  private func bump(_ account: UInt64, from id: UInt64) {
    let answers = answers
    store.submit(.init(account: .number(account), batch: .of(.bump, from: id))) {
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

  @Test("is decided on the state that was read for it, though others have put that out of memory")
  func putOut() async throws {
    store.updated.network.sync {
      bump(1, from: 3)
      while engine.cache.published(.number(1)) == nil {}
      engine.cache.remove(.number(1))
    }
    while answers.all.isEmpty { store.updated.network.settle() }
    #expect(answers.all == ["1: ruled"])
    #expect(try store.state(.number(1))?.state.version == Version(3))
    #expect(backing.snapshotsOfWriter == 0)
  }

  @Test("waits for its state again, where that was changed and put out of memory")
  func putOutAgain() async throws {
    store.updated.observe(withContext: engine) { engine, commit in
      engine.cache.remove(commit.account)
    }
    let answers = answers
    store.updated.network.sync {
      // More than a round takes of both.
      for first in [100, 10_000] as [UInt64] {
        let bumps = (0..<1500).map { place in
          Proposal.edit(
            ProposedEdit(
              id: .number(first + place), edit: Edit(.bump(.number(1), by: .one, note: nil))))
        }
        store.submit(.init(account: .number(1), batch: Batch(device: "phone", proposals: bumps))) {
          answers.append($0.name)
        }
      }
      while engine.cache.published(.number(1)) == nil {}
      engine.cache.remove(.number(1))
    }
    while answers.all.count < 2 { store.updated.network.settle() }
    #expect(answers.all == ["ruled", "ruled"])
    #expect(try store.state(.number(1))?.state.version == Version(3002))
    #expect(backing.snapshotsOfWriter == 0)
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
