/// The text of an instant: RFC 3339 `date-time`.
extension Instant: CustomStringConvertible {
  /// Reads a `date-time` of RFC 3339 §5.6, with any offset. The colon in the offset may be left
  /// out, as `date +%z` does.
  ///
  /// `t` and `z` may be in lower case, as the section's note allows. The note also allows a space
  /// for the `T`; this reader does not. A fraction of any length is cut off after the milliseconds,
  /// towards the past. `-00:00` is UTC (§4.3).
  ///
  /// `:60` is read where §5.7 allows a leap second: in the last minute of a month in UTC. It is the
  /// first instant of the next month, whatever its fraction. A clock that shows the leap second is
  /// right, but POSIX time has no number for it, and this way it never sorts after a later event.
  /// Which months had a leap second does not count, since a list of them would be out of date.
  /// Anywhere else `:60` is no time.
  ///
  /// Returns nil for anything else, and for an instant outside of `earliest` to `latest`.
  public init?(utf8 bytes: some Sequence<UInt8>) {
    guard let instant = TextReader.read(bytes, Instant.init) else { return nil }
    self = instant
  }

  /// Reads the same from bytes that a parser holds. It is not generic, since a generic call from
  /// another target would cost more than the reading.
  public init?(utf8 bytes: UnsafeRawBufferPointer) {
    guard let instant = TextReader.read(bytes, Instant.init) else { return nil }
    self = instant
  }

  private init?(_ reader: inout TextReader) {
    guard let day = reader.fullDate(), reader.take("T") || reader.take("t"),
      let hour = reader.digits(2), hour <= 23, reader.take(":"),
      let minute = reader.digits(2), minute <= 59, reader.take(":"),
      let second = reader.digits(2), second <= 60,
      let fraction = reader.fraction(), let offset = reader.timeOffset(), reader.isAtEnd
    else { return nil }

    let minuteStart = Int64(day.number) * 86_400 + hour * 3600 + minute * 60 - offset
    let instant: Instant
    if second < 60 {
      instant = Instant(milliseconds: (minuteStart + second) * 1000 + fraction)
    } else {
      let following = minuteStart + 60
      guard following.modulo(86_400) == 0,
        CivilDate(number: following.floored(by: 86_400)).day == 1
      else { return nil }
      instant = Instant(seconds: following)
    }
    guard instant >= .earliest, instant <= .latest else { return nil }
    self = instant
  }

  /// Reads a text as `init(utf8:)` reads bytes.
  public init?(_ text: String) {
    self.init(utf8: text.utf8)
  }

  /// How many bytes the text has.
  public static var textCount: Int { 24 }

  /// Writes a text such as `2026-11-20T23:50:00.000Z` into room for `textCount` bytes. For an
  /// instant without a text it writes the nearest instant that has one.
  public func write(into room: UnsafeMutableRawBufferPointer) {
    var text = TextWriter(room)
    let printed = min(max(self, .earliest), .latest).milliseconds
    let inDay = printed.modulo(86_400_000)
    Day(clamping: printed.floored(by: 86_400_000)).write(to: &text)
    text.write("T")
    text.write(twoDigits: inDay / 3_600_000)
    text.write(":")
    text.write(twoDigits: inDay / 60_000 % 60)
    text.write(":")
    text.write(twoDigits: inDay / 1000 % 60)
    text.write(".")
    text.write(digit: inDay % 1000 / 100)
    text.write(twoDigits: inDay % 100)
    text.write("Z")
  }

  public var description: String { String(count: Self.textCount, writtenBy: write(into:)) }
}

extension TextReader {
  /// RFC 3339 `time-secfrac`, in whole milliseconds; 0 where there is none, nil for a point
  /// without a digit.
  fileprivate mutating func fraction() -> Int64? {
    guard take(".") else { return 0 }
    guard var milliseconds = digit() else { return nil }
    milliseconds *= 100
    if let tens = digit() { milliseconds += tens * 10 }
    if let ones = digit() { milliseconds += ones }
    while digit() != nil {}
    return milliseconds
  }

  /// RFC 3339 `time-offset`, in seconds east of UTC.
  fileprivate mutating func timeOffset() -> Int64? {
    if take("Z") || take("z") { return 0 }
    let sign: Int64
    if take("+") {
      sign = 1
    } else if take("-") {
      sign = -1
    } else {
      return nil
    }
    guard let hours = digits(2), hours <= 23 else { return nil }
    _ = take(":")
    guard let minutes = digits(2), minutes <= 59 else { return nil }
    return sign * (hours * 3600 + minutes * 60)
  }
}
