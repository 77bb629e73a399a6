import Testing

@testable import GoalsCore

/// A batch that records nothing.
private let idle = batch(Edit(.alter(1, [])))

@Suite("A writer")
struct WriterTests {
  private let a = bumped(201, 3)
  private let b = bumped(202, 4)

  @Test("persists first; and once that is durable installs, answers, announces and tracks")
  func order() {
    var scenario = WriterScenario()
    #expect(scenario.arrive((1, counting(201))) == [.persist(1, [a])])
    #expect(
      scenario.commit() == [
        .install(1, [a], 101), .answer(1, counting(201), 101), .announce(1, [a], [101]),
        .track(1, edits: 1),
      ])
  }

  @Test("decides requests of one account one on the other, and writes them as one")
  func oneAccount() {
    var scenario = WriterScenario()
    let second = batch(bump, bad)
    let edits = [a, bumped(101, 4)]
    #expect(scenario.arrive((1, counting(201)), (1, second)) == [.persist(1, edits)])
    #expect(
      scenario.commit() == [
        .install(1, edits, 102), .answer(1, counting(201), 101), .answer(2, second, on: [a], 102),
        .announce(1, edits, [101, 102]), .track(2, edits: 2),
      ])
  }

  @Test("installs every account before it answers, and answers everyone before it announces")
  func severalAccounts() {
    var scenario = WriterScenario(accounts: 2)
    #expect(
      scenario.arrive((1, counting(201)), (2, counting(201)), (1, counting(202))) == [
        .persist([.of(1, [a, b]), .of(2, [a])])
      ])
    #expect(
      scenario.commit() == [
        .install(1, [a, b], 102), .install(2, [a], 103), .answer(1, counting(201), 101),
        .answer(2, counting(201), 103), .answer(3, counting(202), on: [a], 102),
        .announce(1, [a, b], [101, 102]), .announce(2, [a], [103]), .track(3, edits: 3),
      ])
  }

  @Test("orders accounts as their requests came, every time")
  func determinism() {
    let accounts: [Account.ID] = [7, 3, 11, 1, 12, 5, 9, 2, 10, 4, 8, 6]
    let links = accounts.indices.map { UInt64(101 + $0) }
    var scenario = WriterScenario(accounts: 12)
    #expect(
      scenario.arrive(all: accounts.map { ($0, counting(201)) }) == [
        .persist(accounts.map { .of($0, [a]) })
      ])
    let decisions = scenario.commit()
    #expect(decisions.prefix(12) == zip(accounts, links).map { .install($0, [a], $1) }[...])
    #expect(
      decisions.suffix(13).dropLast() == zip(accounts, links).map { .announce($0, [a], [$1]) }[...])
  }

  @Test("answers at once what records nothing, unless something was decided before it")
  func nothing() {
    var scenario = WriterScenario()
    #expect(
      scenario.arrive((1, idle), (1, batch(bad))) == [
        .answer(1, idle, 1), .answer(2, batch(bad), 1),
      ]
    )
    #expect(scenario.arrive() == [])
    #expect(scenario.arrive((1, idle), (1, counting(201)), (1, idle)) == [.persist(1, [a])])
    #expect(
      scenario.commit().answers == [
        .answer(1, idle, 1), .answer(2, counting(201), 101), .answer(3, idle, on: [a], 101),
      ])
  }

  @Test("says at once that an account is gone, and goes on with the others")
  func gone() {
    var scenario = WriterScenario()
    #expect(
      scenario.arrive((9, counting(201)), (1, counting(201)), (9, idle)) == [
        .answer(1, .unknownAccount), .answer(3, .unknownAccount), .persist(1, [a]),
      ])
    #expect(scenario.commit().answers == [.answer(2, counting(201), 101)])
    #expect(scenario.arrive((9, counting(201))) == [.answer(1, .unknownAccount)])
  }

  @Test(
    "forgets the edits of a batch that it withdrew",
    arguments: [
      batch(bump, bad, isAtomic: true), batch(bump, isDryRun: true),
      batch(bump, precondition: .version(Version(9))),
    ])
  func withdrawn(_ batch: Batch) {
    var scenario = WriterScenario()
    // The batch holds the edit 101, too.
    let edit = bumped(101, 3)
    #expect(
      scenario.arrive((1, batch), (1, counting(101)), (1, counting(101)), (1, batch)) == [
        .persist(1, [edit])
      ])
    #expect(
      scenario.commit().answers == [
        .answer(1, batch, 1), .answer(2, counting(101), 101),
        .answer(3, counting(101), on: [edit], 101), .answer(4, batch, on: [edit], 101),
      ])
  }

  @Test("is told how many goals a list may hold")
  func limit() throws {
    var scenario = WriterScenario()
    scenario.maximumGoals = 2
    _ = scenario.arrive((1, batch(Edit(.add(.some(2))), Edit(.add(.some(3))))))
    let answer = try #require(scenario.commit().answers.first)
    guard case .answer(1, .ruled(let ruling, _)) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(ruling.codes == [nil, .limitReached])
  }

  @Test("accepts no chain for a version that is not durable yet")
  func unknownChain() {
    var scenario = WriterScenario()
    let known = counting(201, on: .anyHead([.init(version: Version(2), chainPrefix: 1)]))
    let guessed = counting(202, on: .anyHead([.init(version: Version(3), chainPrefix: 1)]))
    #expect(scenario.arrive((1, known), (1, guessed)) == [.persist(1, [a])])
    #expect(
      scenario.commit().answers == [
        .answer(1, known, judgedBy: 1, 101), .answer(2, guessed, on: [a], 101),
      ])
    let durable = counting(202, on: .anyHead([.init(version: Version(3), chainPrefix: 101)]))
    #expect(scenario.arrive((1, durable)) == [.persist(1, [b], after: [a], chain: 101)])
  }
}

