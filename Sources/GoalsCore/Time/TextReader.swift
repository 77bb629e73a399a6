/// Reads a short text forwards, byte by byte, and looks one byte ahead. For text that does not fit,
/// a method returns nil or false; none of them traps.
struct TextReader {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  /// The result of `body`, which need not read all bytes. The pointer to the bytes is valid only
  /// while `body` runs.
  static func read<Value>(
    _ bytes: UnsafeRawBufferPointer, _ body: (inout TextReader) -> Value?
  ) -> Value? {
    var reader = TextReader(bytes: bytes)
    return body(&reader)
  }

  /// Reads a sequence of bytes. It reads them in place where they are contiguous in memory, since
  /// reading through the protocol would cost a call for each byte.
  static func read<Value>(
    _ bytes: some Sequence<UInt8>, _ body: (inout TextReader) -> Value?
  ) -> Value? {
    let inPlace = bytes.withContiguousStorageIfAvailable { bytes in
      read(UnsafeRawBufferPointer(bytes), body)
    }
    return inPlace ?? Array(bytes).withUnsafeBytes { bytes in read(bytes, body) }
  }

  private init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// The byte to be read next, nil at the end.
  var next: UInt8? { isAtEnd ? nil : bytes[position] }

  var isAtEnd: Bool { position >= bytes.count }

  mutating func skip() {
    if !isAtEnd { position += 1 }
  }

  /// Reads this character if it comes next.
  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    skip()
    return true
  }

  mutating func digit() -> Int64? {
    guard let byte = next, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
    skip()
    return Int64(byte - UInt8(ascii: "0"))
  }

  /// Reads exactly this many decimal digits (few enough for an Int64).
  mutating func digits(_ count: Int) -> Int64? {
    var value: Int64 = 0
    for _ in 0..<count {
      guard let digit = digit() else { return nil }
      value = value * 10 + digit
    }
    return value
  }

  /// Reads one to three decimal digits, as many as there are; nil for a number outside of the
  /// range.
  mutating func number(in range: ClosedRange<Int64>) -> Int64? {
    guard var value = digit() else { return nil }
    for _ in 0..<2 {
      guard let digit = digit() else { break }
      value = value * 10 + digit
    }
    return range.contains(value) ? value : nil
  }

  /// The date of RFC 3339 `full-date`: four digits, two, two, and a date that is in the calendar.
  mutating func fullDate() -> Day? {
    guard let year = digits(4), take("-"), let month = digits(2), take("-"), let day = digits(2)
    else { return nil }
    return Day(year: Int(year), month: Int(month), day: Int(day))
  }
}
