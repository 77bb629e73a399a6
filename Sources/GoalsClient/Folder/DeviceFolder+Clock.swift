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

  // MARK: Guesses

  /// Notes that an edit was dated by a clock that nobody has compared yet, so that another process
  /// can correct it. A crash may lose the note: the edit stays as it is then.
  func note(guess edit: Edit.ID, at instant: Instant, of setting: ClockSetting) {
    let text = "\(edit) \(instant.milliseconds) \(setting.start.milliseconds) \(setting.boot)"
    let line = CheckedLine.bytes(of: Array(text.utf8))
    let file = try? Descriptor(opening: guesses, O_WRONLY | O_CREAT | O_APPEND)
    guard let file else { return }
    _ = line.withUnsafeBytes { write(file.number, $0.baseAddress, $0.count) }
  }

  /// The edits that were dated by the clock as it is set now, while nobody had compared it.
  func guesses(of setting: ClockSetting?) -> [Edit.ID: Instant] {
    guard let setting, let bytes = try? WholeFile.read(guesses) else { return [:] }
    var found: [Edit.ID: Instant] = [:]
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      guard let words = Self.words(of: Array(line)), words.count == 4, let id = Edit.ID(words[0]),
        let at = Int64(words[1]), let start = Int64(words[2]), words[3] == setting.boot,
        Self.isSame(start, setting.start.milliseconds)
      else { continue }
      found[id] = Instant(milliseconds: at)
    }
    return found
  }

  /// Before any edit is sent: one that the server may have is not corrected.
  func forgetGuesses() throws(FileError) { try WholeFile.remove(guesses) }

  private var guesses: String { path + "/guesses" }

  /// Whether two numbers of milliseconds differ by no more than a clock may be off.
  static func isSame(_ one: Int64, _ other: Int64) -> Bool {
    let (difference, overflow) = one.subtractingReportingOverflow(other)
    return !overflow && difference.magnitude <= 60_000
  }

  private var clock: String { path + "/clock" }
}
