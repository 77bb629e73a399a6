import GoalsCore
import Testing

@testable import GoalsStore

/// Both accounts have 18 edits, whose ids wait for the index in rows 1 to 36.
@Suite("The ids of a log that was tampered with")
struct TamperedIDTests {
  private static let first = "account 00000000-0000-0000-0000-000000000001: "
  private static let unfound = first + "at version 5 the edit is not found by its id"
  private static let tooMany = "the index holds 37 ids, but the log has 36 edits"
  private static let contradiction = "an id of account number 1 is that of two edits"
  private static let stray = "x'ffffffffffffffffffffffffffffffff'"
  /// As a merge does it.
  private static let merge = """
    INSERT INTO edit_id SELECT place >> 40, id, place & 1099511627775 FROM recent_id;
    """

  static let all: [Tampering] = [
    .init("DELETE FROM recent_id WHERE number = 5", unfound),
    .init("UPDATE recent_id SET id = \(stray) WHERE number = 5", unfound),
    .init("UPDATE recent_id SET place = place + 1 WHERE number = 5", unfound),
    .init("UPDATE recent_id SET place = place + (1 << 40) WHERE number = 5", unfound),
    .init("INSERT INTO recent_id (place, id) VALUES (\(Tampering.place(5)), \(stray))", tooMany),
    .init("INSERT INTO edit_id VALUES (1, \(stray), 5)", tooMany),
    .init("INSERT INTO edit_id VALUES (3, \(stray), 5)", tooMany),
    // Right as long as the other table is asked first.
    .init("INSERT INTO edit_id SELECT 1, id, 6 FROM recent_id WHERE number = 5", contradiction),
    // As if it had not been found when it came again: as many ids as edits.
    .init(
      "INSERT INTO edit_id SELECT 1, id, 6 FROM recent_id WHERE number = 5; DELETE FROM recent_id WHERE number = 6",
      contradiction),
    .init(
      merge + "DELETE FROM recent_id; DELETE FROM edit_id WHERE account = 1 AND version = 5",
      unfound),
    .init(
      merge + "DELETE FROM recent_id; UPDATE edit_id SET version = 6 WHERE version = 5", unfound),
    .init(
      merge
        + "DELETE FROM recent_id; UPDATE edit_id SET id = \(stray) WHERE version = 5 AND account = 1",
      unfound),
    .init(
      "UPDATE account SET number = 77 WHERE number = 1",
      "edits are recorded under account number 1, which is none"),
    .init(
      """
      INSERT INTO edit SELECT 9 << 40, zeroblob(16), format, payload, inverse, hash
        FROM edit WHERE place = \(Tampering.place(7))
      """, "edits are recorded under account number 9, which is none"),
    .init(
      "UPDATE edit SET place = place & 1099511627775 WHERE place >> 40 = 2",
      "edits are recorded under account number 0, which is none"),
    .init(
      "DELETE FROM account WHERE number = 1; INSERT INTO edit_id VALUES (1, \(stray), 1)",
      "the index holds 19 ids, but the log has 18 edits"),
  ]

  @Test("are found out", arguments: all)
  func found(_ tampering: Tampering) async throws {
    let test = try await StoredAccounts().tampered(by: tampering.sql)
    let faults = try test.store.upkeep.verify()
    #expect(faults.contains(tampering.said), "\(faults)")
  }

  @Test(
    "are sound in the index, and while they are in both tables",
    arguments: ["", "DELETE FROM recent_id", "DELETE FROM recent_id WHERE number <= 7"])
  func sound(_ rest: String) async throws {
    let test = try await StoredAccounts().tampered(by: Self.merge + rest)
    #expect(try test.store.upkeep.verify() == [])
    #expect(await test.store.send(.of(.bump, from: 7)).statuses == [.duplicate(Version(7))])
  }

  @Test("name no edit of another id: it fails rather than to answer for that one")
  func another() async throws {
    let test = try await StoredAccounts().tampered(
      by: "UPDATE recent_id SET id = x'000000000000000000000000000001f4' WHERE number = 18")
    #expect(await test.store.send(.of(.bump, from: 500)).name == "failed")
  }

  @Test("that can't be counted on from are refused when the database is opened")
  func lastNumber() async throws {
    let stored = try await StoredAccounts()
    #expect(throws: OpeningError.self) {
      try stored.tampered(by: "UPDATE recent_id SET number = \(Int64.max) WHERE number = 36")
    }
  }
}
