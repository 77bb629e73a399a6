import GoalsCore
import SQLite
import Testing
import TestSupport

@testable import GoalsStore

@Suite("A database that was tampered with")
struct TamperedDatabaseTests {
  @Test("is told of each account that is damaged, and of no other")
  func each() async throws {
    let stored = try await StoredAccounts()
    let test = try stored.tampered(
      by: "UPDATE day SET count = 99; UPDATE edit SET hash = zeroblob(32) WHERE place >> 40 = 2")
    let faults = try test.store.upkeep.verify()
    #expect(
      faults == [
        "account 00000000-0000-0000-0000-000000000001: "
          + "goal 00000000-0000-0000-0000-000000000001 is not as the log tells it",
        "account 00000000-0000-0000-0000-000000000002: "
          + "at version 1 the chain does not fit what is recorded",
      ])
  }

  @Test(
    "is told of rows that point at nothing",
    arguments: [
      ("UPDATE account SET number = 77 WHERE number = 1", "snapshot"),
      ("UPDATE token SET account = 77 WHERE account = 1", "token"),
      ("UPDATE undo_chain SET account = 77 WHERE account = 1", "undo_chain"),
      ("UPDATE snapshot SET account = 77 WHERE account = 1", "snapshot"),
      ("UPDATE goal SET account = 77 WHERE account = 1", "goal"),
      ("UPDATE day SET account = 77 WHERE account = 1", "day"),
      ("UPDATE note SET account = 77 WHERE account = 1", "note"),
    ])
  func pointless(_ sql: String, _ table: String) async throws {
    let test = try await StoredAccounts().tampered(by: sql)
    let faults = try test.store.upkeep.verify()
    #expect(
      faults.contains { $0.hasPrefix("\(table) row ") && $0.hasSuffix(" points at no account") },
      "\(faults)")
  }

  @Test(
    "is told of a log that was written anew, with a chain that holds",
    arguments: [
      (5, "\"by\":2", "\"by\":3", "goal 00000000-0000-0000-0000-000000000001 is not"),
      (9, "\"version\":9", "\"version\":8", "at version 9 the edit's id or version is not"),
      (
        9, "2026-11-20T12:00:00.000Z\",\"device", "2026-11-20T11:59:59.999Z\",\"device",
        "at version 9 the edit was recorded before the one before it"
      ),
      (17, "\"by\":5", "\"by\":\"5\"", "the edit of version 17 can't be read"),
    ])
  func rewritten(_ version: Int, _ text: String, _ other: String, _ said: String) async throws {
    let stored = try await StoredAccounts()
    try stored.folder.tamper(
      "UPDATE edit SET payload = replace(payload, '\(text)', '\(other)') "
        + "WHERE place = \(Tampering.place(version))")
    let calendar = #"{"timeZone":"UTC","weekStart":"monday","dayStart":"00:00"}"#
    var link = SHA256.hash(Array("goals/1\n\(calendar)".utf8))
    let rows = try stored.folder.rows(
      "SELECT place, payload FROM edit WHERE place >> 40 = 1 ORDER BY place")
    for row in rows {
      link = SHA256.hash(link + [1] + Array(row[1].description.utf8))
      let hash = link.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
      try stored.folder.tamper("UPDATE edit SET hash = x'\(hash)' WHERE place = \(row[0])")
    }
    let faults = try TestStore(in: stored.folder).store.upkeep.verify()
    let name = "account 00000000-0000-0000-0000-000000000001: "
    #expect(faults.count == 1)
    #expect(faults.allSatisfy { $0.hasPrefix(name + said) }, "\(faults)")
  }

  /// What neither the chain, nor the fold, nor the seals speak of: whether a zone was chosen, when
  /// a token was last used, and the row that is there to be written. A snapshot of another format
  /// is made anew, so that nothing of it is believed.
  static let uncovered = [
    "account.zone_chosen", "token.last_used_at", "snapshot.format", "recent_id.number",
    "probe.written_at",
  ]

  @Test("is not told of what nothing covers", arguments: uncovered)
  func passedBy(_ name: String) async throws {
    let (table, column) = (name.prefix { $0 != "." }, name.drop { $0 != "." }.dropFirst())
    let value = ["recent_id.number": "77", "account.zone_chosen": "1"][name] ?? "7"
    let limit =
      switch table {
      case "probe": ""
      case "account", "recent_id": " WHERE number = 1"
      default: " WHERE account = 1"
      }
    let test = try await StoredAccounts()
      .tampered(by: "UPDATE \(table) SET \(column) = \(value)\(limit)")
    #expect(try test.store.upkeep.verify() == [])
  }

  @Test("has no column of which nothing is said here")
  func complete() async throws {
    let stored = try await StoredAccounts()
    let tampered =
      TamperedLogTests.log + TamperedLogTests.inverse + TamperedLogTests.chains
      + TamperedLogTests.calendar + TamperedSnapshotTests.account + TamperedSnapshotTests.goals
      + TamperedSnapshotTests.days + TamperedSnapshotTests.notes + TamperedIDTests.all
      + TamperedBookTests.changes + QuotaTests.changes
    var columns: [String] = []
    for table in [
      "account", "token", "edit", "recent_id", "edit_id", "undo_chain", "snapshot", "goal", "day",
      "note", "probe",
    ] {
      for row in try stored.folder.rows("SELECT name FROM pragma_table_info('\(table)')") {
        columns.append("\(table).\(row[0])")
      }
    }
    #expect(columns.count == 63)
    let pointing = columns.filter { $0.hasSuffix(".account") } + ["account.number"]
    for column in columns where !Self.uncovered.contains(column) && !pointing.contains(column) {
      let words = column.split(separator: ".")
      let update = "UPDATE \(words[0]) SET "
      #expect(
        tampered.contains { $0.sql.contains(update) && $0.sql.contains("\(words[1]) =") },
        "\(column)")
    }
  }

  @Test("is told of a page that is garbled, and does not fail over it")
  func garbled() async throws {
    let stored = try await StoredAccounts()
    let copy = try TemporaryFolder()
    var bytes = try #require(try stored.folder.contents()["goals.sqlite"])
    let root = try stored.folder.rows("SELECT rootpage FROM sqlite_schema WHERE name = 'day'")
    guard case .integer(let page) = root[0][0] else {
      Issue.record("the table of days has no page")
      return
    }
    for offset in 0..<100 { bytes[Int(page - 1) * 4096 + offset] = 0xee }
    try copy.put(Array(bytes), in: "goals.sqlite")
    let faults = try TestStore(in: copy).store.upkeep.verify()
    #expect(
      faults.contains { $0.contains("Page \(page)") || $0.contains("malformed") }, "\(faults)")
  }
}
