import Foundation

@testable import PostgreSQL

/// What a round records, as `Migrations/postgresql/round.sql` takes it.
struct Round: Sendable {
  struct Edit: Sendable {
    var account: UUIDBits
    var version: Int64
    var id: UUIDBits
    var payload = "{\"type\":\"bump\"}"
    var inverse: String?
    var chain: [UInt8]
  }

  struct Head: Sendable {
    var account: UUIDBits
    var expected: Int64
    var before: [UInt8]
    var seal = [UInt8](repeating: 0, count: 32)
    var version: Int64
    var chain: [UInt8]
    var logBytes: Int64 = 1000
  }

  struct Turn: Sendable {
    var account: UUIDBits
    var root: Int64
    var latest: Int64
    /// Whether the edits of the round took it back or forth once more than the other.
    var isOdd = true
  }

  struct GoalDay: Sendable {
    var account: UUIDBits
    var slot: Int64 = 0
    var day: Int64
    /// Nil: nothing was counted, and the day is not excused.
    var count: Int64?
  }

  struct Note: Sendable {
    var account: UUIDBits
    var slot: Int64 = 0
    var version: Int64
    var day: Int64 = 20_000
    /// Nil: its bump was taken back.
    var text: String?
  }

  var edits: [Edit] = []
  var heads: [Head] = []
  var turns: [Turn] = []
  var days: [GoalDay] = []
  var notes: [Note] = []
  /// The accounts whose list, and the one goal in it, is written.
  var lists: [UUIDBits] = []

  static let query = Query("round", statement)
  static let queryWithoutLocks = Query(
    "round without locks",
    statement.split(separator: "\n").filter { !$0.hasSuffix("-- locked") }.joined(separator: "\n"))

  private static let statement =
    (try? String(contentsOf: folder.appending(path: "round.sql"), encoding: .utf8)) ?? ""

  static let schema =
    (try? String(
      contentsOf: folder.appending(path: "postgresql-0001-initial.sql"), encoding: .utf8)) ?? ""

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Migrations/postgresql")

  var parameters: Parameters {
    var all = Parameters()
    all.add(arrayOf: .uuid) { for edit in edits { $0.add(edit.account) } }
    all.add(arrayOf: .bigint) { for edit in edits { $0.add(edit.version) } }
    all.add(arrayOf: .uuid) { for edit in edits { $0.add(edit.id) } }
    all.add(arrayOf: .text) { for edit in edits { $0.add(edit.payload) } }
    all.add(arrayOf: .text) { for edit in edits { edit.inverse.add(to: &$0) } }
    all.add(arrayOf: .bytea) { for edit in edits { $0.add(bytea: edit.chain.span) } }
    all.add(smallint: 1)
    all.add(arrayOf: .uuid) { for head in heads { $0.add(head.account) } }
    all.add(arrayOf: .bigint) { for head in heads { $0.add(head.expected) } }
    all.add(arrayOf: .bytea) { for head in heads { $0.add(bytea: head.before.span) } }
    all.add(arrayOf: .bytea) { for head in heads { $0.add(bytea: head.seal.span) } }
    all.add(arrayOf: .bigint) { for head in heads { $0.add(head.version) } }
    all.add(arrayOf: .bytea) { for head in heads { $0.add(bytea: head.chain.span) } }
    all.add(arrayOf: .bigint) { for head in heads { $0.add(head.logBytes) } }
    all.add(arrayOf: .uuid) { for turn in turns { $0.add(turn.account) } }
    all.add(arrayOf: .bigint) { for turn in turns { $0.add(turn.root) } }
    all.add(arrayOf: .bigint) { for turn in turns { $0.add(turn.latest) } }
    all.add(arrayOf: .bool) { for turn in turns { $0.add(turn.isOdd) } }
    addSnapshot(to: &all)
    all.add(arrayOf: .bool) { for _ in heads { $0.add(false) } }
    return all
  }

