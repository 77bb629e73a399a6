/// The time on the clock at which a person's day starts: whole minutes from 00:00 to 12:00.
///
/// It is noon at the latest, so that most of a day is on the date that names it.
public struct DayStart: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Minutes after midnight, 0 to 720.
  public let minutes: Int

  /// 00:00, with which a day is the date of the clock.
  public static var midnight: DayStart { DayStart(unchecked: 0) }

  /// Nil outside of 0 to 720.
  public init?(minutes: Int) {
    guard minutes >= 0, minutes <= 720 else { return nil }
    self.init(unchecked: minutes)
  }

  /// Reads `HH:MM`, two digits each.
  public init?(utf8 bytes: some Sequence<UInt8>) {
    let minutes = TextReader.read(bytes) { reader -> Int64? in
      guard let hours = reader.digits(2), reader.take(":"),
        let minutes = reader.digits(2), minutes <= 59, reader.isAtEnd
      else { return nil }
      return hours * 60 + minutes
    }
    guard let minutes else { return nil }
    self.init(minutes: Int(minutes))
  }

  /// Reads a text as `init(utf8:)` reads bytes.
  public init?(_ text: String) {
    self.init(utf8: text.utf8)
  }

  /// How many bytes the text has.
  public static var textCount: Int { 5 }

  /// Writes `HH:MM` into room for `textCount` bytes.
  public func write(into room: UnsafeMutableRawBufferPointer) {
    var text = TextWriter(room)
    text.write(twoDigits: Int64(minutes / 60))
    text.write(":")
    text.write(twoDigits: Int64(minutes % 60))
  }

  public var description: String { String(count: Self.textCount, writtenBy: write(into:)) }

  public static func < (left: DayStart, right: DayStart) -> Bool { left.minutes < right.minutes }

  private init(unchecked minutes: Int) {
    self.minutes = minutes
  }
}
