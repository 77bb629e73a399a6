/// A UUID with the type of its subject: `ID<Goal>` and `ID<Edit>` cannot be mixed up.
///
/// The text is that of RFC 9562 §4: 32 hexadecimal digits in groups of 8-4-4-4-12, read in any
/// case, printed in lower case. Any 128 bits are accepted, whatever version or variant they claim.
/// IDs are ordered by their bytes, so UUIDv7 sorts by time.
public struct ID<Subject>: Hashable, Comparable, Sendable {
  /// The first eight bytes, as a number.
  public let high: UInt64
  /// The last eight bytes, as a number.
  public let low: UInt64

  /// The id of these 128 bits.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// A UUIDv7 (RFC 9562 §5.7): the milliseconds of `time`, then 74 bits of `randomness`.
  public init(time: Instant, randomness: (UInt64, UInt64)) {
    let stamp = UInt64(bitPattern: max(0, time.milliseconds)) << 16
    high = stamp | 0x7000 | (randomness.0 & 0x0FFF)
    low = 0x8000_0000_0000_0000 | (randomness.1 & 0x3FFF_FFFF_FFFF_FFFF)
  }

  public static func < (left: Self, right: Self) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}

extension ID {
  /// Reads the 36 characters of a UUID; nil for anything else.
  public init?(utf8 text: UnsafeRawBufferPointer) {
    guard text.count == 36 else { return nil }
    let hyphen = UInt8(ascii: "-")
    guard text[8] == hyphen, text[13] == hyphen, text[18] == hyphen, text[23] == hyphen else {
      return nil
    }
    func four(_ offset: Int) -> UInt64 {
      UInt64(UInt32(bigEndian: text.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    }
    guard
      let first = hexadecimalValue(of: four(0) << 32 | four(4)),
      let second = hexadecimalValue(of: four(9) << 32 | four(14)),
      let third = hexadecimalValue(of: four(19) << 32 | four(24)),
      let fourth = hexadecimalValue(of: four(28) << 32 | four(32))
    else { return nil }
    self.init(
      high: UInt64(first) << 32 | UInt64(second), low: UInt64(third) << 32 | UInt64(fourth))
  }

  /// Reads the 36 characters of a UUID; nil for anything else.
  public init?(_ text: some StringProtocol) {
    var text = String(text)
    let read = text.withUTF8 { Self(utf8: UnsafeRawBufferPointer($0)) }
    guard let read else { return nil }
    self = read
  }

  /// The length of the text in characters, and in bytes.
  public static var textCount: Int { 36 }

  /// Writes the characters, in lower case, into room for `textCount` bytes.
  public func write(into room: UnsafeMutableRawBufferPointer) {
    let words = (
      hexadecimalDigits(for: UInt32(truncatingIfNeeded: high >> 32)),
      hexadecimalDigits(for: UInt32(truncatingIfNeeded: high)),
      hexadecimalDigits(for: UInt32(truncatingIfNeeded: low >> 32)),
      hexadecimalDigits(for: UInt32(truncatingIfNeeded: low))
    )
    room.storeBytes(of: words.0.bigEndian, toByteOffset: 0, as: UInt64.self)
    room[8] = UInt8(ascii: "-")
    room.storeBytes(of: UInt32(words.1 >> 32).bigEndian, toByteOffset: 9, as: UInt32.self)
    room[13] = UInt8(ascii: "-")
    room.storeBytes(
      of: UInt32(truncatingIfNeeded: words.1).bigEndian, toByteOffset: 14, as: UInt32.self)
    room[18] = UInt8(ascii: "-")
    room.storeBytes(of: UInt32(words.2 >> 32).bigEndian, toByteOffset: 19, as: UInt32.self)
    room[23] = UInt8(ascii: "-")
    room.storeBytes(
      of: UInt32(truncatingIfNeeded: words.2).bigEndian, toByteOffset: 24, as: UInt32.self)
    room.storeBytes(of: words.3.bigEndian, toByteOffset: 28, as: UInt64.self)
  }

  /// The sixteen bytes, most significant first.
  public var bytes: [UInt8] { withBytes { $0.withUnsafeBytes { Array($0) } } }

  /// Lends the sixteen bytes to `body` without copying them.
  public func withBytes<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { words throws(Failure) in
      try body(words.assumingMemoryBound(to: UInt8.self).span)
    }
  }

  /// The value of sixteen bytes, most significant first; nil for any other count.
  public init?(bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 16 else { return nil }
    self.init(
      high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
      low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
  }

  /// The value of sixteen bytes, most significant first; nil for any other count.
  public init?(bytes: [UInt8]) {
    guard let id = bytes.withUnsafeBytes({ Self(bytes: $0) }) else { return nil }
    self = id
  }
}

extension ID: CustomStringConvertible {
  public var description: String { String(count: Self.textCount, writtenBy: write(into:)) }
}

/// 0 to 15 for a hexadecimal digit in either case; nil for any other character.
package func hexadecimalValue(of byte: UInt8) -> UInt64? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
  case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
  case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
  default: nil  // NB: open, every other byte
  }
}

/// The lower-case digit for the lowest four bits.
package func hexadecimalDigit(for value: UInt8) -> UInt8 {
  let value = value & 0xF
  return value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
}

/// The eight lower-case digits of 32 bits, the first in the highest byte: all at once, a digit in
/// each byte of a word.
private func hexadecimalDigits(for value: UInt32) -> UInt64 {
  var digits = UInt64(value)
  digits = (digits << 16 | digits) & 0x0000_FFFF_0000_FFFF
  digits = (digits << 8 | digits) & 0x00FF_00FF_00FF_00FF
  digits = (digits << 4 | digits) & 0x0F0F_0F0F_0F0F_0F0F
  // 1 in each byte that is 10 or more.
  let letters = (digits &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
  return digits &+ 0x3030_3030_3030_3030 &+ letters &* 0x27
}

/// The value of eight hexadecimal digits in either case, the first in the highest byte; nil for
/// anything else.
private func hexadecimalValue(of digits: UInt64) -> UInt32? {
  let letters = digits >> 6 & 0x0101_0101_0101_0101
  var value = (digits &+ letters &* 9) & 0x0F0F_0F0F_0F0F_0F0F
  value = (value | value >> 4) & 0x00FF_00FF_00FF_00FF
  value = (value | value >> 8) & 0x0000_FFFF_0000_FFFF
  let read = UInt32(truncatingIfNeeded: value | value >> 16)
  // Where the value does not print as the text in lower case, the text held other characters.
  return hexadecimalDigits(for: read) == digits | letters << 5 ? read : nil
}
