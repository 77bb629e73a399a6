import ChangePropagation
import GoalsCore
import Synchronization
import Testing

@testable import GoalsStore

@Suite("Requests that wait together")
struct GroupCommitTests {
  @Test("are committed together, each with its own answer", arguments: StoreKind.ofTier)
  func together(_ kind: StoreKind) async throws {
    let test = try TestStore(kind)
    for account in UInt64(1)...3 { try await test.store.addAccountWithGoal(account) }
    let before = test.commits.count
    let requests = (0..<UInt64(100)).map { place -> (account: UInt64, batch: Batch) in
      (1 + place % 3, .of(.bump, from: 10 + place))
    }
    let answers = await test.store.sendTogether(requests)
    #expect(Array(test.commits.dropFirst(before)) == [.committed(requests: 100, edits: 100)])
    for (place, answer) in answers.enumerated() {
      #expect(answer.statuses == [.applied(Version(3 + place / 3))])
      let page = try test.store.log.page(.number(UInt64(1 + place % 3)), .none, 100)
      // The chain that a request is told is that of the state that it was told.
      #expect(answer.chain == page?.entries[2 + place / 3].chain)
    }
  }

  @Test("see what those before them leave", arguments: StoreKind.ofTier)
  func inOrder(_ kind: StoreKind) async throws {
    let test = try TestStore(kind)
    try await test.store.addAccountWithGoal()
    let head = try #require(try test.store.state(.number(1))?.chain)
    let answers = await test.store.sendTogether([
      (1, .of(.bump, from: 3)),
      (1, .of(.bump, from: 3)),
      (1, .of(Edit(.undo(.number(3))), from: 4)),
      (1, .of(Edit(.undo(.number(3))), from: 5)),
      (1, .of(.bump, from: 6, precondition: .version(Version(2)))),
      (9, .of(.bump, from: 7)),
      (1, .of(.bump, from: 8, precondition: .version(Version(4)))),
      (
        1,
        .of(
          .bump, from: 9,
          precondition: .anyHead([.init(version: Version(5), chainPrefix: head.prefix)]))
      ),
      (1, .of(.bump, from: 10, isDryRun: true)),
      (1, .of(.addGoal, from: 11)),
    ])
    #expect(answers[0].statuses == [.applied(Version(3))])
    #expect(answers[1].statuses == [.duplicate(Version(3))])
    #expect(answers[2].statuses == [.applied(Version(4))])
    #expect(answers[3].ruling?.outcomes.first?.rejection?.code == .notUndoable)
    #expect(answers[4].ruling?.result == .versionMismatch)
    #expect(answers[5].name == "unknownAccount")
    #expect(answers[6].statuses == [.applied(Version(5))])
    #expect(answers[7].ruling?.result == .versionMismatch)
    #expect(answers[8].statuses == [.applied(Version(6))])
    #expect(answers[9].statuses == [.unchanged])
    #expect(try test.store.state(.number(1))?.state.version == Version(5))
    #expect(try test.store.upkeep.verify() == [])
  }

  /// The limit is the engine's, so one store is enough.
  @Test(
    "are taken whole, as many as a transaction holds",
    arguments: [
      ([2000], [2000]),
      ([2001], [2001]),
      ([1000, 1000, 257, 1743], [2000, 2000]),
      // A few edits wait for nobody's many.
      ([1999, 17], [17, 1999]),
      ([1000, 1000, 17, 1983], [1017, 1000, 1983]),
      ([1000, 1001, 999, 17], [1017, 2000]),
      ([1000, 1000, 16, 252], [1016, 1252]),
      ([1999, 1], [2000]),
      ([1000, 1000, 1000, 1000, 16], [1016, 2000, 1000]),
      ([1000, 1001, 999, 0, 1], [1001, 2000]),
      // Nor do many wait for ever: there is room for them, and at least one is taken.
      ([Int](repeating: 20, count: 75) + [1000], [2000, 500]),
      ([Int](repeating: 100, count: 15) + [1000], [2000, 500]),
      (
        [Int](repeating: 20, count: 75) + [Int](repeating: 100, count: 10) + [1000],
        [2000, 1500]
      ),
      // Of many small changes half go at once, and 128 in any case.
      ([Int](repeating: 1, count: 300), [150, 128, 22]),
      ([Int](repeating: 1, count: 200) + [1000], [1128, 72]),
      // What has no room beside others has a turn to itself.
      ([2001, 1, 1], [2, 2001]),
      ([2001, 1000, 1], [1, 2001, 1000]),
    ])
  func limit(_ sizes: [Int], _ transactions: [Int]) async throws {
    let test = try TestStore(.memory)
    try await test.store.addAccountWithGoal()
    let before = test.commits.count
    var next: UInt64 = 10
    let requests = sizes.map { size in
      let batch = Batch.of(all: [Edit](repeating: .bump, count: size), from: next)
      next += UInt64(size)
      return (account: UInt64(1), batch: batch)
    }
    let answers = await test.store.sendTogether(requests)
    #expect(answers.map { $0.ruling?.recorded.count } == sizes)
    let edits = test.commits.dropFirst(before).compactMap { tracked in
      if case .committed(_, let edits) = tracked { edits } else { nil }
    }
    #expect(edits == transactions)
  }

