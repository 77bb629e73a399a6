import ChangePropagation
import GoalsCore
import Testing

@testable import GoalsStore

@Suite("A change of an account")
struct ChangeTests {
  @Test("finds no state of an account that there is not", arguments: StoreKind.ofTier)
  func unknown(_ kind: StoreKind) async throws {
    let store = try TestStore(kind).store
    #expect(try store.state(.number(1)) == nil)
    #expect(store.stateInMemory(.number(1)) == nil)
    #expect(await store.send(.of(.addGoal, from: 1)).name == "unknownAccount")
    #expect(try store.log.page(.number(1), .none, 10) == nil)
    #expect(try store.log.entry(.number(1), .number(1)) == nil)
    #expect(try store.book.account(.number(1)) == nil)
    #expect(try store.book.tokens(.number(1)) == [])
    #expect(try store.book.removeAccount(.number(1)) == false)
  }

  @Test("is decided on the state that is stored", arguments: StoreKind.ofTier)
  func decided(_ kind: StoreKind) async throws {
    let test = try TestStore(kind)
    try test.store.book.addAccount(.some(1))
    let empty = try #require(try test.store.state(.number(1)))
    #expect(empty.state == AccountState())
    let answer = await test.store.send(.of(.addGoal, .bad, .activate, .activate, from: 1))
    #expect(answer.statuses.count == 4)
    #expect(answer.statuses.first == .applied(Version(1)))
    #expect(answer.ruling?.outcomes[1].rejection?.code == .unknownGoal)
    #expect(answer.statuses.suffix(2) == [.applied(Version(2)), .unchanged])
    let published = try #require(try test.store.state(.number(1)))
    #expect(published.state == answer.ruling?.state)
    #expect(published.chain == answer.chain)
    #expect(published.state.version == Version(2))
    #expect(published.state.recordedAt == test.clock.now)
    // A published state is a value: a reader of the one before still has that.
    #expect(empty.state == AccountState())
    #expect(empty.chain != published.chain)
    #expect(test.commits == [.committed(requests: 1, edits: 2)])
  }

  /// What was seen, in the order in which it was.
  private final class Witness: Sendable {
    let seen = Collected<String>()
    let store: Store

    init(of store: Store) { self.store = store }
  }

  @Test("is published, then answered, then announced", arguments: StoreKind.alone)
  func order(_ kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let store = test.store
    try await store.addAccountWithGoal()
    // The store keeps what observes it, which is not to keep the store.
    let witness = Witness(of: store)
    let events = test.events
    let look = { @Sendable (witness: Witness, what: String) in
      let store = witness.store
      let version = store.stateInMemory(.number(1))?.state.version.number ?? -1
      let stored = (try? store.log.page(.number(1), .none, 100))?.head.number ?? -1
      witness.seen.append("\(what): published \(version), stored \(stored)")
    }
    store.updated.observe(withContext: witness) { witness, commit in
      look(witness, "announced \(commit.edits.map(\.version.number)) for \(commit.account)")
    }
    store.updated.network.sync {
      let tracked = events.all.count
      store.submit(.init(account: .number(1), batch: .of(.bump, from: 3))) { _ in
        look(witness, "answered, tracked \(events.all.count - tracked)")
      }
      look(witness, "handed in")
    }
    store.updated.network.settle()
    #expect(
      witness.seen.all == [
        "handed in: published 2, stored 2",
        "answered, tracked 0: published 3, stored 3",
        "announced [3] for 00000000-0000-0000-0000-000000000001: published 3, stored 3",
      ])
  }

  @Test("is announced with its edits, their seals and the state", arguments: StoreKind.ofTier)
  func announced(_ kind: StoreKind) async throws {
    let store = try TestStore(kind).store
    let commits = Collected<Commit>()
    store.updated.observe(withContext: commits) { $0.append($1) }
    try await store.addAccountWithGoal()
    _ = await store.send(.of(.bump, from: 3, isDryRun: true))
    _ = await store.send(.of(.bump, .bad, from: 3, isAtomic: true))
    _ = await store.send(.of(.activate, from: 3))
    _ = await store.send(.of(.bump, from: 3, precondition: .version(Version(1))))
    let commit = try #require(commits.all.first)
    #expect(commits.all.count == 1)
    let published = try #require(try store.state(.number(1)))
    #expect(commit.state == published.state)
    #expect(commit.seals.last?.chain == published.chain)
    let page = try #require(try store.log.page(.number(1), .none, 10))
    #expect(commit.seals.map(\.payload) == page.entries.map(\.payload))
    #expect(commit.seals.map(\.chain) == page.entries.map(\.chain))
    #expect(commit.edits.map(\.id) == page.entries.map(\.id))
  }

  @Test("stays out of every other account", arguments: StoreKind.ofTier)
  func apart(_ kind: StoreKind) async throws {
    let store = try TestStore(kind).store
    for account in UInt64(1)...3 { try await store.addAccountWithGoal(account) }
    let answer = await store.send(.of(.bump, from: 3), to: 2)
    #expect(answer.statuses == [.applied(Version(3))])
    for account in [UInt64(1), 3] {
      #expect(try store.state(.number(account))?.state.version == Version(2))
      #expect(try store.log.page(.number(account), .none, 10)?.entries.count == 2)
    }
  }

  @Test("is refused beyond the largest number of goals", arguments: StoreKind.ofTier)
  func full(_ kind: StoreKind) async throws {
    let store = try TestStore(kind).store
    try store.book.addAccount(.some(1))
    let edits = (1...UInt64(AccountState.maximumGoals)).map { Edit(.add(.some($0))) }
    #expect(await store.send(.of(all: edits, from: 1)).ruling?.recorded.count == 1000)
    let answer = await store.send(.of(Edit(.add(.some(1001))), from: 1001))
    #expect(answer.ruling?.outcomes.first?.rejection?.code == .limitReached)
  }
}

