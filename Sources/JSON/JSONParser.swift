/// Reads a text once, from left to right, and notes on a tape where its values are (RFC 8259).
///
/// It recurses, to `JSONDocument.maximumDepth` and no further.
struct JSONParser {
  let bytes: [UInt8]
  var position = 0
  private(set) var words: ContiguousArray<JSONTape.Word> = []
  private var depth = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    words.reserveCapacity(bytes.count / 12 + 4)
  }

  /// The byte at `position`, or 0 at the end, since a NUL is right nowhere.
  var current: UInt8 { position < bytes.count ? bytes[position] : 0 }

  /// The fault of the byte at `position`.
  func fault(_ reason: JSONError.Reason) -> JSONError {
    JSONError(position < bytes.count ? reason : .endOfInput, at: position)
  }

  mutating func note(_ word: JSONTape.Word) {
    words.append(word)
  }

  /// `JSON-text = ws value ws`
  mutating func readDocument() throws(JSONError) {
    guard !bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { throw fault(.byteOrderMark) }
    skipWhiteSpace()
    try readValue()
    skipWhiteSpace()
    guard position == bytes.count else { throw fault(.bytesAfterValue) }
  }

  private mutating func skipWhiteSpace() {
    while true {
      switch current {
      case .space, .lineFeed, .carriageReturn, .tab: position += 1
      // NB: open, every other byte
      default: return
      }
    }
  }

  private mutating func readValue() throws(JSONError) {
    switch current {
    case .quote: try readString()
    case .openingBrace: try readObject()
    case .openingBracket: try readArray()
    case .minus, .zero ... .nine: try readNumber()
    case UInt8(ascii: "t"): try readLiteral("true")
    case UInt8(ascii: "f"): try readLiteral("false")
    case UInt8(ascii: "n"): try readLiteral("null")
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
      throw fault(.unknownLiteral)
    // NB: open, every other byte
    default: throw fault(.expectedValue)
    }
  }

  /// `object = "{" [ string ":" value *( "," string ":" value ) ] "}"`, each with white space
  /// around it.
  private mutating func readObject() throws(JSONError) {
    let index = try open()
    if current == .closingBrace { return close(index) }
    while true {
      guard current == .quote else { throw fault(.expectedName) }
      try readString()
      skipWhiteSpace()
      guard current == .colon else { throw fault(.expectedColon) }
      position += 1
      skipWhiteSpace()
      try readValue()
      skipWhiteSpace()
      switch current {
      case .comma: position += 1
      case .closingBrace: return close(index)
      // NB: open, every other byte
      default: throw fault(.expectedCommaOrBrace)
      }
      skipWhiteSpace()
    }
  }

  /// `array = "[" [ value *( "," value ) ] "]"`, each with white space around it.
  private mutating func readArray() throws(JSONError) {
    let index = try open()
    if current == .closingBracket { return close(index) }
    while true {
      try readValue()
      skipWhiteSpace()
      switch current {
      case .comma: position += 1
      case .closingBracket: return close(index)
      // NB: open, every other byte
      default: throw fault(.expectedCommaOrBracket)
      }
      skipWhiteSpace()
    }
  }

  /// Steps into an array or object, and returns its index on the tape.
  private mutating func open() throws(JSONError) -> Int {
    guard depth < JSONDocument.maximumDepth else { throw fault(.tooDeep) }
    depth += 1
    let index = words.count
    note(JSONTape.Word(start: position, extent: 1))
    position += 1
    skipWhiteSpace()
    return index
  }

  private mutating func close(_ index: Int) {
    depth -= 1
    position += 1
    words[index].extent = UInt32(truncatingIfNeeded: words.count - index)
  }

  private mutating func readLiteral(_ literal: StaticString) throws(JSONError) {
    let start = position
    let rest = bytes.count - start
    let matched = literal.withUTF8Buffer { expected in
      for offset in 0..<min(expected.count, rest) where bytes[start + offset] != expected[offset] {
        return false
      }
      return true
    }
    guard matched else { throw fault(.unknownLiteral) }
    position += min(literal.utf8CodeUnitCount, rest)
    guard rest >= literal.utf8CodeUnitCount else { throw fault(.endOfInput) }
    note(JSONTape.Word(start: start, extent: literal.utf8CodeUnitCount))
  }

  /// `number = [ minus ] int [ frac ] [ exp ]` (RFC 8259 §6)
  private mutating func readNumber() throws(JSONError) {
    let start = position
    if current == .minus { position += 1 }
    if current == .zero {
      position += 1
      guard !current.isDigit else { throw fault(.leadingZero) }
    } else {
      try skipDigits()
    }
    if current == .point {
      position += 1
      try skipDigits()
    }
    if current | 0x20 == UInt8(ascii: "e") {
      position += 1
      if current == .plus || current == .minus { position += 1 }
      try skipDigits()
    }
    note(JSONTape.Word(start: start, extent: position - start))
  }

  private mutating func skipDigits() throws(JSONError) {
    guard current.isDigit else { throw fault(.expectedDigit) }
    repeat { position += 1 } while current.isDigit
  }
}