  private func addSnapshot(to all: inout Parameters) {
    all.add(arrayOf: .uuid) { for account in lists { $0.add(account) } }
    all.add(arrayOf: .text) { for _ in lists { $0.add("Europe/Berlin") } }
    all.add(arrayOf: .smallint) { for _ in lists { $0.add(smallint: 1) } }
    all.add(arrayOf: .smallint) { for _ in lists { $0.add(smallint: 240) } }
    all.add(arrayOf: .bytea) { for _ in lists { $0.add(bytea: ([0, 0, 0, 0] as [UInt8]).span) } }
    all.add(arrayOf: .uuid) { for account in lists { $0.add(account) } }
    all.add(arrayOf: .bigint) { for _ in lists { $0.add(0) } }
    all.add(arrayOf: .uuid) { for account in lists { $0.add(account) } }
    for text in ["Read", "#112233"] {
      all.add(arrayOf: .text) { for _ in lists { $0.add(text) } }
    }
    all.add(arrayOf: .text) { for _ in lists { $0.addNull() } }
    all.add(arrayOf: .text) { for _ in lists { $0.add("{}") } }

    let counted = days.filter { $0.count != nil }
    all.add(arrayOf: .uuid) { for day in counted { $0.add(day.account) } }
    all.add(arrayOf: .bigint) { for day in counted { $0.add(day.slot) } }
    all.add(arrayOf: .bigint) { for day in counted { $0.add(day.day) } }
    all.add(arrayOf: .bigint) { for day in counted { $0.add(day.count ?? 0) } }
    all.add(arrayOf: .bool) { for _ in counted { $0.add(false) } }
    let cleared = days.filter { $0.count == nil }
    all.add(arrayOf: .uuid) { for day in cleared { $0.add(day.account) } }
    all.add(arrayOf: .bigint) { for day in cleared { $0.add(day.slot) } }
    all.add(arrayOf: .bigint) { for day in cleared { $0.add(day.day) } }

    let noted = notes.filter { $0.text != nil }
    all.add(arrayOf: .uuid) { for note in noted { $0.add(note.account) } }
    all.add(arrayOf: .bigint) { for note in noted { $0.add(note.slot) } }
    all.add(arrayOf: .bigint) { for note in noted { $0.add(note.version) } }
    all.add(arrayOf: .bigint) { for note in noted { $0.add(note.day) } }
    all.add(arrayOf: .bytea) {
      for note in noted { $0.add(bytea: Array((note.text ?? "").utf8).span) }
    }
    let erased = notes.filter { $0.text == nil }
    all.add(arrayOf: .uuid) { for note in erased { $0.add(note.account) } }
    all.add(arrayOf: .bigint) { for note in erased { $0.add(note.slot) } }
    all.add(arrayOf: .bigint) { for note in erased { $0.add(note.version) } }
  }
}

extension String? {
  fileprivate func add(to array: inout Parameters) {
    if let self { array.add(self) } else { array.addNull() }
  }
}

extension Connection {
  /// Records a round; the accounts that got their edits, or those of which an edit was recorded
  /// already.
  func record(
    _ round: Round, locks: Bool = true, known: Bool = false
  ) throws -> Set<UUIDBits> {
    let query = locks ? Round.query : Round.queryWithoutLocks
    let rows = try run(query, round.parameters, within: .seconds(60))
    return Set(try rows.filter { try $0.bool(at: 1) == known }.map { try $0.uuid(at: 0) })
  }

  /// Accounts of no edits, whose ids are from 1 on. The table has the last one first.
  func makeAccounts(_ count: Int) throws {
    try execute(
      """
      INSERT INTO account (id, name, created_at, time_zone, zone_chosen, week_start, day_start, chain,
        seal, snapshot_format)
      SELECT lpad(to_hex(n), 32, '0')::uuid, 'a', 0, 'UTC', true, 1, 0, '\\x\(String(repeating: "00", count: 32))',
        '\\x\(String(repeating: "00", count: 32))', 1
      FROM generate_series(\(count), 1, -1) n
      """, within: .seconds(60))
  }
}
