import GoalsCore
import Migrations
import Testing
import TestSupport

@testable import GoalsStore

/// Both accounts have 18 edits, whose ids, 1 to 18, wait for the index: three in each of the rows 1
/// to 6, and 7 to 12.
@Suite("The ids of a log that was tampered with")
struct TamperedIDTests {
  private static let first = "account 00000000-0000-0000-0000-000000000001: "
  private static let unfound = unfound(5)
  private static let tooMany = "the index holds 37 ids, but the log has 36 edits"
  private static let contradiction = "an id of account number 1 is that of two edits"
  private static let ofTwo =
    "the id 00000000-0000-0000-0000-000000000005 of account number 1 is that of two edits"
  private static let bumpOfSecond = Edit(.bump(.number(2), by: .one, note: nil))
  private static let stray: UInt64 = 500
  private static let strayBlob = "x'000000000000000000000000000001f4'"
  /// As a merge does it.
  private static let merge = """
    INSERT INTO edit_id SELECT place >> 40, id, place & 1099511627775 FROM edit;
    """

  private static func unfound(_ version: Int) -> String {
    first + "at version \(version) the edit is not found by its id"
  }

  /// It has those of the versions 4 to 6.
  private static func setSecond(_ ids: String) -> String {
    "UPDATE recent_id SET ids = \(ids) WHERE number = 2"
  }

  static let all: [Tampering] = [
    .init("DELETE FROM recent_id WHERE number = 4", unfound(10)),
    .init(setSecond(Tampering.ids((4, 4), (6, 6))), unfound),
    .init(setSecond(Tampering.ids((4, 4), (5, stray), (6, 6))), unfound),
    .init(setSecond(Tampering.ids((4, 4), (6, 5), (6, 6))), unfound),
    .init(
      "UPDATE recent_id SET ids = \(Tampering.ids((10, 10), (11, 11), account: 2)) WHERE number = 4",
      unfound(10)),
    .init("INSERT INTO recent_id (ids) VALUES (\(Tampering.ids((5, stray))))", tooMany),
    .init("INSERT INTO edit_id VALUES (1, \(strayBlob), 5)", tooMany),
    .init("INSERT INTO edit_id VALUES (3, \(strayBlob), 5)", tooMany),
    // Right as long as the other table is asked first.
    .init(
      "INSERT INTO edit_id SELECT 1, id, 6 FROM edit WHERE place = \(Tampering.place(5))",
      contradiction),
    // As if it had not been found when it came again: as many ids as edits.
    .init(
      "INSERT INTO edit_id SELECT 1, id, 6 FROM edit WHERE place = \(Tampering.place(5));"
        + setSecond(Tampering.ids((4, 4), (5, 5))), contradiction),
    .init(
      merge + "DELETE FROM recent_id; DELETE FROM edit_id WHERE account = 1 AND version = 5",
      unfound),
    .init(
      merge + "DELETE FROM recent_id; UPDATE edit_id SET version = 6 WHERE version = 5", unfound),
    .init(
      merge
        + "DELETE FROM recent_id; UPDATE edit_id SET id = \(strayBlob) WHERE version = 5 AND account = 1",
      unfound),
    .init(
      "UPDATE account SET number = 77 WHERE number = 1",
      "edits are recorded under account number 1, which is none"),
    .init(
      """
      INSERT INTO edit SELECT 9 << 40, zeroblob(16), format, payload, inverse, hash, bytes
        FROM edit WHERE place = \(Tampering.place(7))
      """, "edits are recorded under account number 9, which is none"),
    .init(
      "UPDATE edit SET place = place & 1099511627775 WHERE place >> 40 = 2",
      "edits are recorded under account number 0, which is none"),
    // Its ids stay: only this program takes them out.
    .init(
      "DELETE FROM account WHERE number = 1", "the index holds 36 ids, but the log has 18 edits"),
    .init(
      """
      DELETE FROM account WHERE number = 1; DELETE FROM recent_id;
      INSERT INTO edit_id VALUES (1, \(strayBlob), 1)
      """, "the index holds 1 ids, but the log has 18 edits"),
  ]

  @Test("are found out", arguments: all)
  func found(_ tampering: Tampering) async throws {
    let test = try await StoredAccounts().tampered(by: tampering.sql)
    let faults = try test.store.upkeep.verify()
    #expect(faults.contains(tampering.said), "\(faults)")
    test.store.destroy()
    // Here the ids are checked beside the walk.
    #expect(try Self.loose(#require(test.folder)).verify(isAlone: true).faults == faults)
  }

  private static func loose(_ folder: TemporaryFolder) -> LooseDatabase {
    LooseDatabase(path: folder.database, migrator: Migrator(migrations: Migration.all))
  }