@Suite("An edit that is sent again")
struct RepetitionTests {
  /// Everything that a store can do before a device asks again.
  enum Meanwhile: CaseIterable {
    case nothing, forgetting, reopening
  }

  static let cases = StoreKind.ofTier.flatMap { kind in Meanwhile.allCases.map { (kind, $0) } }

  private func after(_ meanwhile: Meanwhile, _ test: TestStore) throws -> TestStore {
    switch meanwhile {
    case .nothing: return test
    case .forgetting:
      // No state fits, so that of another account drives this one out.
      let small = try test.reopened(cacheLimit: 0)
      _ = try small.store.state(.number(1))
      _ = try small.store.state(.number(2))
      #expect(small.store.stateInMemory(.number(1)) == nil)
      return small
    case .reopening: return try test.reopened()
    }
  }

  @Test("is known as what it was recorded as", arguments: cases)
  func duplicate(_ kind: StoreKind, _ meanwhile: Meanwhile) async throws {
    let before = try TestStore(kind)
    try before.store.book.addAccount(.some(2))
    try await before.store.addAccountWithGoal()
    let first = await before.store.send(.of(.bump, Edit(.undo(.number(3))), from: 3))
    #expect(first.statuses == [.applied(Version(3)), .applied(Version(4))])
    let test = try after(meanwhile, before)
    let again = await test.store.send(.of(.bump, Edit(.undo(.number(3))), .bump, from: 3))
    #expect(
      again.statuses == [.duplicate(Version(3)), .duplicate(Version(4)), .applied(Version(5))])
    #expect(
      again.ruling?.outcomes.prefix(2).map(\.recorded) == first.ruling?.outcomes.map(\.recorded))
    #expect(try test.store.log.page(.number(1), .none, 10)?.entries.count == 5)
  }

  @Test("is refused where it asks for something else", arguments: cases)
  func conflict(_ kind: StoreKind, _ meanwhile: Meanwhile) async throws {
    let before = try TestStore(kind)
    try before.store.book.addAccount(.some(2))
    try await before.store.addAccountWithGoal()
    let test = try after(meanwhile, before)
    let answer = await test.store.send(.of(.bump, from: 1))
    #expect(answer.ruling?.outcomes.first?.rejection?.code == .idConflict)
    #expect(try test.store.state(.number(1))?.state.version == Version(2))
    // An id is an account's own.
    #expect(await test.store.send(.of(.addGoal, from: 1), to: 2).statuses == [.applied(Version(1))])
  }

  @Test("can be taken back, and that again, whatever the store did meanwhile", arguments: cases)
  func undo(_ kind: StoreKind, _ meanwhile: Meanwhile) async throws {
    var test = try TestStore(kind)
    try test.store.book.addAccount(.some(2))
    try await test.store.addAccountWithGoal()
    _ = await test.store.send(.of(.bump, from: 3))
    let counted = try #require(try test.store.state(.number(1))).state.roster
    for id in UInt64(4)...9 {
      test = try after(meanwhile, test)
      if id > 4 {
        // Of a chain only the latest can be undone.
        let refused = await test.store.send(.of(Edit(.undo(.number(id - 2))), from: 100))
        #expect(refused.ruling?.outcomes.first?.rejection?.code == .notUndoable)
      }
      // The last undo, or, where that brought it back, the edit at the start again.
      let target = id % 2 == 0 ? 3 : id - 1
      let answer = await test.store.send(.of(Edit(.undo(.number(target))), from: id))
      #expect(answer.statuses == [.applied(Version(Int(id)))])
      let roster = try #require(try test.store.state(.number(1))).state.roster
      #expect((roster == counted) == (id % 2 == 1))
    }
    #expect(try test.store.upkeep.verify() == [])
  }
}
