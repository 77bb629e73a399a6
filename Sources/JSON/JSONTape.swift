/// The bytes of a document, and the offsets at which its values begin, in the order of the text: a
/// member's name before its value, an array or object before its contents.
final class JSONTape: Sendable {
  /// A value or a member's name. Its first byte tells its kind.
  struct Word: Sendable {
    static var maximumExtent: UInt32 { 0x7FFF_FFFF }

    /// The offset of the first byte; of the opening quote, for a string.
    let start: UInt32

    /// For a string, the number of bytes between the quotes, with the highest bit set where some of
    /// them are escapes. For a number or a literal, the number of bytes. For an array or object,
    /// the number of words that it takes with its contents.
    var extent: UInt32

    init(start: Int, extent: Int, hasEscapes: Bool = false) {
      self.start = UInt32(truncatingIfNeeded: start)
      self.extent = UInt32(truncatingIfNeeded: extent) | (hasEscapes ? ~Self.maximumExtent : 0)
    }

    var length: Int { Int(extent & Self.maximumExtent) }
    var hasEscapes: Bool { extent > Self.maximumExtent }
  }

  let bytes: [UInt8]
  let words: ContiguousArray<Word>

  init(bytes: [UInt8], words: ContiguousArray<Word>) {
    self.bytes = bytes
    self.words = words
  }

  func firstByte(at index: Int) -> UInt8 { bytes[Int(words[index].start)] }

  /// The index on the tape after the value at `index` and its contents.
  func index(after index: Int) -> Int {
    switch firstByte(at: index) {
    case .openingBrace, .openingBracket: index + words[index].length
    // NB: open, every other byte
    default: index + 1
    }
  }
}

/// The bytes that have a meaning in the grammar (RFC 8259 §2, §6, §7).
extension UInt8 {
  static var tab: UInt8 { 0x09 }
  static var lineFeed: UInt8 { 0x0A }
  static var carriageReturn: UInt8 { 0x0D }
  static var space: UInt8 { 0x20 }
  static var quote: UInt8 { 0x22 }
  static var plus: UInt8 { 0x2B }
  static var comma: UInt8 { 0x2C }
  static var minus: UInt8 { 0x2D }
  static var point: UInt8 { 0x2E }
  static var slash: UInt8 { 0x2F }
  static var zero: UInt8 { 0x30 }
  static var nine: UInt8 { 0x39 }
  static var colon: UInt8 { 0x3A }
  static var openingBracket: UInt8 { 0x5B }
  static var backslash: UInt8 { 0x5C }
  static var closingBracket: UInt8 { 0x5D }
  static var openingBrace: UInt8 { 0x7B }
  static var closingBrace: UInt8 { 0x7D }

  var isDigit: Bool { self >= .zero && self <= .nine }

  /// The value of a hexadecimal digit in either case; nil for any other byte.
  var hexadecimalValue: UInt32? {
    switch self {
    case 0x30...0x39: UInt32(self) - 0x30
    case 0x41...0x46: UInt32(self) - 0x41 + 10
    case 0x61...0x66: UInt32(self) - 0x61 + 10
    default: nil
    }
  }
}
