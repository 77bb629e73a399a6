import Foundation
import GoalsCore

/// What was learned of the device's clock.
extension DeviceFolder {
  /// By how many milliseconds the clock was behind the server's when that was last heard; 0 where
  /// it was not, and where the clock is set otherwise than it was then.
  func clockOffset(of setting: ClockSetting?) -> Int64 {
    guard let setting, let bytes = try? WholeFile.read(clock) else { return 0 }
    let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard words.count == 3, let offset = Int64(words[0]), let start = Int64(words[1]),
      words[2] == setting.boot, Self.isSame(start, setting.start.milliseconds)
    else { return 0 }
    return offset
  }

  /// - Parameter setting: nil where it can't be told later whether the clock was set meanwhile.
  func keep(clockOffset offset: Int64, of setting: ClockSetting?) throws(FileError) {
    guard let setting, offset != 0 else { return try WholeFile.remove(clock) }
    let line = "\(offset) \(setting.start.milliseconds) \(setting.boot)\n"
    try WholeFile.replace(clock, with: Array(line.utf8))
  }

  /// Whether two numbers of milliseconds differ by no more than a clock may be off.
  static func isSame(_ one: Int64, _ other: Int64) -> Bool {
    let (difference, overflow) = one.subtractingReportingOverflow(other)
    return !overflow && difference.magnitude <= 60_000
  }

  private var clock: String { path + "/clock" }
}
