import Testing

@testable import GoalsCore

/// A batch that records nothing.
private let idle = batch(Edit(.alter(1, [])))

@Suite("A writer")
struct WriterTests {
  @Test("persists first; and once that is durable installs, answers, announces and tracks")
  func order() {
    var scenario = WriterScenario()
    #expect(scenario.arrive((1, counting(201))) == ["persist A 3"])
    #expect(
      scenario.commit() == [
        "install A 3 chain 101", #"answer 1: decided ["applied 3"] at 3 chain 101"#,
        "announce A 3 to 101", "track 1 requests, 1 edits",
      ])
  }

  @Test("decides requests of one account one on the other, and writes them as one")
  func oneAccount() {
    var scenario = WriterScenario()
    #expect(scenario.arrive((1, counting(201)), (1, batch(bump, bad))) == ["persist A 3+4"])
    #expect(
      scenario.commit() == [
        "install A 4 chain 102", #"answer 1: decided ["applied 3"] at 3 chain 101"#,
        #"answer 2: decided ["applied 4", "unknown-goal"] at 4 chain 102"#,
        "announce A 3+4 to 102", "track 2 requests, 2 edits",
      ])
    let days = scenario.installed[1]?.state.roster.goal(1)?.days
    #expect(days?[.on("2026-11-20")].count == 2)
  }

  @Test("installs every account before it answers, and answers everyone before it announces")
  func severalAccounts() {
    var scenario = WriterScenario(accounts: 2)
    #expect(
      scenario.arrive((1, counting(201)), (2, counting(201)), (1, counting(202))) == [
        "persist A 3+4, B 3"
      ])
    #expect(
      scenario.commit() == [
        "install A 4 chain 102", "install B 3 chain 103",
        #"answer 1: decided ["applied 3"] at 3 chain 101"#,
        #"answer 2: decided ["applied 3"] at 3 chain 103"#,
        #"answer 3: decided ["applied 4"] at 4 chain 102"#,
        "announce A 3+4 to 102", "announce B 3 to 103", "track 3 requests, 3 edits",
      ])
  }

  @Test("orders accounts as their requests came, every time")
  func determinism() {
    let accounts: [Account.ID] = [7, 3, 11, 1, 12, 5, 9, 2, 10, 4, 8, 6]
    var scenario = WriterScenario(accounts: 12)
    let persist = scenario.arrive(all: accounts.map { ($0, counting(201)) })
    #expect(persist == ["persist G 3, C 3, K 3, A 3, L 3, E 3, I 3, B 3, J 3, D 3, H 3, F 3"])
    let decisions = scenario.commit()
    let letters = { (word: String) in
      decisions.filter { $0.hasPrefix(word) }.compactMap {
        $0.split(separator: " ").dropFirst().first
      }
    }
    let order: [Substring] = ["G", "C", "K", "A", "L", "E", "I", "B", "J", "D", "H", "F"]
    #expect(letters("install") == order)
    #expect(letters("announce") == order)
  }

  @Test("answers at once what records nothing")
  func nothing() {
    var scenario = WriterScenario()
    #expect(
      scenario.arrive((1, idle), (1, batch(bad))) == [
        #"answer 1: decided ["unchanged"] at 2 chain 1"#,
        #"answer 2: decided ["unknown-goal"] at 2 chain 1"#,
      ])
    #expect(scenario.arrive() == [])
  }

  @Test("lets what records nothing wait for what was decided before it")
  func nothingBeside() {
    var scenario = WriterScenario()
    #expect(scenario.arrive((1, idle), (1, counting(201)), (1, idle)) == ["persist A 3"])
    #expect(
      scenario.commit().filter { $0.hasPrefix("answer") } == [
        #"answer 1: decided ["unchanged"] at 2 chain 1"#,
        #"answer 2: decided ["applied 3"] at 3 chain 101"#,
        #"answer 3: decided ["unchanged"] at 3 chain 101"#,
      ])
  }

  @Test("says at once that an account is gone, and goes on with the others")
  func gone() {
    var scenario = WriterScenario()
    #expect(
      scenario.arrive((9, counting(201)), (1, counting(201)), (9, idle)) == [
        "answer 1: unknown account", "answer 3: unknown account", "persist A 3",
      ])
    #expect(
      scenario.commit().filter { $0.hasPrefix("answer") }
        == [#"answer 2: decided ["applied 3"] at 3 chain 101"#])
    #expect(scenario.arrive((9, counting(201))) == ["answer 1: unknown account"])
  }

  @Test("records nothing of a dry run, whatever goes with it")
  func dryRun() {
    var scenario = WriterScenario()
    let dry = batch(bump, isDryRun: true)
    #expect(scenario.arrive((1, dry)) == [#"answer 1: decided ["applied 3"] at 2 chain 1"#])
    #expect(scenario.arrive((1, counting(201)), (1, dry), (1, counting(202))) == ["persist A 3+4"])
    #expect(
      scenario.commit().filter { $0.hasPrefix("answer") } == [
        #"answer 1: decided ["applied 3"] at 3 chain 101"#,
        #"answer 2: decided ["applied 4"] at 3 chain 101"#,
        #"answer 3: decided ["applied 4"] at 4 chain 102"#,
      ])
  }

  @Test("sees in one request what it decided in another before the commit")
  func inFlight() {
    var scenario = WriterScenario()
    let two = Batch.Precondition.version(Version(2))
    #expect(
      scenario.arrive((1, counting(201, on: two)), (1, counting(201)), (1, counting(202, on: two)))
        == ["persist A 3"])
    #expect(
      scenario.commit().filter { $0.hasPrefix("answer") } == [
        #"answer 1: decided ["applied 3"] at 3 chain 101"#,
        #"answer 2: decided ["duplicate 3"] at 3 chain 101"#,
        #"answer 3: versionMismatch [] at 3 chain 101"#,
      ])
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
    #expect(scenario.arrive((1, batch), (1, counting(101)), (1, counting(101))) == ["persist A 3"])
    #expect(
      scenario.commit().filter { $0.hasPrefix("answer") }.suffix(2) == [
        #"answer 2: decided ["applied 3"] at 3 chain 101"#,
        #"answer 3: decided ["duplicate 3"] at 3 chain 101"#,
      ])
  }

  @Test("is told how many goals a list may hold")
  func limit() {
    var scenario = WriterScenario()
    scenario.maximumGoals = 2
    #expect(
      scenario.arrive((1, batch(Edit(.add(.some(2))), Edit(.add(.some(3)))))) == ["persist A 3"])
    #expect(
      scenario.commit().contains(
        #"answer 1: decided ["applied 3", "limit-reached"] at 3 chain 101"#))
  }

  @Test("accepts no chain for a version that is not durable yet")
  func unknownChain() {
    var scenario = WriterScenario()
    let known = Batch.Precondition.anyHead([.init(version: Version(2), chainPrefix: 1)])
    let guessed = Batch.Precondition.anyHead([.init(version: Version(3), chainPrefix: 1)])
    #expect(
      scenario.arrive((1, counting(201, on: known)), (1, counting(202, on: guessed))) == [
        "persist A 3"
      ])
    #expect(
      scenario.commit().filter { $0.hasPrefix("answer") } == [
        #"answer 1: decided ["applied 3"] at 3 chain 101"#,
        #"answer 2: versionMismatch [] at 3 chain 101"#,
      ])
    let durable = Batch.Precondition.anyHead([.init(version: Version(3), chainPrefix: 101)])
    #expect(scenario.arrive((1, counting(203, on: durable))) == ["persist A 4"])
  }

  @Test("knows in the next round what it recorded in this one")
  func nextRound() {
    var scenario = WriterScenario()
    _ = scenario.arrive((1, counting(201)))
    _ = scenario.commit()
    #expect(
      scenario.arrive((1, counting(201))) == [#"answer 1: decided ["duplicate 3"] at 3 chain 101"#])
    #expect(scenario.arrive((1, counting(202))) == ["persist A 4"])
  }
}