  @Test("are as many as their goals are, where each turns many on")
  func weight() async throws {
    let test = try TestStore(.memory)
    try await test.store.addAccountWithGoal()
    let before = test.commits.count
    let turn = Edit(.setActivity(.listed([Bool](repeating: true, count: 640))))
    // Each turn of all the goals weighs 161.
    let answers = await test.store.sendTogether([
      (1, .of(all: [Edit](repeating: turn, count: 11), from: 10)),
      (1, .of(.bump, from: 5)),
      (1, .of(all: [Edit](repeating: turn, count: 11), from: 200)),
    ])
    #expect(answers.map { $0.ruling?.outcomes.count } == [11, 1, 11])
    #expect(Array(test.commits.dropFirst(before)) == [.committed(requests: 2, edits: 1)])
  }

  @Test("are refused where their account is removed before them", arguments: StoreKind.ofTier)
  func removed(_ kind: StoreKind) async throws {
    let store = try TestStore(kind).store
    for account in UInt64(1)...60 {
      try await store.addAccountWithGoal(account)
      let answers = try await onThreads(5) { thread in
        if thread == 0 { return Set([try store.book.removeAccount(.number(account)) ? "" : "?"]) }
        return Set(
          (0..<10).compactMap { place in
            let batch = Batch.of(.bump, from: UInt64(1000 * thread + place))
            return store.sendAndWait(batch, to: account)?.name
          })
      }
      #expect(Set(answers.joined()).isSubset(of: ["", "ruled", "unknownAccount"]))
    }
  }

  @Test("are announced once for each account", arguments: StoreKind.ofTier)
  func announced(_ kind: StoreKind) async throws {
    let store = try TestStore(kind).store
    for account in UInt64(1)...2 { try await store.addAccountWithGoal(account) }
    let commits = Collected<Commit>()
    store.updated.observe(withContext: commits) { $0.append($1) }
    _ = await store.sendTogether([
      (2, .of(.bump, from: 3)), (1, .of(.bump, from: 3)), (2, .of(.bump, .bump, from: 4)),
    ])
    store.updated.network.settle()
    #expect(commits.all.map(\.account) == [.number(2), .number(1)])
    #expect(commits.all.map { $0.edits.map(\.version.number) } == [[3, 4, 5], [3]])
  }
}

@Suite("Requests from many threads")
struct ConcurrentChangeTests {
  static let cases = StoreKind.ofTier.flatMap { kind in [1, 7].map { (kind, $0) } }

  @Test("are each answered once, with versions that leave no gap", arguments: cases)
  func gapless(_ kind: StoreKind, _ accounts: Int) async throws {
    let test = try TestStore(kind)
    let store = test.store
    for account in 1...accounts { try await store.addAccountWithGoal(UInt64(account)) }
    let commits = Collected<Commit>()
    store.updated.observe(withContext: commits) { $0.append($1) }
    let (threads, each) = (8, 25)
    let answers = try await onThreads(threads) { thread in
      (0..<each).map { place -> (account: UInt64, answer: Answer?) in
        let number = UInt64(thread * each + place)
        let account = 1 + number % UInt64(accounts)
        return (account, store.sendAndWait(.of(.bump, .bump, from: 1000 + 2 * number), to: account))
      }
    }.flatMap { $0 }
    store.updated.network.settle()
    #expect(answers.count == threads * each)
    for account in 1...UInt64(accounts) {
      let own = answers.filter { $0.account == account }.compactMap(\.answer)
      let versions = own.flatMap { $0.ruling?.recorded.map(\.version.number) ?? [] }
      #expect(own.allSatisfy { $0.ruling?.recorded.count == 2 })
      #expect(versions.sorted() == Array(3..<3 + versions.count))
      let announced = commits.all.filter { $0.account == .number(account) }.flatMap(\.edits)
      #expect(announced.map(\.version.number) == Array(3..<3 + versions.count))
      let page = try #require(try store.log.page(.number(account), Version(2), 1000))
      #expect(page.entries.map(\.id) == announced.map(\.id))
      for answer in own {
        let version = try #require(answer.ruling?.stateVersion)
        #expect(answer.chain == page.entries[version.number - 3].chain)
      }
    }
    #expect(try store.upkeep.verify() == [])
  }

  @Test("record an edit once, whoever sends it", arguments: StoreKind.ofTier)
  func once(_ kind: StoreKind) async throws {
    let store = try TestStore(kind).store
    try await store.addAccountWithGoal()
    let answers = try await onThreads(6) { _ in
      (UInt64(10)..<30).compactMap { store.sendAndWait(.of(.bump, from: $0)) }
    }.flatMap { $0 }
    let outcomes = answers.flatMap { $0.ruling?.outcomes ?? [] }
    #expect(outcomes.count == 120)
    #expect(answers.flatMap { $0.ruling?.recorded ?? [] }.count == 20)
    // Whoever sent it, and whenever: an id has one version.
    let versions = Dictionary(grouping: outcomes) { $0.id }
      .mapValues { Set($0.compactMap(\.recorded?.version)) }
    #expect(versions.count == 20)
    #expect(versions.values.allSatisfy { $0.count == 1 })
    #expect(try store.state(.number(1))?.state.version == Version(22))
  }
}
