/// The text of a day: RFC 3339 `full-date`.
extension Day: CustomStringConvertible {
  /// Reads `YYYY-MM-DD` and nothing else; nil for a date that the calendar does not have.
  public init?(utf8 bytes: some Sequence<UInt8>) {
    guard let day = TextReader.read(bytes, Day.init) else { return nil }
    self = day
  }

  /// As above, of bytes that a parser holds.
  public init?(utf8 bytes: UnsafeRawBufferPointer) {
    guard let day = TextReader.read(bytes, Day.init) else { return nil }
    self = day
  }

  private init?(_ reader: inout TextReader) {
    guard let day = reader.fullDate(), reader.isAtEnd else { return nil }
    self = day
  }

  /// Reads a text as `init(utf8:)` does.
  public init?(_ text: String) {
    self.init(utf8: text.utf8)
  }

  /// Appends ten bytes, `YYYY-MM-DD`.
  public func write(to bytes: inout [UInt8]) {
    let date = CivilDate(number: Int64(number))
    bytes.append(twoDigits: date.year / 100)
    bytes.append(twoDigits: date.year % 100)
    bytes.append("-")
    bytes.append(twoDigits: date.month)
    bytes.append("-")
    bytes.append(twoDigits: date.day)
  }

  public var description: String {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
