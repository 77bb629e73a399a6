extension JSONParser {
  /// `string = quotation-mark *char quotation-mark` (RFC 8259 §7)
  mutating func readString() throws(JSONError) {
    let start = position
    var hasEscapes = false
    position += 1
    while true {
      skipPlainCharacters()
      switch current {
      case .quote:
        let length = position - start - 1
        note(JSONTape.Word(start: start, extent: length, hasEscapes: hasEscapes))
        position += 1
        return
      case .backslash:
        hasEscapes = true
        try skipEscape()
      case 0x80...:
        try skipMultibyteCharacter()
      // NB: open, every other byte
      default:
        throw fault(.unescapedControl)
      }
    }
  }

  /// Moves on to the next byte that is a quote, a backslash, a control or not ASCII.
  ///
  /// It looks at eight bytes at a time as long as there are eight, since most of a text is within
  /// quotes.
  private mutating func skipPlainCharacters() {
    position = bytes.withUnsafeBytes { bytes in
      var offset = position
      while offset + 8 <= bytes.count {
        let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        let others = Self.marksOfOthers(UInt64(littleEndian: word))
        if others != 0 { return offset + others.trailingZeroBitCount / 8 }
        offset += 8
      }
      while offset < bytes.count, Self.isPlain(bytes[offset]) { offset += 1 }
      return offset
    }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= .space && byte < 0x80 && byte != .quote && byte != .backslash
  }

  /// Not 0 where one of eight bytes is no plain character. The lowest set bit is then the highest
  /// bit of the first such byte.
  ///
  /// A subtraction borrows from the next byte only where its own byte is no plain character, so the
  /// lowest mark is always right.
  private static func marksOfOthers(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let controls = word &- ones &* UInt64(UInt8.space)
    let quotes = (word ^ ones &* UInt64(UInt8.quote)) &- ones
    let backslashes = (word ^ ones &* UInt64(UInt8.backslash)) &- ones
    return (word | controls | quotes | backslashes) & (ones &* 0x80)
  }

  private mutating func skipEscape() throws(JSONError) {
    let start = position
    position += 1
    switch current {
    case .quote, .backslash, .slash, UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"),
      UInt8(ascii: "r"), UInt8(ascii: "t"):
      position += 1
    case UInt8(ascii: "u"):
      position += 1
      switch try readCodeUnit() {
      case 0xDC00...0xDFFF: throw JSONError(.loneSurrogate, at: start)
      case 0xD800...0xDBFF: try skipLowSurrogate(after: start)
      default: break
      }
    // NB: open, every other byte
    default: throw fault(.unknownEscape)
    }
  }

  /// Skips the second half of a pair whose first half is at `start`.
  private mutating func skipLowSurrogate(after start: Int) throws(JSONError) {
    for expected in [UInt8.backslash, UInt8(ascii: "u")] {
      guard current == expected else {
        throw position < bytes.count ? JSONError(.loneSurrogate, at: start) : fault(.endOfInput)
      }
      position += 1
    }
    guard case 0xDC00...0xDFFF = try readCodeUnit() else {
      throw JSONError(.loneSurrogate, at: start)
    }
  }

  private mutating func readCodeUnit() throws(JSONError) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = current.hexadecimalValue else { throw fault(.unknownEscape) }
      unit = unit << 4 | digit
      position += 1
    }
    return unit
  }

  /// Skips `UTF8-2 / UTF8-3 / UTF8-4` of RFC 3629 §4, which exclude overlong forms, surrogates and
  /// code points above U+10FFFF.
  private mutating func skipMultibyteCharacter() throws(JSONError) {
    let second: ClosedRange<UInt8>
    let tail: Int
    switch current {
    case 0xC2...0xDF: (second, tail) = (0x80...0xBF, 0)
    case 0xE0: (second, tail) = (0xA0...0xBF, 1)
    case 0xED: (second, tail) = (0x80...0x9F, 1)
    case 0xE1...0xEF: (second, tail) = (0x80...0xBF, 1)
    case 0xF0: (second, tail) = (0x90...0xBF, 2)
    case 0xF1...0xF3: (second, tail) = (0x80...0xBF, 2)
    case 0xF4: (second, tail) = (0x80...0x8F, 2)
    default: throw fault(.invalidUTF8)
    }
    position += 1
    guard second.contains(current) else { throw fault(.invalidUTF8) }
    position += 1
    for _ in 0..<tail {
      guard (0x80...0xBF).contains(current) else { throw fault(.invalidUTF8) }
      position += 1
    }
  }
}
