/// The text of a day: RFC 3339 `full-date`.
extension Day: CustomStringConvertible {
  /// Reads `YYYY-MM-DD` and nothing else; nil for a date that the calendar does not have.
  public init?(utf8 bytes: some Sequence<UInt8>) {
    guard let day = TextReader.read(bytes, Day.init) else { return nil }
    self = day
  }

  /// Reads the same from bytes that a parser holds.
  public init?(utf8 bytes: UnsafeRawBufferPointer) {
    guard let day = TextReader.read(bytes, Day.init) else { return nil }
    self = day
  }

  private init?(_ reader: inout TextReader) {
    guard let day = reader.fullDate(), reader.isAtEnd else { return nil }
    self = day
  }

  /// Reads a text as `init(utf8:)` reads bytes.
  public init?(_ text: String) {
    self.init(utf8: text.utf8)
  }

  /// How many bytes the text has.
  public static var textCount: Int { 10 }

  /// Writes `YYYY-MM-DD` into room for `textCount` bytes.
  public func write(into room: UnsafeMutableRawBufferPointer) {
    var text = TextWriter(room)
    write(to: &text)
  }

  func write(to text: inout TextWriter) {
    let date = CivilDate(number: Int64(number))
    text.write(twoDigits: date.year / 100)
    text.write(twoDigits: date.year % 100)
    text.write("-")
    text.write(twoDigits: date.month)
    text.write("-")
    text.write(twoDigits: date.day)
  }

  public var description: String { String(count: Self.textCount, writtenBy: write(into:)) }
}