@Suite("A commit that fails")
struct CommitFailureTests {
  private let a = bumped(201, 3)
  private let b = bumped(202, 4)

  @Test(
    "for want of room or on the disk answers everyone so, and changes nothing",
    arguments: [(.full, []), (.storage, [.reopen])] as [(CommitFailure, [Decision])])
  func unavailable(_ failure: CommitFailure, first: [Decision]) {
    var scenario = WriterScenario(accounts: 2)
    let before = scenario.installed
    _ = scenario.arrive((1, counting(201)), (2, counting(201)), (1, idle))
    #expect(
      scenario.fail(failure) == first + [
        .track(.commitFailed(failure, requests: 3)),
        .answer(1, .unavailable), .answer(2, .unavailable), .answer(3, .unavailable),
      ])
    #expect(scenario.installed == before)
    #expect(scenario.arrive((1, counting(201))) == [.persist(1, [a])])
  }

  @Test("for another reason fails the one request that was in it")
  func culprit() {
    var scenario = WriterScenario()
    _ = scenario.arrive((1, counting(201)))
    #expect(
      scenario.fail(.other) == [.answer(1, .failed), .track(.commitFailed(.other, requests: 1))])
    #expect(scenario.arrive((1, counting(201))) == [.persist(1, [a])])
    #expect(scenario.commit().first == .install(1, [a], 101))
  }

  @Test("for another reason has each request tried alone, on what the ones before it recorded")
  func alone() {
    var scenario = WriterScenario(accounts: 2)
    _ = scenario.arrive(
      (1, counting(201)), (1, counting(202)), (2, counting(203)), (1, counting(204)))
    let (c, d) = (bumped(203, 3), bumped(204, 4))
    #expect(
      scenario.fail(.other) == [.track(.commitFailed(.other, requests: 4)), .persist(1, [a])])
    #expect(
      scenario.commit() == [
        .install(1, [a], 101), .answer(1, counting(201), 101), .announce(1, [a], [101]),
        .track(1, edits: 1), .persist(1, [b], after: [a], chain: 101),
      ])
    // The second is the culprit: the fourth takes the version that it would have had.
    #expect(
      scenario.fail(.other) == [
        .answer(2, .failed), .track(.commitFailed(.other, requests: 1)), .persist(2, [c]),
      ])
    #expect(
      scenario.commit() == [
        .install(2, [c], 102), .answer(3, counting(203), 102), .announce(2, [c], [102]),
        .track(1, edits: 1), .persist(1, [d], after: [a], chain: 101),
      ])
    #expect(
      scenario.commit() == [
        .install(1, [a, d], 103), .answer(4, counting(204), on: [a], 103),
        .announce(1, [d], after: [a], chain: 101, [103]), .track(1, edits: 1),
      ])
  }

  @Test("leaves an edit to the request that repeats it, when the first that held it failed")
  func repeated() {
    var scenario = WriterScenario()
    let follower = batch(bump, bump)
    _ = scenario.arrive((1, batch(bump, bad)), (1, follower))
    let edits = [bumped(101, 3), bumped(102, 4)]
    _ = scenario.fail(.other)
    #expect(scenario.fail(.other).last == .persist(1, edits))
    #expect(scenario.commit().answers == [.answer(2, follower, 102)])
  }

  @Test("answers on the way what turns out to record nothing")
  func nothingAlone() {
    var scenario = WriterScenario()
    _ = scenario.arrive(
      (1, idle), (1, counting(201)), (1, counting(201)), (1, idle), (1, counting(202)))
    #expect(
      scenario.fail(.other) == [
        .track(.commitFailed(.other, requests: 5)), .answer(1, idle, 1), .persist(1, [a]),
      ])
    #expect(
      scenario.commit() == [
        .install(1, [a], 101), .answer(2, counting(201), 101), .announce(1, [a], [101]),
        .track(1, edits: 1), .answer(3, counting(201), on: [a], 101),
        .answer(4, idle, on: [a], 101), .persist(1, [b], after: [a], chain: 101),
      ])
  }

  @Test("on the disk, while requests are tried alone, ends it for those that wait")
  func storageAlone() {
    var scenario = WriterScenario()
    _ = scenario.arrive((1, counting(201)), (1, counting(202)), (1, counting(203)))
    _ = scenario.fail(.other)
    _ = scenario.commit()
    #expect(
      scenario.fail(.storage) == [
        .reopen, .track(.commitFailed(.storage, requests: 1)),
        .answer(2, .unavailable), .answer(3, .unavailable),
      ])
    #expect(
      scenario.arrive((1, counting(202))) == [.persist(1, [b], after: [a], chain: 101)])
    #expect(scenario.commit().count == 4)
  }

  @Test("leaves thousands of requests that record nothing to be answered one by one")
  func thousands() {
    var scenario = WriterScenario()
    let idleOnes = [(account: Account.ID, batch: Batch)](repeating: (1, idle), count: 20_000)
    _ = scenario.arrive(all: idleOnes + [(1, counting(201))])
    let decisions = scenario.fail(.other)
    #expect(decisions.count == 20_002)
    #expect(decisions.last == .persist(1, [a]))
  }
}