@Suite("A commit that fails")
struct CommitFailureTests {
  @Test("for want of room answers everyone so, and changes nothing")
  func full() {
    var scenario = WriterScenario(accounts: 2)
    let before = scenario.installed.mapValues(\.state)
    _ = scenario.arrive((1, counting(201)), (2, counting(201)), (1, idle))
    #expect(
      scenario.fail(.full) == [
        "answer 1: unavailable", "answer 2: unavailable", "answer 3: unavailable",
        "track full, 3 requests",
      ])
    #expect(scenario.installed.mapValues(\.state) == before)
    #expect(scenario.arrive((1, counting(201))) == ["persist A 3"])
  }

  @Test("on the disk has the database opened anew before anything else")
  func storage() {
    var scenario = WriterScenario()
    _ = scenario.arrive((1, counting(201)), (1, counting(202)))
    #expect(
      scenario.fail(.storage) == [
        "reopen", "answer 1: unavailable", "answer 2: unavailable", "track storage, 2 requests",
      ])
    #expect(scenario.arrive((1, counting(201))) == ["persist A 3"])
  }

  @Test("for another reason fails the one request that was in it")
  func culprit() {
    var scenario = WriterScenario()
    _ = scenario.arrive((1, counting(201)))
    #expect(scenario.fail(.other) == ["answer 1: failed", "track other, 1 requests"])
    #expect(scenario.arrive((1, counting(201))) == ["persist A 3"])
    #expect(scenario.commit().first == "install A 3 chain 101")
  }

  @Test("for another reason has each request tried alone, on what the ones before it recorded")
  func alone() {
    var scenario = WriterScenario(accounts: 2)
    _ = scenario.arrive(
      (1, counting(201)), (1, counting(202)), (2, counting(203)), (1, counting(204)))
    #expect(scenario.fail(.other) == ["track other, 4 requests", "persist A 3"])
    #expect(
      scenario.commit() == [
        "install A 3 chain 101", #"answer 1: decided ["applied 3"] at 3 chain 101"#,
        "announce A 3 to 101", "track 1 requests, 1 edits", "persist A 4",
      ])
    // The second is the culprit: the fourth takes the version that it would have had.
    #expect(
      scenario.fail(.other) == ["answer 2: failed", "track other, 1 requests", "persist B 3"])
    #expect(
      scenario.commit() == [
        "install B 3 chain 102", #"answer 3: decided ["applied 3"] at 3 chain 102"#,
        "announce B 3 to 102", "track 1 requests, 1 edits", "persist A 4",
      ])
    #expect(
      scenario.commit() == [
        "install A 4 chain 103", #"answer 4: decided ["applied 4"] at 4 chain 103"#,
        "announce A 4 to 103", "track 1 requests, 1 edits",
      ])
  }

  @Test("leaves an edit to the request that repeats it, when the first that held it failed")
  func repeated() {
    var scenario = WriterScenario()
    let culprit = batch(Edit(.add(.some(2))), Edit(.bump(2, by: .one, note: nil)))
    let follower = batch(Edit(.add(.some(2))), Edit(.delete(2)))
    _ = scenario.arrive((1, culprit), (1, follower))
    #expect(scenario.fail(.other) == ["track other, 2 requests", "persist A 3"])
    #expect(
      scenario.fail(.other) == ["answer 1: failed", "track other, 1 requests", "persist A 3+4"])
    #expect(
      scenario.commit().contains(#"answer 2: decided ["applied 3", "applied 4"] at 4 chain 102"#))
  }

  @Test("answers on the way what turns out to record nothing")
  func nothingAlone() {
    var scenario = WriterScenario()
    _ = scenario.arrive(
      (1, idle), (1, counting(201)), (1, counting(201)), (1, idle), (1, counting(202)))
    #expect(
      scenario.fail(.other) == [
        "track other, 5 requests", #"answer 1: decided ["unchanged"] at 2 chain 1"#, "persist A 3",
      ])
    #expect(
      scenario.commit() == [
        "install A 3 chain 101", #"answer 2: decided ["applied 3"] at 3 chain 101"#,
        "announce A 3 to 101", "track 1 requests, 1 edits",
        #"answer 3: decided ["duplicate 3"] at 3 chain 101"#,
        #"answer 4: decided ["unchanged"] at 3 chain 101"#, "persist A 4",
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
        "reopen", "answer 2: unavailable", "answer 3: unavailable", "track storage, 1 requests",
      ])
    #expect(scenario.arrive((1, counting(202))) == ["persist A 4"])
    #expect(scenario.commit().count == 4)
  }

  @Test("leaves thousands of requests that record nothing to be answered one by one")
  func thousands() {
    var scenario = WriterScenario()
    let idleOnes = [(account: Account.ID, batch: Batch)](repeating: (1, idle), count: 20_000)
    _ = scenario.arrive(all: idleOnes + [(1, counting(201))])
    let decisions = scenario.fail(.other)
    #expect(decisions.count == 20_002)
    #expect(decisions.last == "persist A 3")
  }
}
