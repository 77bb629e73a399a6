/// A word or a sign of Swift code. A run of letters, digits and `_` is one word, every other
/// character is a sign of its own, and a string literal is the sign `"`, followed by the tokens of
/// its interpolations.
struct Token: Equatable, Sendable {
  let text: String
  let line: Int
}

/// Swift code without what is no code: comments are kept aside, by line, and the contents of
/// string literals are dropped, so that no rule stumbles over what is merely said.
struct SwiftCode: Sendable {
  let tokens: [Token]
  /// Where in `tokens` each text is, so that a rule looks only where it may apply.
  let places: [String: [Int]]
  /// The lines that hold a comment, with its text; of two on one line, both.
  let comments: [Int: String]

  init(_ text: String) {
    var lexer = Lexer(bytes: Array(text.utf8))
    lexer.readCode(isInterpolation: false)
    tokens = lexer.tokens
    places = Dictionary(grouping: tokens.indices) { lexer.tokens[$0].text }
    comments = lexer.comments
  }
}

/// Reads as much of Swift's lexical structure as telling code from text takes. Regex literals
/// between bare slashes are not known to it.
private struct Lexer {
  let bytes: [UInt8]
  var index = 0
  var line = 1
  var tokens: [Token] = []
  var comments: [Int: String] = [:]

  /// Up to the end, or to the parenthesis that closes an interpolation.
  mutating func readCode(isInterpolation: Bool) {
    var depth = 0
    while let byte = peek() {
      if isWordByte(byte) {
        readWord()
      } else if starts("//") {
        readLineComment()
      } else if starts("/*") {
        readBlockComment()
      } else if let hashes = hashesBeforeQuote() {
        readString(hashes: hashes)
      } else {
        if byte == UInt8(ascii: "(") { depth += 1 }
        if byte == UInt8(ascii: ")") {
          if isInterpolation && depth == 0 { return }
          depth -= 1
        }
        if byte > UInt8(ascii: " ") {
          tokens.append(Token(text: String(decoding: [byte], as: UTF8.self), line: line))
        }
        skip()
      }
    }
  }

  private mutating func readWord() {
    let start = index
    while let byte = peek(), isWordByte(byte) { skip() }
    tokens.append(Token(text: String(decoding: bytes[start..<index], as: UTF8.self), line: line))
  }

  private mutating func readLineComment() {
    let start = index
    while let byte = peek(), byte != UInt8(ascii: "\n") { skip() }
    comment(bytes[start..<index])
  }

  private mutating func readBlockComment() {
    var depth = 0
    var start = index
    repeat {
      if starts("/*") {
        depth += 1
        skip(2)
      } else if starts("*/") {
        depth -= 1
        skip(2)
      } else {
        if peek() == UInt8(ascii: "\n") {
          comment(bytes[start..<index])
          start = index + 1
        }
        skip()
      }
    } while depth > 0 && peek() != nil
    comment(bytes[start..<index])
  }

  private mutating func comment(_ text: ArraySlice<UInt8>) {
    comments[line, default: ""] += String(decoding: text, as: UTF8.self)
  }

  /// A literal ends at its delimiter; one of a single line ends with the line at the latest, so
  /// that a stray quote spoils no more than that.
  private mutating func readString(hashes: Int) {
    tokens.append(Token(text: "\"", line: line))
    skip(hashes)
    let hash = String(repeating: "#", count: hashes)
    let isLong = starts("\"\"\"")
    let quote = isLong ? "\"\"\"" : "\""
    skip(quote.utf8.count)
    while let byte = peek() {
      if starts(quote + hash) {
        skip(quote.utf8.count + hashes)
        return
      } else if starts("\\" + hash + "(") {
        skip(2 + hashes)
        readCode(isInterpolation: true)
        skip()
      } else if starts("\\" + hash) {
        skip(2 + hashes)
      } else if byte == UInt8(ascii: "\n") && !isLong {
        return
      } else {
        skip()
      }
    }
  }

  /// How many `#` stand before a quote that is next, if one is.
  private func hashesBeforeQuote() -> Int? {
    var end = index
    while end < bytes.count, bytes[end] == UInt8(ascii: "#") { end += 1 }
    guard end < bytes.count, bytes[end] == UInt8(ascii: "\"") else { return nil }
    return end - index
  }

  private func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: byte >= 0x80
    }
  }

  private func peek() -> UInt8? { index < bytes.count ? bytes[index] : nil }

  private func starts(_ text: String) -> Bool {
    peek() == text.utf8.first && bytes[index...].starts(with: text.utf8)
  }

  private mutating func skip(_ count: Int = 1) {
    for _ in 0..<count {
      guard let byte = peek() else { return }
      if byte == UInt8(ascii: "\n") { line += 1 }
      index += 1
    }
  }
}
