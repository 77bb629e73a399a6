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
  private static func bumps(_ ids: some Sequence<Edit.ID>) -> Batch {
    Batch(
      device: "phone", proposals: ids.map { .edit(ProposedEdit(id: $0, edit: .bump)) })
  }

  /// As those of UUIDv4, in no order, and no neighbours.
  private static func scattered(_ count: Int, using dice: inout Dice) -> [Edit.ID] {
    (0..<count).map { _ in Edit.ID(high: dice.next() >> 1, low: dice.next()) }
  }

  /// A store, opened anew, that holds edits with these ids: most in the index, some yet to go there.
  private static func reopened(
    _ ids: [Edit.ID], using dice: inout Dice
  ) async throws -> TestStore {
    let test = try TestStore(in: OpeningFolder(), idBatch: 64)
    try await test.store.addAccountWithGoal()
    var rest = ids[...]
    while !rest.isEmpty {
      let batch = rest.prefix(Int.random(in: 1...3, using: &dice))
      rest = rest.dropFirst(batch.count)
      #expect(await test.store.send(bumps(batch)).ruling?.recorded.count == batch.count)
    }
    let counts = try #require(test.folder).rows(
      "SELECT (SELECT count(*) FROM recent_id) > 20, (SELECT count(*) FROM edit_id) > 500")
    #expect(counts == [[1, 1]], dice.note)
    return try test.reopened()
  }

  @Test(
    "is right while the index is read, in shares, after an opening, and ids go there",
    arguments: [1, 3, 50])
  func read(perBatch: Int) async throws {
    var dice = Dice()
    let ids = Self.scattered(800, using: &dice)
    let test = try await Self.reopened(ids, using: &dice)
    var sent = ids.shuffled(using: &dice)
    for _ in 0..<200 {
      let new = Self.scattered(Int.random(in: 1...3, using: &dice), using: &dice)
      let again = (0..<perBatch).map { _ in dice.pick(sent, or: ids[0]) }
      let answer = await test.store.send(Self.bumps(Set(again)))
      #expect(answer.ruling?.recorded.isEmpty == true, dice.note)
      #expect(await test.store.send(Self.bumps(new)).ruling?.recorded.count == new.count, dice.note)
      sent += new
    }
    for id in sent {
      #expect(await test.store.send(Self.bumps([id])).ruling?.recorded.isEmpty == true, dice.note)
    }
    #expect(try test.store.upkeep.verify() == [], dice.note)
  }

  /// Puts rows into the index that name no edit.
  private static func damage(_ test: TestStore, _ blobs: [String]) throws {
    let path = try #require(test.folder).database
    let other = try Connection(path: path, access: .readWrite, busyTimeout: 0)
    for blob in blobs {
      try other.execute(
        "PRAGMA ignore_check_constraints = 1; INSERT INTO edit_id VALUES (1, x'\(blob)', 3)")
    }
    try other.close()
  }

  @Test("is right where the index holds something that is no id")
  func unreadable() async throws {
    var dice = Dice()
    let ids = Self.scattered(800, using: &dice)
    let test = try await Self.reopened(ids, using: &dice)
    // Between the ids of the account.
    try Self.damage(test, ["4000000000000000"])
    for id in ids.shuffled(using: &dice) {
      #expect(await test.store.send(Self.bumps([id])).ruling?.recorded.isEmpty == true, dice.note)
    }
    #expect(await test.store.send(Self.bumps([.number(40)])).ruling?.recorded.count == 1)
  }

  @Test("spares a new id the look into the index, once that is read")
  func spared() async throws {
    var dice = Dice()
    let ids = Self.scattered(800, using: &dice)
    let test = try await Self.reopened(ids, using: &dice)
    // Each of them has 64 rows of the index read.
    #expect(await test.store.send(Self.bumps(ids[..<20])).ruling?.recorded.isEmpty == true)
    // The index names another edit for new ids: whoever looks finds it damaged.
    try Self.damage(
      test, ["7\(String(repeating: "0", count: 31))", "7\(String(repeating: "0", count: 30))1"])
    let strays = (0..<2).map { Edit.ID(high: 7 << 60, low: $0) }
    #expect(await test.store.send(Self.bumps([strays[0]])).ruling?.recorded.count == 1)
    let later = try test.reopened()
    // Now it is looked up: not all of the index is read yet.
    #expect(await later.store.send(Self.bumps([strays[1]])).name == "failed")
  }
}
