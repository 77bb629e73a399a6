import GoalsCore
import SQLite
import Testing

@testable import GoalsStore

@Suite("A snapshot that this program did not write")
struct SnapshotFormatTests {
  /// What leaves a snapshot of another format: its rows mean something else, whatever they say.
  static let foreign = [
    "UPDATE snapshot SET format = 0, list = x'' WHERE account = 1",
    "UPDATE snapshot SET format = 2, time_zone = 'not a zone' WHERE account = 1",
    lost,
  ]
  static let lost = "DELETE FROM snapshot WHERE account = 1"
  static let garbling = """
    UPDATE goal SET title = 'old', timelines = '{}' WHERE account = 1 AND slot = 0;
    UPDATE day SET count = count + 100 WHERE account = 1;
    INSERT INTO day (account, slot, day, count, excused) VALUES (1, 0, 1, 1, 0), (1, 77, 2, 1, 0);
    DELETE FROM note WHERE account = 1;
    INSERT INTO note (account, slot, version, day, text) VALUES (1, 0, 7, 20777, 'stray');
    INSERT INTO goal (account, slot, id, title, colour, unit, timelines)
      VALUES (1, 50, x'00112233445566778899aabbccddeeff', 'stray', 'red', NULL, '');
    """

  static let edits: [[Edit]] = [
    [Edit(.bump(.number(2), by: .one, note: nil))],
    [Edit(.configure(.init(dayStart: .of("03:30"))))], [Edit(.add(.some(8)))],
    [Edit(.undo(.number(18)))], [],
  ]

  @Test("is made anew from the log, and never misread", arguments: foreign, edits)
  func rebuilt(_ foreign: String, _ edits: [Edit]) async throws {
    let stored = try await StoredAccounts()
    let sound = try TestStore(in: stored.folder)
    let expected = try #require(try sound.store.state(.number(1)))
    var test = try stored.tampered(by: "\(foreign); \(Self.garbling)")
    let read = try #require(try test.store.state(.number(1)))
    #expect(read.state == expected.state)
    #expect(read.chain == expected.chain)
    test = try test.reopened()
    let answer = await test.store.send(.of(all: edits, from: 100))
    let sameAnswer = await sound.store.send(.of(all: edits, from: 100))
    #expect(answer.ruling == sameAnswer.ruling)
    #expect(answer.chain == sameAnswer.chain)
    test = try test.reopened()
    #expect(try test.store.state(.number(1))?.state == answer.ruling?.state)
    guard !edits.isEmpty else {
      let said = "account \(Account.ID.number(1)): its snapshot is missing"
      #expect(try test.store.upkeep.verify() == (foreign == Self.lost ? [said] : []))
      return
    }
    #expect(try test.store.upkeep.verify() == [])
    // With the first edit it was written anew, and whole.
    let folder = try #require(test.folder)
    for table in ["snapshot", "goal", "day", "note"] {
      let rows = "SELECT * FROM \(table) ORDER BY 1, 2, 3"
      #expect(try folder.rows(rows) == stored.folder.rows(rows), "\(table)")
    }
  }
}
