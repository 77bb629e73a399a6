import GoalsCore
import Testing

@testable import GoalsStore

/// Something that was done to an export of 18 edits, and what is said of it.
struct Damage: Sendable, CustomTestStringConvertible {
  let name: String
  let line: Int
  let detail: String
  let change: @Sendable (inout Export) -> Void

  init(
    _ name: String, _ line: Int, _ detail: String,
    _ change: @escaping @Sendable (inout Export) -> Void
  ) {
    self.name = name
    self.line = line
    self.detail = detail
    self.change = change
  }

  /// Something else in the place of a text in a line.
  init(_ text: String, _ other: String, in place: Int, at line: Int? = nil, _ detail: String) {
    self.init("\(text) → \(other) in line \(place)", line ?? place, detail) { export in
      let before = export.lines[place - 1]
      export.lines[place - 1] = before.replacing(text, with: other)
      precondition(export.lines[place - 1] != before, "\(text) is not in \(before)")
    }
  }

  var testDescription: String { name }
}

@Suite("A damaged export") struct DamagedExportTests {
  private static let chain =
    "the chain does not fit: something was changed since this was exported"
  private static let unreadable = "this is no recorded edit"
  private static let whole = "the last line is missing: the export is not whole"

  static let first: [Damage] = [
    Damage(
      "{\"export\":\"goals\"", "{\"export\":\"tasks\"", in: 1,
      "this is no export of goals: its first line is another"),
    Damage("no first line", 1, "this is no export of goals: its first line is another") {
      $0.lines.removeFirst()
    },
    Damage(
      "\"format\":1", "\"format\":2", in: 1,
      "this version does not know the format of the export"),
    Damage(
      "\"format\":1", "\"format\":\"1\"", in: 1,
      "this version does not know the format of the export"),
    Damage("UTC", "Not a zone!", in: 1, "the calendar can't be read"),
    Damage("monday", "someday", in: 1, "the calendar can't be read"),
    Damage("00:00", "24:00", in: 1, "the calendar can't be read"),
    Damage("\"calendar\"", "\"more\":1,\"calendar\"", in: 1, "the calendar can't be read"),
    Damage("UTC", "Europe/Berlin", in: 1, at: 20, chain),
    Damage("monday", "sunday", in: 1, at: 20, chain),
  ]

  static let edits: [Damage] = [
    Damage("\"by\":2", "\"by\":3", in: 6, at: 20, chain),
    Damage("noted", "nOted", in: 6, at: 20, chain),
    Damage("phone", "clone", in: 3, at: 20, chain),
    Damage("{\"id\"", "{ \"id\"", in: 7, at: 20, chain),
    Damage("\"type\":\"bump\"", "\"type\":\"jump\"", in: 6, unreadable),
    Damage("\"by\":2", "\"by\":0", in: 6, unreadable),
    Damage("\"by\":2", "\"by\":2,\"more\":1", in: 6, unreadable),
    Damage("\"day\":\"2026-11-20\"", "\"day\":\"2026-11-31\"", in: 6, unreadable),
    Damage(",\"day\":\"2026-11-20\"", "", in: 6, unreadable),
    Damage("\"version\":5", "\"version\":6", in: 6, "version 5 is missing"),
    Damage("a line is missing", 6, "version 5 is missing") { $0.lines.remove(at: 5) },
    Damage("a line is there twice", 7, "version 6 is missing") {
      $0.lines.insert($0.lines[5], at: 5)
    },
    Damage("two lines have changed places", 6, "version 5 is missing") {
      $0.lines.swapAt(5, 6)
    },
    Damage(
      "-000000000006\",\"type\"", "-000000000005\",\"type\"", in: 7,
      "the edit's id was there before"),
    Damage(
      "\"recordedAt\":\"2026", "\"recordedAt\":\"2025", in: 7,
      "the edit was recorded before the one before it"),
    Damage(
      "\"edit\":\"00000000-0000-0000-0000-000000000007",
      "\"edit\":\"00000000-0000-0000-0000-000000000099", in: 9,
      "the edit takes back one that is not before it"),
    Damage(
      "\"edit\":\"00000000-0000-0000-0000-000000000007",
      "\"edit\":\"00000000-0000-0000-0000-000000000009", in: 9,
      "the edit takes back one that is not before it"),
    Damage(
      "\"type\"", "\"type\":", in: 4,
      "the line is not JSON (A value is missing, at byte 52)"),
    Damage(
      "a line is empty", 5,
      "the line is not JSON (The document ends too early, at byte 0)"
    ) {
      $0.lines.insert("", at: 4)
    },
    Damage("a line is cut", 5, "the line is not JSON (The document ends too early, at byte 20)") {
      $0.lines[4] = String($0.lines[4].prefix(20))
    },
    Damage("lines end in CR LF", 1, "a line ends in LF alone") { export in
      export.lines = export.lines.map { $0 + "\r" }
    },
    Damage("there is a tab", 2, "a control character is there") { $0.lines[1] += "\t" },
    Damage("a line is an array", 2, unreadable) { $0.lines[1] = "[\($0.lines[1])]" },
    Damage(
      "an edit is of another format", 2,
      "this version does not know the format of the edit"
    ) {
      $0.lines[1] = "{\"format\":2,\"edit\":\($0.lines[1])}"
    },
    Damage("a line is too long", 2, "the line is too long") {
      $0.lines[1] += String(repeating: " ", count: 1 << 20)
    },
  ]

