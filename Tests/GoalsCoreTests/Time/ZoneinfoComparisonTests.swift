import Foundation
import GoalsCore
import Testing

@Suite("Every zone of the system, beside Python's zoneinfo")
struct ZoneinfoComparisonTests {
  @Test("has the same offset at a thousand instants, also after 2037")
  func offsets() throws {
    let dice = SeededDice()
    var reader = VectorReader(try vectors("offsets", dice))
    var zones = 0
    while let name = try reader.name() {
      let zone = try TimeFixtures.zone(name)
      zones += 1
      var differences: [String] = []
      for _ in 0..<(try reader.number(UInt32.self)) {
        let instant = Instant(seconds: try reader.number(Int64.self))
        let expected = try reader.number(Int32.self)
        let offset = zone.offset(at: instant)
        if offset != expected { differences.append("\(instant): \(offset), not \(expected)") }
      }
      #expect(
        differences.isEmpty,
        "\(name), \(differences.count) times: \(differences.prefix(5)). \(dice.note)")
    }
    #expect(try zones == Int(reader.number(UInt32.self)))
    #expect(zones > 300)
  }

  @Test("starts its days where a minute hand meets the day start first")
  func days() throws {
    let dice = SeededDice()
    let lines = String(decoding: try vectors("days", dice), as: UTF8.self).split(separator: "\n")
    var calendars: [Substring: GoalCalendar] = [:]
    for line in lines.dropLast() {
      let fields = line.split(separator: " ")
      try #require(fields.count == 4, "\(line)")
      let key = line.prefix(fields[0].count + fields[1].count + 1)
      let calendar = try calendars[key] ?? self.calendar(zone: fields[0], dayStart: fields[1])
      calendars[key] = calendar
      let day = Day.on(String(fields[2]))
      expect(calendar, day, startsAt: Int64(fields[3]), "\(line). \(dice.note)")
    }
    #expect(lines.last == "end \(lines.count - 1)")
    #expect(lines.count > 500)
  }

  private func calendar(zone: Substring, dayStart: Substring) throws -> GoalCalendar {
    let dayStart = try #require(Int(dayStart).flatMap(DayStart.init(minutes:)))
    return GoalCalendar(zone: try TimeFixtures.zone(String(zone)), dayStart: dayStart)
  }

  private func expect(
    _ calendar: GoalCalendar, _ day: Day, startsAt second: Int64?, _ comment: Comment
  ) {
    guard let second else {
      #expect(!calendar.exists(day), comment)
      #expect(calendar.start(of: day) == calendar.end(of: day), comment)
      return
    }
    let start = Instant(seconds: second)
    #expect(calendar.exists(day), comment)
    #expect(calendar.start(of: day) == start, comment)
    #expect(calendar.day(of: start) == day, comment)
    #expect(calendar.day(of: start.adding(milliseconds: -1)) < day, comment)
  }

  /// Runs the script beside this file.
  private func vectors(_ mode: String, _ dice: SeededDice) throws -> Data {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("zoneinfo_vectors.py").path
    let errors = FileManager.default.temporaryDirectory
      .appendingPathComponent("zoneinfo-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: errors) }
    let words = ["python3", "-B", script, mode, String(dice.seed), TimeFixtures.folder]
    let command = "exec \(words.map(quoted).joined(separator: " ")) 2>\(quoted(errors))"
    let python = try #require(popen(command, "r"))
    let output = FileHandle(fileDescriptor: fileno(python), closeOnDealloc: false)
    let vectors = Result { try output.readToEnd() ?? Data() }
    let status = pclose(python)
    let reason = String(
      decoding: FileManager.default.contents(atPath: errors) ?? Data(), as: UTF8.self)
    try #require(
      status == 0,
      """
      This test needs python3 (3.9 or later, with its zoneinfo) and the files of tzdata in \
      \(TimeFixtures.folder). \(reason)
      """)
    return try vectors.get()
  }

  /// A word of a shell's command.
  private func quoted(_ word: String) -> String {
    "'\(word.replacing("'", with: "'\\''"))'"
  }
}

/// Reads the script's binary output; throws where it ends too early.
private struct VectorReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ data: Data) { bytes = [UInt8](data) }

  /// Nil at the end mark.
  mutating func name() throws -> String? {
    let length = Int(try number(UInt8.self))
    guard length > 0 else { return nil }
    try #require(position + length <= bytes.count, "the vectors are cut off")
    defer { position += length }
    return String(decoding: bytes[position..<position + length], as: UTF8.self)
  }

  mutating func number<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
    let size = MemoryLayout<Number>.size
    guard position + size <= bytes.count else {
      try #require(Bool(false), "the vectors are cut off")
      return 0
    }
    defer { position += size }
    return bytes.withUnsafeBytes {
      Number(littleEndian: $0.loadUnaligned(fromByteOffset: position, as: Number.self))
    }
  }
}
