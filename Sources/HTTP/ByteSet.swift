/// A set of ASCII bytes, as the grammars of RFC 9110, 9112 and 3986 name them.
struct ByteSet: Sendable {
  /// The bit of each member, by its value.
  private var bits: UInt128 = 0

  init(_ ranges: ClosedRange<UInt8>..., and others: StaticString = "") {
    for range in ranges { for byte in range { bits |= 1 << byte } }
    others.withUTF8Buffer { for byte in $0 { bits |= 1 << byte } }
  }

  /// Bytes from 0x80 on are never members.
  @inline(__always)
  func contains(_ byte: UInt8) -> Bool { byte < 0x80 && bits &>> UInt128(byte) & 1 == 1 }

  func union(_ others: StaticString) -> ByteSet {
    var result = ByteSet(and: others)
    result.bits |= bits
    return result
  }
}

extension ByteSet {
  /// `tchar` of RFC 9110 §5.6.2.
  static let token = ByteSet(
    0x30...0x39, 0x41...0x5A, 0x61...0x7A, and: "!#$%&'*+-.^_`|~")
  /// `unreserved` and `sub-delims` of RFC 3986 §2: with `%`, the bytes of a registered host name.
  static let name = ByteSet(
    0x30...0x39, 0x41...0x5A, 0x61...0x7A, and: "-._~!$&'()*+,;=")
  /// `pchar` and `/` of RFC 3986 §3.3, with the `%` that begins an encoded byte.
  static let path = name.union(":@/%")
  /// `query` of RFC 3986 §3.4.
  static let query = path.union("?")
}

/// The bytes that have a meaning of their own in HTTP.
enum ASCII {
  static let tab: UInt8 = 0x09
  static let lineFeed: UInt8 = 0x0A
  static let carriageReturn: UInt8 = 0x0D
  static let space: UInt8 = 0x20
  static let quote: UInt8 = 0x22
  static let percent: UInt8 = 0x25
  static let comma: UInt8 = 0x2C
  static let slash: UInt8 = 0x2F
  static let zero: UInt8 = 0x30
  static let colon: UInt8 = 0x3A
  static let equals: UInt8 = 0x3D
  static let backslash: UInt8 = 0x5C
  static let delete: UInt8 = 0x7F

  @inline(__always)
  static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  /// The value of a hexadecimal digit in either case.
  @inline(__always)
  static func hex(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }

  @inline(__always)
  static func lowercased(_ byte: UInt8) -> UInt8 {
    byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
  }

  /// Whether the two are equal but for the case of ASCII letters.
  static func equal(_ one: String, _ other: String) -> Bool {
    // Most names differ in their length, and equal ones are mostly written alike.
    one.utf8.count == other.utf8.count
      && (one == other || one.utf8.elementsEqual(other.utf8) { lowercased($0) == lowercased($1) })
  }

  /// Whether the byte is a control character other than the tab. No field value may hold one (RFC
  /// 9110 §5.5).
  @inline(__always)
  static func isControl(_ byte: UInt8) -> Bool {
    byte < space && byte != tab || byte == delete
  }

  /// The index of the first control character from `start` on; `bytes.count` where there is none.
  /// It tests eight bytes at once, because every byte of every head comes through here.
  static func firstControl(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    let words = UnsafeRawBufferPointer(bytes)
    var index = start
    while index + 8 <= bytes.count,
      !mayHoldControl(words.loadUnaligned(fromByteOffset: index, as: UInt64.self))
    { index += 8 }
    while index < bytes.count, !isControl(bytes[index]) { index += 1 }
    return index
  }

  /// Whether one of eight bytes may be a control character; never false where one is. A byte below
  /// the space borrows from its highest bit, and so does a byte that is 0 once the bits of 0x7F are
  /// flipped.
  @inline(__always)
  private static func mayHoldControl(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let below = (word &- (ones &* UInt64(space))) & ~word
    let other = word ^ (ones &* UInt64(delete))
    let highest = ones &* 0x80
    return (below | ((other &- ones) & ~other)) & highest != 0
  }

  @inline(__always)
  static func isSpace(_ byte: UInt8) -> Bool { byte == space || byte == tab }

  /// Without the spaces and tabs at both ends (`OWS` of RFC 9110 §5.6.3).
  static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var start = bytes.startIndex
    var end = bytes.endIndex
    while start < end, isSpace(bytes[start]) { start += 1 }
    while start < end, isSpace(bytes[end - 1]) { end -= 1 }
    return bytes[start..<end]
  }
}
