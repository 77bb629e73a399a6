import GoalsCore
import Testing

@testable import GoalsStore

@Suite("A snapshot that was tampered with")
struct TamperedSnapshotTests {
  private static func goal(_ number: Int) -> String {
    "goal 00000000-0000-0000-0000-00000000000\(number) is not as the log tells it"
  }

  static let account: [Tampering] = [
    .init("UPDATE snapshot SET time_zone = 'UTC' WHERE account = 1", "the calendar"),
    .init("UPDATE snapshot SET week_start = 2 WHERE account = 1", "the calendar"),
    .init("UPDATE snapshot SET day_start = 5 WHERE account = 1", "the calendar"),
    .init("UPDATE snapshot SET time_zone = '/' WHERE account = 1", "calendar can't be read"),
    .init("UPDATE snapshot SET week_start = 0 WHERE account = 1", "calendar can't be read"),
    .init("UPDATE snapshot SET day_start = 721 WHERE account = 1", "calendar can't be read"),
    .init(
      "UPDATE snapshot SET list = x'0000000100000000' WHERE account = 1", "the list's order"),
    .init("UPDATE snapshot SET list = x'00000000' WHERE account = 1", "the list can't be read"),
    .init(
      "UPDATE snapshot SET list = CAST(list || x'00000002' AS BLOB) WHERE account = 1",
      "the list can't be read"),
    .init(
      "UPDATE snapshot SET list = CAST(list || x'00' AS BLOB) WHERE account = 1",
      "the list can't be read"),
    .init("UPDATE snapshot SET list = x'' WHERE account = 1", "the list can't be read"),
    .init(
      "DELETE FROM snapshot WHERE account = 1; UPDATE snapshot SET account = 1", "the calendar"),
  ]

  static let goals: [Tampering] = [
    .init("UPDATE goal SET title = 'X' WHERE account = 1 AND slot = 1", goal(2)),
    // Equal to Swift's String, but not what the person wrote.
    .init(
      "UPDATE goal SET title = 'Re' || char(8203) || 'named' WHERE account = 1 AND slot = 1",
      goal(2)),
    .init(
      "UPDATE goal SET title = CAST(x'ff' AS TEXT) WHERE account = 1 AND slot = 1",
      "column 2 is not UTF-8"),
    .init("UPDATE goal SET title = '' WHERE account = 1 AND slot = 1", "a goal can't be read"),
    .init("UPDATE goal SET colour = 'red' WHERE account = 1 AND slot = 0", goal(1)),
    .init("UPDATE goal SET colour = 'pink' WHERE account = 1 AND slot = 0", "a goal can't be read"),
    .init("UPDATE goal SET unit = 'm' WHERE account = 1 AND slot = 1", goal(2)),
    .init("UPDATE goal SET unit = NULL WHERE account = 1 AND slot = 1", goal(2)),
    .init("UPDATE goal SET unit = '' WHERE account = 1 AND slot = 0", "a goal can't be read"),
    .init(
      "UPDATE goal SET timelines = replace(timelines, '3]', '4]') WHERE account = 1 AND slot = 1",
      goal(2)),
    .init(
      "UPDATE goal SET timelines = replace(timelines, '00,', '01,') WHERE account = 1 AND slot = 0",
      goal(1)),
    .init(
      "UPDATE goal SET timelines = '{}' WHERE account = 1 AND slot = 0", "a goal can't be read"),
    .init("UPDATE goal SET id = zeroblob(16) WHERE account = 1 AND slot = 2", goal(3)),
    .init("UPDATE goal SET id = x'00' WHERE account = 1 AND slot = 2", "a goal can't be read"),
    .init(
      "UPDATE goal SET slot = 9 WHERE account = 1 AND slot = 1",
      "the order of the goals can't be read"),
    .init(
      """
      UPDATE goal SET slot = 9 WHERE account = 1 AND slot = 1;
      UPDATE goal SET slot = 1 WHERE account = 1 AND slot = 0;
      UPDATE goal SET slot = 0 WHERE account = 1 AND slot = 9
      """, goal(1)),
    .init("DELETE FROM goal WHERE account = 1 AND slot = 2", goal(3)),
    .init("DELETE FROM goal WHERE account = 1", "a day of no goal can't be read"),
    .init("UPDATE goal SET account = 2, slot = 3 WHERE account = 1 AND slot = 2", goal(3)),
    .init(
      """
      INSERT INTO goal SELECT account, 3, zeroblob(16), title, colour, unit, timelines FROM goal
        WHERE account = 1 AND slot = 2
      """, "goal 00000000-0000-0000-0000-000000000000 is not as the log tells it"),
  ]

  static let days: [Tampering] = [
    .init("UPDATE day SET count = count + 1 WHERE account = 1 AND slot = 0", goal(1)),
    .init("UPDATE day SET count = -1 WHERE account = 1 AND slot = 0", goal(1)),
    .init("UPDATE day SET excused = 1 WHERE account = 1 AND slot = 0", goal(1)),
    .init("UPDATE day SET excused = 0 WHERE account = 1 AND slot = 1", goal(2)),
    .init("UPDATE day SET excused = 2 WHERE account = 1 AND slot = 1", "a day can't be read"),
    .init("UPDATE day SET day = day + 1 WHERE account = 1 AND slot = 0", goal(1)),
    .init("UPDATE day SET day = 9000000 WHERE account = 1 AND slot = 0", "a day can't be read"),
    .init("UPDATE day SET slot = 2 WHERE account = 1 AND slot = 0", goal(1)),
    .init("DELETE FROM day WHERE account = 1 AND slot = 0", goal(1)),
    .init("DELETE FROM day WHERE account = 2; UPDATE day SET account = 2", goal(1)),
    .init("INSERT INTO day VALUES (1, 0, 5, 1, 0)", goal(1)),
    // Of a goal that is yet to be made.
    .init("INSERT INTO day VALUES (1, 3, 5, 1, 0)", "a day of no goal"),
    .init("INSERT INTO day VALUES (1, -1, 5, 1, 0)", "a day of no goal"),
  ]

  static let notes: [Tampering] = [
    .init("UPDATE note SET text = 'x' WHERE account = 1 AND version = 5", goal(1)),
    .init(
      "UPDATE note SET text = printf('%0600d', 0) WHERE account = 1 AND version = 5",
      "a note can't be read"),
    .init("UPDATE note SET day = day - 1 WHERE account = 1 AND version = 5", goal(1)),
    .init("UPDATE note SET version = 4 WHERE account = 1 AND version = 5", goal(1)),
    .init("UPDATE note SET version = -5 WHERE account = 1 AND version = 5", goal(1)),
    .init("UPDATE note SET slot = 1 WHERE account = 1 AND version = 5", goal(1)),
    .init("DELETE FROM note WHERE account = 1 AND version = 5", goal(1)),
    .init("DELETE FROM note WHERE account = 2; UPDATE note SET account = 2", goal(1)),
    .init("INSERT INTO note VALUES (1, 0, 7, 20777, 'undone')", goal(1)),
    .init("INSERT INTO note VALUES (1, 3, 7, 20777, 'stray')", "a note of no goal"),
  ]

  @Test("is found out, in words that name the account", arguments: account + goals + days + notes)
  func found(_ tampering: Tampering) async throws {
    let test = try await StoredAccounts().tampered(by: tampering.sql)
    let faults = try test.store.upkeep.verify()
    let name = "account 00000000-0000-0000-0000-000000000001: "
    #expect(faults.contains { $0.hasPrefix(name) && $0.contains(tampering.said) }, "\(faults)")
  }
}
