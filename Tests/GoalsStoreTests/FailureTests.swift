import ChangePropagation
import GoalsCore
import Testing

@testable import GoalsStore

@Suite("A write that fails")
struct FailureTests {
  let backing = FailingBacking()
  let events = Collected<StoreEvent>()
  let commits = Collected<Commit>()
  let store: Store

  init() async throws {
    let events = events
    let environment = StoreEnvironment(
      now: { .at("2026-11-20T12:00:00Z") }, zone: testZone, track: { events.append($0) })
    store = Store(StoreEngine(backing, environment: environment, cacheLimit: Store.cacheLimit))
    for account in UInt64(1)...2 { try await store.addAccountWithGoal(account) }
    store.updated.observe(withContext: commits) { $0.append($1) }
  }

  /// What was tracked since the accounts were made.
  private var tracked: [StoreEvent] {
    let told = events.all.filter { if case .persisted = $0 { false } else { true } }
    return Array(told.dropFirst(2))
  }
  private var done: [String] { Array(backing.log.dropFirst(4)) }

  static let failures: [(StoreError, CommitFailure, reopens: Bool)] = [
    (.full("no space"), .full, false), (.inputOutput("sync"), .storage, true),
    (.corrupt("a page"), .storage, true), (.closed, .storage, true),
  ]

  @Test("leaves no trace, and everyone is told", arguments: failures)
  func storage(_ error: StoreError, _ failure: CommitFailure, _ reopens: Bool) async throws {
    backing.fail(with: error)
    let before = try #require(try store.state(.number(1)))
    let answers = await store.sendTogether([
      (1, .of(.bump, from: 3)), (2, .of(.bump, from: 3)), (1, .of(.bump, from: 4)),
      (1, .of(.bad, from: 5)), (1, .of(.addGoal, from: 1)), (3, .of(.bump, from: 3)),
    ])
    #expect(
      answers.map(\.name) == [
        "unavailable", "unavailable", "unavailable", "unavailable", "unavailable", "unknownAccount",
      ])
    #expect(try store.state(.number(1)) === before)
    #expect(commits.all.isEmpty)
    #expect(try store.log.page(.number(1), .none, 10)?.head == Version(2))
    #expect(
      tracked == (reopens ? [.reopened] : [])
        + [.writer(.commitFailed(failure, requests: 5)), .unrecorded(requests: 5, error)])
    #expect(done.dropFirst() == (reopens ? ["reopen"] : []))
    // What was refused can be sent again.
    #expect(await store.send(.of(.bump, from: 4)).statuses == [.applied(Version(3))])
    store.updated.network.settle()
    #expect(commits.all.map { $0.edits.map(\.id) } == [[.number(4)]])
  }

  @Test("for another reason fails only the request that is at fault")
  func culprit() async throws {
    backing.fail(on: 12)
    let answers = await store.sendTogether([
      (1, .of(.bump, .bump, from: 10)), (2, .of(.bump, .bump, from: 11)),
      (1, .of(.bump, from: 12)), (1, .of(.bump, from: 13)), (1, .of(.bad, from: 14)),
      (2, .of(.bump, from: 15)),
    ])
    #expect(answers.map(\.name) == ["ruled", "failed", "failed", "ruled", "ruled", "ruled"])
    #expect(answers[0].statuses == [.applied(Version(3)), .applied(Version(4))])
    #expect(answers[3].statuses == [.applied(Version(5))])
    #expect(answers[5].statuses == [.applied(Version(3))])
    #expect(
      done == [
        "persist [10, 11, 12, 13, 11, 12, 15]", "persist [10, 11]", "persist [11, 12]",
        "persist [12]", "persist [15]", "persist [13]",
      ])
    store.updated.network.settle()
    #expect(commits.all.map { $0.edits.map(\.id.low) } == [[10, 11], [15], [13]])
    for (answer, account) in [(answers[3], 1), (answers[5], 2)] {
      let published = try #require(try store.state(.number(UInt64(account))))
      #expect(published.state == answer.ruling?.state)
      #expect(published.chain == answer.chain)
    }
    #expect(try store.upkeep.verify() == [])
  }

  @Test("on the disk while requests are tried alone is told to all that are left")
  func diskMeanwhile() async throws {
    backing.fail(with: .other("surprise"), .inputOutput("sync"))
    let answers = await store.sendTogether([
      (1, .of(.bump, from: 10)), (2, .of(.bump, from: 10)), (1, .of(.bump, from: 11)),
    ])
    #expect(answers.map(\.name) == ["unavailable", "unavailable", "unavailable"])
    #expect(done.suffix(1) == ["reopen"])
    #expect(await store.send(.of(.bump, from: 10)).name == "ruled")
  }

  @Test("is tracked with why it could not be opened again")
  func reopening() async throws {
    backing.fail(with: .inputOutput("sync"))
    backing.failReopening(with: .inputOutput("gone"))
    #expect(await store.send(.of(.bump, from: 3)).name == "unavailable")
    #expect(
      tracked == [
        .failed(.inputOutput("gone")), .writer(.commitFailed(.storage, requests: 1)),
        .unrecorded(requests: 1, .inputOutput("sync")),
      ])
  }

  @Test(
    "of the book is left to whoever asked to tell, and opens the database again if the disk failed")
  func book() async throws {
    let token = TokenRecord.some(1, of: 1, secret: 1)
    let writes: [(Store) throws -> Void] = [
      { try $0.book.addAccount(.some(3)) }, { _ = try $0.book.removeAccount(.number(1)) },
      { _ = try $0.book.addToken(token, nil) },
      { _ = try $0.book.revokeToken(token.id, of: .number(1)) },
      { try $0.book.recordUses([:]) }, { try $0.upkeep.probe() }, { try $0.reset() },
    ]
    for write in writes {
      let reopened = backing.log.filter { $0 == "reopen" }.count
      for error in [StoreError.full("no space"), .other("surprise"), .inputOutput("sync")] {
        backing.fail(with: error)
        #expect(throws: error) { try write(store) }
      }
      #expect(backing.log.filter { $0 == "reopen" }.count == reopened + 1)
    }
    #expect(tracked == writes.map { _ in .reopened })
    #expect(try store.book.accounts().count == 2)
    #expect(try store.state(.number(1))?.state.version == Version(2))
    #expect(await store.send(.of(.bump, from: 3)).name == "ruled")
  }
}

@Suite("A read that fails")
struct ReadFailureTests {
  @Test("is answered as unavailable for its account alone, and nothing is invented")
  func reading() async throws {
    let backing = FailingBacking()
    let environment = StoreEnvironment(
      now: { .at("2026-11-20T12:00:00Z") }, zone: testZone, track: { _ in })
    let store = Store(StoreEngine(backing, environment: environment, cacheLimit: 0))
    for account in UInt64(1)...2 { try await store.addAccountWithGoal(account) }
    backing.breakReading(true)
    #expect(throws: StoreError.inputOutput("reading")) { try store.state(.number(1)) }
    #expect(throws: StoreError.inputOutput("reading")) { try store.state(.number(3)) }
    #expect(throws: StoreError.inputOutput("reading")) { try store.upkeep.verify() }
    let answers = await store.sendTogether([(1, .of(.bump, from: 3)), (3, .of(.bump, from: 3))])
    #expect(answers.map(\.name) == ["unavailable", "unavailable"])
    #expect(!backing.log.contains("persist [3]"))
    backing.breakReading(false)
    #expect(await store.send(.of(.bump, from: 3)).statuses == [.applied(Version(3))])
  }
}
