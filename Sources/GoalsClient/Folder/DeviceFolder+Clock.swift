import Foundation
import GoalsCore

/// What was learned of the device's clock.
extension DeviceFolder {
  /// By how many milliseconds the clock was behind the server's when that was last heard; 0 where
  /// it was not, and where the clock is set otherwise than it was then.
  func clockOffset(of setting: ClockSetting?) -> Int64 {
    guard let setting, let bytes = try? WholeFile.read(clock),
      let words = Self.words(of: Array(bytes.dropLast())), words.count == 3,
      let offset = Int64(words[0]), let start = Int64(words[1]),
      offset.magnitude <= Self.farthest, words[2] == setting.boot,
      Self.isSame(start, setting.start.milliseconds)
    else { return 0 }
    return offset
  }

  /// A hundred years: a clock without a battery begins in 1970.
  private static let farthest: UInt64 = 100 * 366 * 86_400_000

  /// The words of a line that is as it was written; nil for any other. What is not sure is not
  /// worth mending: the server tells it again.
  private static func words(of line: [UInt8]) -> [Substring]? {
    let text = CheckedLine(line).text
    guard CheckedLine.bytes(of: text).dropLast().elementsEqual(line) else { return nil }
    return String(decoding: text, as: UTF8.self).split(separator: " ")
  }

  /// - Parameter setting: nil where it can't be told later whether the clock was set meanwhile.
  func keep(clockOffset offset: Int64, of setting: ClockSetting?) throws(FileError) {
    guard let setting, offset != 0 else { return try WholeFile.remove(clock) }
    let text = "\(offset) \(setting.start.milliseconds) \(setting.boot)"
    try WholeFile.replace(clock, with: CheckedLine.bytes(of: Array(text.utf8)))
  }

  /// Whether two numbers of milliseconds differ by no more than a clock may be off.
  static func isSame(_ one: Int64, _ other: Int64) -> Bool {
    let (difference, overflow) = one.subtractingReportingOverflow(other)
    return !overflow && difference.magnitude <= 60_000
  }

  private var clock: String { path + "/clock" }
}