  /// The log is walked a thousand entries at a time.
  @Test(
    "are told of before what comes after them in the log, and not before what comes before",
    arguments: [(7, 1100, true), (7, 1100, false), (1100, 7, true), (1100, 7, false)])
  func order(unfound: Int, broken: Int, isAlone: Bool) async throws {
    let folder = try TemporaryFolder()
    func prepare() async throws {
      let test = try TestStore(in: folder)
      try await test.store.addAccountWithGoal()
      for first in stride(from: UInt64(3), to: 1200, by: 600) {
        _ = await test.store.send(.of(all: Array(repeating: .bump, count: 600), from: first))
      }
      test.store.destroy()
    }
    try await prepare()
    try folder.tamper(
      """
      DELETE FROM edit_id WHERE version = \(unfound);
      UPDATE edit SET hash = zeroblob(32) WHERE place = \(Tampering.place(broken))
      """)
    let faults = try Self.loose(folder).verify(isAlone: isAlone).faults
    let expected =
      unfound < broken
      ? Self.unfound(unfound)
      : Self.first + "at version \(broken) the chain does not fit what is recorded"
    #expect(faults.last == expected)
  }

  @Test(
    "are sound in the index, while they are in both tables, and in two rows",
    arguments: [
      merge, merge + "DELETE FROM recent_id", merge + "DELETE FROM recent_id WHERE number <= 3",
      "INSERT INTO recent_id (ids) SELECT ids FROM recent_id WHERE number <= 3",
    ])
  func sound(_ sql: String) async throws {
    let test = try await StoredAccounts().tampered(by: sql)
    #expect(try test.store.upkeep.verify() == [])
    #expect(await test.store.send(.of(.bump, from: 7)).statuses == [.duplicate(Version(7))])
  }

  @Test("name no edit of another id: it fails rather than to answer for that one")
  func another() async throws {
    let ids = Tampering.ids((16, 16), (17, 17), (18, 500))
    let test = try await StoredAccounts().tampered(
      by: "UPDATE recent_id SET ids = \(ids) WHERE number = 6")
    #expect(await test.store.send(.of(.bump, from: 500)).name == "failed")
  }

  @Test(
    "in rows that can't be read, or counted on from, keep it from being opened; verify says which",
    arguments: [
      ("number = \(Int64.max)", Int64.max), ("number = \(1 << 62)", 1 << 62), ("number = 0", 0),
      ("number = \(Int64.min)", Int64.min), ("ids = zeroblob(0)", 12), ("ids = zeroblob(23)", 12),
      ("ids = CAST(ids || x'00' AS BLOB)", 12), ("ids = zeroblob(24)", 12),
      ("ids = CAST(x'8000010000000012' || zeroblob(16) AS BLOB)", 12),
    ])
  func unreadable(_ change: String, _ number: Int64) async throws {
    let stored = try await StoredAccounts()
    try stored.folder.tamper("UPDATE recent_id SET \(change) WHERE number = 12")
    let said = "row \(number) of recent ids can't be read"
    let error = #expect(throws: OpeningError.self) { try TestStore(in: stored.folder) }
    #expect(error?.description.contains(said) == true, "\(String(describing: error))")
    #expect(try Self.loose(stored.folder).verify(isAlone: true).faults == [said])
  }

  @Test("that rows give to two edits keep it from being opened; verify says which")
  func rows() async throws {
    let stored = try await StoredAccounts()
    try stored.folder.tamper(
      "INSERT INTO recent_id (number, ids) VALUES (77, \(Tampering.ids((6, 5))))")
    let error = #expect(throws: OpeningError.self) { try TestStore(in: stored.folder) }
    #expect(error?.description.contains(Self.ofTwo) == true, "\(String(describing: error))")
    #expect(try Self.loose(stored.folder).verify(isAlone: true).faults == [Self.ofTwo])
  }

  @Test("of which a row and the index disagree are not answered for, though the row is right")
  func lookedUp() async throws {
    let test = try await StoredAccounts().tampered(
      by: "INSERT INTO edit_id SELECT 1, id, 6 FROM edit WHERE place = \(Tampering.place(5))")
    #expect(await test.store.send(.of(.bump, from: 5)).name == "failed")
    #expect(test.failures.contains { $0.description.contains(Self.ofTwo) })
    // Nobody else is kept waiting for it.
    #expect(await test.store.send(.of(Self.bumpOfSecond, from: 500), to: 2).statuses.count == 1)
  }

  @Test("of which the index knows one that no look-up found are not put there twice")
  func indexed() async throws {
    let test = try TestStore(in: await StoredAccounts().folder)
    // Behind the back of the writer, who has the filter and the end of the log in memory.
    _ = await test.store.send(.of(Self.bumpOfSecond, from: 500))
    try #require(test.folder).tamper(
      "INSERT INTO edit_id VALUES (1, x'000000000000000000000000000003e8', 3)")
    let edits = Array(repeating: Self.bumpOfSecond, count: 4)
    #expect(await test.store.send(.of(all: edits, from: 1000)).name == "unavailable")
    #expect(test.failures.contains { $0.description.contains("000003e8 of account number 1") })
  }
}