  static let last: [Damage] = [
    Damage("the last line is missing", 20, whole) { $0.lines.removeLast() },
    Damage("only the first line is there", 2, whole) { $0.lines = [$0.lines[0]] },
    Damage(
      "nothing is there", 1,
      "the line is not JSON (The document ends too early, at byte 0)"
    ) { $0.lines = [] },
    Damage("something follows", 21, "something follows the last line") { $0.lines.append("") },
    Damage(
      "\"edits\":18", "\"edits\":17", in: 20,
      "18 edits are there, and the last line tells of 17"),
    Damage("the last edits are missing", 19, "17 edits are there, and the last line tells of 18") {
      $0.lines.remove(at: 18)
    },
    Damage("\"whole\":true", "\"whole\":false", in: 20, "the last line can't be read"),
    Damage("\"chain\":\"", "\"chain\":\"0", in: 20, "the last line can't be read"),
    Damage("another chain is quoted", 20, chain) {
      $0.lines[19] = """
        {"whole":true,"edits":18,"chain":"\(String(repeating: "0", count: 64))"}
        """
    },
  ]

  /// An export of the account with something of everything. It is made once.
  private static let made = Task {
    let accounts = try await StoredAccounts()
    let test = try TestStore(in: accounts.folder)
    defer { test.store.destroy() }
    return try Export(in: test.store)
  }

  private static func export() async throws -> Export { try await made.value }

  @Test("is refused with the line", arguments: first + edits + last)
  func refused(damage: Damage) async throws {
    var export = try await Self.export()
    #expect(export.lines.count == 20)
    #expect(export.fault == nil)
    damage.change(&export)
    #expect(export.fault == ImportFault(damage.line, damage.detail))
  }

  @Test("is refused whichever byte was changed, and wherever it was cut")
  func anyByte() async throws {
    var dice = Dice()
    let bytes = try await Self.export().bytes
    for _ in 0..<400 {
      var damaged = bytes
      if dice.chance(1, in: 3) {
        // Its last line feed is not needed.
        damaged.removeLast(Int.random(in: 2...bytes.count, using: &dice))
      } else {
        damaged[Int.random(in: 0..<bytes.count - 1, using: &dice)] ^=
          1
          << UInt8.random(
            in: 0...7, using: &dice)
      }
      #expect(throws: ImportFault.self, dice.note) { try ImportedLog(reading: damaged) }
    }
  }

  @Test("does not have to end in a line feed")
  func lastLineFeed() async throws {
    let bytes = try await Self.export().bytes
    #expect(throws: Never.self) { try ImportedLog(reading: Array(bytes.dropLast())) }
  }

  @Test("can't bring more goals than an account may ever have")
  func goals() throws {
    var lines = [
      #"{"export":"goals","format":1,"calendar":{"timeZone":"UTC","weekStart":"monday","dayStart":"00:00"}}"#
    ]
    for number in 1...10_001 {
      let digits = String(number)
      let tail = String(repeating: "0", count: 12 - digits.count) + digits
      lines.append(
        """
        {"id":"00000000-0000-0000-0000-\(tail)","type":"add","goal":{"id":\
        "00000000-0000-0000-0001-\(tail)","title":"G"},"at":"2026-11-20T12:00:00.000Z",\
        "version":\(number),"recordedAt":"2026-11-20T12:00:00.000Z","device":"phone"}
        """)
    }
    func fault(_ export: Export) -> ImportFault? {
      do throws(ImportFault) {
        _ = try ImportedLog(reading: export.bytes, maximumGoals: .max)
        return nil
      } catch {
        return error
      }
    }
    var export = Export(lines: lines)
    #expect(
      fault(export)
        == ImportFault(
          10_002,
          "the edit can't have been recorded here: "
            + "10000 goals were made in the account, as many as it can hold."))
    export.lines.removeLast()
    #expect(fault(export) == ImportFault(10_002, Self.whole))
  }
}
