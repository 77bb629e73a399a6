import GoalsCore
import SQLite
import Testing

@testable import GoalsStore

@Suite("A filter of ids")
struct IDFilterTests {
  /// Of one kind each, as many as fill the first layer and begin the second.
  private static func ids(_ kind: String, using dice: inout Dice) -> [Edit.ID] {
    (0..<20_000).map { number in
      switch kind {
      case "UUIDv4": Edit.ID(high: dice.next(), low: dice.next())
      case "UUIDv7":
        Edit.ID(
          time: Instant(milliseconds: 1_790_000_000_000 + Int64(number) / 3),
          randomness: (dice.next(), dice.next()))
      default: .number(UInt64(number))
      }
    }
  }

  @Test(
    "holds all that were put in, and few others, however they are chosen",
    arguments: ["UUIDv4", "UUIDv7", "counted"])
  func holds(kind: String) {
    var dice = Dice()
    var filter = IDFilter()
    let ids = Self.ids(kind, using: &dice)
    #expect(!ids.contains { filter.mayHold($0) }, dice.note)
    for id in ids { filter.insert(id) }
    #expect(ids.allSatisfy { filter.mayHold($0) }, dice.note)
    let others = ids.map { Edit.ID(high: $0.high, low: $0.low ^ 1 << 40) }
    #expect(others.count { filter.mayHold($0) } < others.count / 20, dice.note)
  }
}

@Suite("What the writer knows of recorded ids")
struct RecordedIDsTests {
  /// Bumps with these ids.
  private static func bumps(_ ids: some Sequence<UInt64>) -> Batch {
    Batch(
      device: "phone",
      proposals: ids.map { .edit(ProposedEdit(id: .number($0), edit: .bump)) })
  }

  /// A store whose index holds scattered ids, opened anew; and those ids.
  private static func reopened(using dice: inout Dice) async throws -> (TestStore, [UInt64]) {
    let test = try TestStore(in: OpeningFolder(), idBatch: 16)
    try await test.store.addAccountWithGoal()
    let ids = (0..<400).map { UInt64($0) * 7919 % 100_003 + 3 }
    for start in stride(from: 0, to: ids.count, by: 4) {
      let answer = await test.store.send(bumps(ids[start..<start + 4]))
      #expect(answer.ruling?.recorded.count == 4)
    }
    return (try test.reopened(), ids.shuffled(using: &dice))
  }

  @Test("is right while the index is read, in shares, after an opening", arguments: [1, 3, 50])
  func read(perBatch: Int) async throws {
    var dice = Dice()
    let (test, ids) = try await Self.reopened(using: &dice)
    for start in stride(from: 0, to: ids.count, by: perBatch) {
      let batch = Self.bumps(ids[start..<min(start + perBatch, ids.count)])
      let answer = await test.store.send(batch)
      #expect(answer.ruling?.recorded.isEmpty == true, dice.note)
    }
    #expect(try test.store.upkeep.verify() == [], dice.note)
  }

  @Test("is right where the index holds something that is no id")
  func unreadable() async throws {
    var dice = Dice()
    let (test, ids) = try await Self.reopened(using: &dice)
    let path = try #require(test.folder).database
    let other = try Connection(path: path, access: .readWrite, busyTimeout: 0)
    // Between the ids of the account, which come before and after it.
    try other.execute(
      """
      PRAGMA ignore_check_constraints = 1;
      INSERT INTO edit_id VALUES (1, x'0000000000000000000000000000c3', 999)
      """)
    try other.close()
    let later = try test.reopened()
    for id in ids {
      let answer = await later.store.send(Self.bumps([id]))
      #expect(answer.ruling?.recorded.isEmpty == true, dice.note)
    }
    #expect(await later.store.send(Self.bumps([40])).ruling?.recorded.count == 1)
  }

  @Test("spares a new id the look into the index, once that is read")
  func spared() async throws {
    var dice = Dice()
    let (test, ids) = try await Self.reopened(using: &dice)
    // Each of them has 64 rows of the index read.
    #expect(await test.store.send(Self.bumps(ids[..<10])).ruling?.recorded.isEmpty == true)
    // The index names another edit for new ids: whoever looks finds it damaged.
    let strays: [UInt64] = [40, 41]
    let path = try #require(test.folder).database
    for stray in strays {
      let other = try Connection(path: path, access: .readWrite, busyTimeout: 0)
      try other.execute(
        "INSERT INTO edit_id SELECT 1, x'000000000000000000000000000000\(String(stray, radix: 16))', 3"
      )
      try other.close()
    }
    #expect(await test.store.send(Self.bumps([strays[0]])).ruling?.recorded.count == 1)
    let later = try test.reopened()
    // Now it is looked up: not all of the index is read yet.
    #expect(await later.store.send(Self.bumps([strays[1]])).name == "failed")
  }
}
