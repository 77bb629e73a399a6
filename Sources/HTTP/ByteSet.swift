/// A set of ASCII bytes, as the grammars of RFC 9110, 9112 and 3986 name them.
struct ByteSet: Sendable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  init(_ ranges: ClosedRange<UInt8>..., and others: StaticString = "") {
    for range in ranges { for byte in range { insert(byte) } }
    others.withUTF8Buffer { for byte in $0 { insert(byte) } }
  }

  /// Bytes from 0x80 on are never members.
  @inline(__always)
  func contains(_ byte: UInt8) -> Bool {
    if byte < 64 { return low >> UInt64(byte) & 1 == 1 }
    if byte < 128 { return high >> UInt64(byte - 64) & 1 == 1 }
    return false
  }

  private mutating func insert(_ byte: UInt8) {
    if byte < 64 {
      low |= 1 << UInt64(byte)
    } else if byte < 128 {
      high |= 1 << UInt64(byte - 64)
    }
  }

  func union(_ others: StaticString) -> ByteSet {
    var result = self
    others.withUTF8Buffer { for byte in $0 { result.insert(byte) } }
    return result
  }
}

extension ByteSet {
  /// `tchar` of RFC 9110 §5.6.2.
  static let token = ByteSet(
    0x30...0x39, 0x41...0x5A, 0x61...0x7A, and: "!#$%&'*+-.^_`|~")
  /// `unreserved` and `sub-delims` of RFC 3986 §2: with `%`, what a registered host name is made of.
  static let name = ByteSet(
    0x30...0x39, 0x41...0x5A, 0x61...0x7A, and: "-._~!$&'()*+,;=")
  /// `pchar` and `/` of RFC 3986 §3.3, with the `%` that begins an encoded byte.
  static let path = name.union(":@/%")
  /// `query` of RFC 3986 §3.4.
  static let query = path.union("?")
}

/// The bytes that HTTP gives a meaning of their own.
enum ASCII {
  static let tab: UInt8 = 0x09
  static let lineFeed: UInt8 = 0x0A
  static let carriageReturn: UInt8 = 0x0D
  static let space: UInt8 = 0x20
  static let quote: UInt8 = 0x22
  static let percent: UInt8 = 0x25
  static let asterisk: UInt8 = 0x2A
  static let plus: UInt8 = 0x2B
  static let comma: UInt8 = 0x2C
  static let slash: UInt8 = 0x2F
  static let zero: UInt8 = 0x30
  static let colon: UInt8 = 0x3A
  static let semicolon: UInt8 = 0x3B
  static let equals: UInt8 = 0x3D
  static let question: UInt8 = 0x3F
  static let at: UInt8 = 0x40
  static let openBracket: UInt8 = 0x5B
  static let backslash: UInt8 = 0x5C
  static let closeBracket: UInt8 = 0x5D
  static let ampersand: UInt8 = 0x26
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
    guard one.utf8.count == other.utf8.count else { return false }
    let fast = one.utf8.withContiguousStorageIfAvailable { one in
      other.utf8.withContiguousStorageIfAvailable { other in
        one.indices.allSatisfy { lowercased(one[$0]) == lowercased(other[$0]) }
      }
    }
    return (fast ?? nil)
      ?? zip(one.utf8, other.utf8).allSatisfy { lowercased($0) == lowercased($1) }
  }

  /// A control character other than the tab: what no field value may hold (RFC 9110 §5.5).
  @inline(__always)
  static func isControl(_ byte: UInt8) -> Bool {
    byte < space && byte != tab || byte == delete
  }

  /// Where the first control character is, from a place on; the end where there is none. It looks at
  /// eight bytes at once, because every byte of every head comes through here.
  static func firstControl(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    let words = UnsafeRawBufferPointer(bytes)
    var place = start
    while place < bytes.count {
      if place + 8 <= bytes.count,
        !mayHoldControl(words.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      {
        place += 8
        continue
      }
      let end = min(place + 8, bytes.count)
      while place < end {
        if isControl(bytes[place]) { return place }
        place += 1
      }
    }
    return place
  }

  /// Whether one of eight bytes may be a control character; never false where one is. What is less than
  /// a space borrows from the highest bit of its byte, and so does what is 0 without the bits of 0x7F.
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
