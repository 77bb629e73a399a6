import Dispatch
import GoalsCore
import SQLite
import Testing
import TestSupport

@testable import GoalsStore

@Suite("Ids on their way into the index") struct MergedIDTests {
  /// So small that merges begin, run and end all the time.
  private static let batch = 16

  private static func store(batch: Int = batch) async throws -> TestStore {
    let test = try TestStore(in: TemporaryFolder(), idBatch: batch)
    for account in UInt64(1)...2 { try await test.store.addAccountWithGoal(account) }
    return test
  }

  /// Bumps whose ids are in no order and no neighbours, as those of UUIDv4 are.
  private static func scattered(_ count: Int, using dice: inout Dice) -> Batch {
    let proposals = (0..<count).map { _ in
      let id = Edit.ID(high: dice.next(), low: dice.next())
      return Proposal.edit(ProposedEdit(id: id, edit: .bump))
    }
    return Batch(device: "phone", proposals: proposals)
  }

  /// How many ids are in each table.
  private func counts(_ test: TestStore) throws -> [Int] {
    let rows = try #require(test.folder).rows(
      """
      SELECT (SELECT coalesce(sum(length(ids)) / 24, 0) FROM recent_id),
        (SELECT count(*) FROM edit_id)
      """)
    return try #require(rows.first).map {
      if case .integer(let count) = $0 { Int(count) } else { -1 }
    }
  }

  @Test("stay known and unique, whatever is sent, and wherever the process ends")
  func random() async throws {
    var dice = Dice()
    var test = try await Self.store()
    var versions: [UInt64: [UInt64: Int]] = [1: [1: 1, 2: 2], 2: [1: 1, 2: 2]]
    for step in 0..<200 {
      let account = UInt64.random(in: 1...2, using: &dice)
      let known = versions[account, default: [:]]
      let count = Int.random(in: 1...7, using: &dice)
      let ids = (0..<count).map { _ in
        dice.chance(1, in: 3)
          ? dice.pick(known.keys.filter { $0 > 2 }.sorted(), or: 3)
          : UInt64.random(in: 3...1 << 40, using: &dice)
      }
      for id in Set(ids) {
        let expected: Outcome.Status =
          known[id].map { .duplicate(Version($0)) }
          ?? .applied(Version((versions[account]?.count ?? 0) + 1))
        let answer = await test.store.send(.of(.bump, from: id), to: account)
        #expect(answer.statuses == [expected], dice.note)
        if case .applied(let version) = expected { versions[account]?[id] = version.number }
      }
      if step % 40 == 39 {
        #expect(try test.store.upkeep.verify() == [], dice.note)
        test = try test.reopened()
      }
    }
    #expect(try counts(test)[1] > 100)
  }

  @Test("leave their table once they are in the index, so that it never holds twice as many")
  func bounded() async throws {
    let test = try await Self.store()
    var most = 0
    for id in UInt64(3)..<300 {
      _ = await test.store.send(.of(.bump, from: id))
      most = max(most, try counts(test)[0])
    }
    #expect(most >= Self.batch)
    #expect(most < 2 * Self.batch)
  }

  @Test("do so whatever the commits are that they came in")
  func boundedByID() async throws {
    var dice = Dice()
    let test = try await Self.store(batch: 64)
    var (sent, most) = (0, 0)
    while sent < 1200 {
      let perCommit = Int.random(in: 1...4, using: &dice)
      for _ in 0..<Int.random(in: 5...60, using: &dice) {
        _ = await test.store.send(Self.scattered(perCommit, using: &dice))
        sent += perCommit
        most = max(most, try counts(test)[0])
      }
    }
    #expect(most >= 64, dice.note)
    #expect(most < 2 * 64, dice.note)
    #expect(try test.store.upkeep.verify() == [], dice.note)
  }

  @Test(
    "get there however short the runs of the program are",
    arguments: Tier.volume([(5, 1), (8, 4)], all: [(1, 1), (3, 1), (5, 1), (3, 3), (8, 4)]))
  func shortRuns(edits: Int, perCommit: Int) async throws {
    var dice = Dice()
    let batch = Self.batch * perCommit
    var test = try await Self.store(batch: batch)
    var most = 0
    for _ in stride(from: 0, to: 10 * batch, by: edits) {
      for _ in stride(from: 0, to: edits, by: perCommit) {
        _ = await test.store.send(Self.scattered(perCommit, using: &dice))
      }
      most = max(most, try counts(test)[0])
      test = try test.reopened()
    }
    #expect(most >= batch, dice.note)
    #expect(most < 2 * batch, dice.note)
    #expect(try counts(test)[1] > 7 * batch, dice.note)
    #expect(try test.store.upkeep.verify() == [], dice.note)
  }

  @Test("are looked up by whoever reads, before and after", arguments: [1, 2, 5])
  func read(perCommit: UInt64) async throws {
    let test = try await Self.store()
    for first in stride(from: UInt64(3), to: 90, by: Int(perCommit)) {
      let edits = Array(repeating: Edit.bump, count: Int(perCommit))
      _ = await test.store.send(.of(all: edits, from: first))
      for id in 3..<first + perCommit {
        #expect(try test.store.log.entry(.number(1), .number(id))?.version == Version(Int(id)))
      }
    }
  }

  @Test("go there at once where four or more of an account were made within ten seconds")
  func neighbours() async throws {
    let test = try await Self.store()
    func send(madeAt seconds: [Int64]) async throws -> [Int] {
      let before = try counts(test)
      let proposals = seconds.map { second in
        let id = Edit.ID(time: Instant(milliseconds: second * 1000), randomness: (0, 0))
        return Proposal.edit(ProposedEdit(id: id, edit: .bump))
      }
      let batch = Batch(device: "phone", proposals: proposals)
      #expect(await test.store.send(batch).statuses.count == seconds.count)
      #expect(await test.store.send(batch).ruling?.recorded.isEmpty == true)
      return zip(try counts(test), before).map { $0 - $1 }
    }
    #expect(try await send(madeAt: [100, 101, 102]) == [3, 0])
    #expect(try await send(madeAt: [109, 119, 116, 114]) == [0, 4])
    #expect(try await send(madeAt: [120, 131, 122, 123]) == [4, 0])
    #expect(try await send(madeAt: [12, 13, 11, 10, 14]) == [0, 5])
    // One of them is there already.
    #expect(try await send(madeAt: [14, 15, 16, 17]) == [3, 0])
    #expect(try test.store.upkeep.verify() == [])
  }

  @Test("are never missed by whoever reads meanwhile", .timeLimit(.minutes(5)))
  func readMeanwhile() async throws {
    let store = try await Self.store().store
    let written = Collected<UInt64>()
    let isOver = Flag()
    let hasRead = DispatchSemaphore(value: 0)
    _ = try await atOnce(
      {
        defer { isOver.raise() }
        for id in UInt64(3)..<400 {
          if id == 200 { hasRead.wait() }
          _ = store.sendAndWait(.of(.bump, from: id))
          written.append(id)
        }
      },
      {
        defer { hasRead.signal() }
        var dice = Dice()
        while !isOver.isRaised {
          let ids = written.all.suffix(2 * Self.batch)
          guard let first = ids.first else { continue }
          let id = dice.pick(ids, or: first)
          let entry = try store.log.entry(.number(1), .number(id))
          #expect(entry?.version == Version(Int(id)), dice.note)
          hasRead.signal()
        }
      })
  }

  @Test("of a removed account are gone at every point of a merge, also for the next of its number")
  func removed() async throws {
    for edits in stride(from: UInt64(10), through: 40, by: 3) {
      let test = try await Self.store()
      for id in 3..<edits {
        // Every other commit has ids of both.
        let batches = [(account: UInt64(2), batch: Batch.of(.bump, from: id))]
        let more = [(account: UInt64(1), batch: Batch.of(.bump, from: id))]
        _ = await test.store.sendTogether(id.isMultiple(of: 2) ? batches + more : batches)
      }
      // The last account's number is given to the next. It has the ids in another order, so that
      // each but the first is looked up.
      #expect(try test.store.book.removeAccount(.number(2)))
      #expect(try test.store.upkeep.verify() == [])
      try await test.store.addAccountWithGoal(3)
      for (place, id) in (3..<edits).reversed().enumerated() {
        let answer = await test.store.send(.of(.bump, from: id), to: 3)
        #expect(answer.statuses == [.applied(Version(place + 3))])
      }
      #expect(try test.store.upkeep.verify() == [])
      let other = try test.reopened()
      for id in 4..<edits where id.isMultiple(of: 2) {
        let answer = await other.store.send(.of(.bump, from: id))
        #expect(answer.statuses == [.duplicate(Version(Int(id) / 2 + 1))])
      }
    }
  }

  /// A store in which more ids wait than set out together, as a merge leaves them that was cut off.
  private static func storeAfterStart(waiting: UInt64) async throws -> TestStore {
    let folder = try TemporaryFolder()
    func prepare() async throws {
      let test = try TestStore(in: folder)
      for account in UInt64(1)...2 { try await test.store.addAccountWithGoal(account) }
      for id in 3..<3 + waiting { _ = await test.store.send(.of(.bump, from: id)) }
      test.store.destroy()
    }
    try await prepare()
    return try TestStore(in: folder, idBatch: batch)
  }

  /// Sends each id to a database that refuses its commit, then to one that takes it, then again.
  private func failBeforeEach(_ ids: Range<UInt64>, in test: TestStore) async throws {
    let path = try #require(test.folder).database
    let other = try Connection(path: path, access: .readWrite, busyTimeout: 1000)
    for id in ids {
      try other.execute(
        """
        CREATE TRIGGER refuse BEFORE UPDATE ON day BEGIN SELECT RAISE(ABORT, 'refused'); END;
        CREATE TRIGGER refuse_also BEFORE INSERT ON day BEGIN SELECT RAISE(ABORT, 'refused'); END
        """)
      #expect(await test.store.send(.of(.bump, from: id)).name == "failed")
      try other.execute("DROP TRIGGER refuse; DROP TRIGGER refuse_also")
      let version = Version(Int(id))
      #expect(await test.store.send(.of(.bump, from: id)).statuses == [.applied(version)])
      #expect(await test.store.send(.of(.bump, from: id)).statuses == [.duplicate(version)])
    }
    try other.close()
  }

  @Test("are as they were after a commit that failed, while what waited at the start leaves")
  func failedAfterStart() async throws {
    let test = try await Self.storeAfterStart(waiting: 150)
    try await failBeforeEach(153..<230, in: test)
    for id in UInt64(3)..<230 {
      #expect(
        await test.store.send(.of(.bump, from: id)).statuses == [.duplicate(Version(Int(id)))])
    }
    #expect(try test.store.upkeep.verify() == [])
  }

  @Test("are as they were after a commit that failed, at every point of a merge")
  func failed() async throws {
    let test = try await Self.store()
    try await failBeforeEach(3..<60, in: test)
    #expect(try test.store.upkeep.verify() == [])
    #expect(try test.reopened().store.upkeep.verify() == [])
  }
}
