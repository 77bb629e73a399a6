import Foundation
import GoalsCore
import TestSupport
import Testing

/// The core's, also in files that import Foundation.

typealias SeededDice = TestSupport.SeededDice

extension SeededDice {
  /// What to say beside a failure.
  var note: Comment { "repeat it with GOALS_TEST_SEED=\(seed)" }
}

/// What tests about time take from the system and make up.
enum TimeFixtures {
  static let folder = "/usr/share/zoneinfo"

  static func zone(_ text: String) throws -> Zone {
    let name = try #require(ZoneName(text), "\(text) is no name of a zone")
    return try Zone(name: name, tzif: bytes(of: text))
  }

  static func bytes(of zone: String) throws -> [UInt8] {
    let bytes = FileManager.default.contents(atPath: "\(folder)/\(zone)")
    return [UInt8](try #require(bytes, "\(folder)/\(zone) cannot be read: is tzdata installed?"))
  }

  static func calendar(
    _ zone: String, dayStart: String = "00:00", weekStart: Weekday = .monday
  ) throws -> GoalCalendar {
    GoalCalendar(
      zone: try self.zone(zone), weekStart: weekStart, dayStart: try #require(DayStart(dayStart)))
  }

  /// A zone of no file: these changes (second, offset), the offset before them, and a footer.
  static func zone(
    initial: Int32, changes: [(Int64, Int32)] = [], footer: String = ""
  ) throws -> Zone {
    var file = TZifFile()
    file.changes = changes.enumerated().map { ($1.0, UInt8($0 + 1)) }
    file.offsets = [initial] + changes.map(\.1)
    file.footer = footer
    return try Zone(name: .utc, tzif: file.bytes)
  }
}

/// A TZif file (RFC 9636 §3) to be filled in and written out, also wrongly.
struct TZifFile {
  var version = UInt8(ascii: "2")
  var offsets: [Int32] = [0]
  /// The second and the index of the offset.
  var changes: [(Int64, UInt8)] = []
  var footer: String = ""
  var leapSeconds: UInt32 = 0
  var standardIndicators: UInt32 = 0
  var designations: [UInt8] = Array("LMT\0".utf8)

  var bytes: [UInt8] {
    version == 0
      ? block(wide: false) : block(wide: false) + block(wide: true) + "\n\(footer)\n".utf8
  }

  private func block(wide: Bool) -> [UInt8] {
    var bytes = Array("TZif".utf8) + [version] + [UInt8](repeating: 0, count: 15)
    for count in [
      0, standardIndicators, leapSeconds, UInt32(changes.count), UInt32(offsets.count),
      UInt32(designations.count),
    ] {
      bytes += bigEndian(count)
    }
    for (second, _) in changes {
      bytes += wide ? bigEndian(second) : bigEndian(Int32(truncatingIfNeeded: second))
    }
    bytes += changes.map(\.1)
    for offset in offsets { bytes += bigEndian(offset) + [0, 0] }
    bytes += designations
    bytes += [UInt8](repeating: 0, count: Int(leapSeconds) * (wide ? 12 : 8))
    bytes += [UInt8](repeating: 0, count: Int(standardIndicators))
    return bytes
  }

  private func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian, Array.init)
  }
}
