import JSON
import Testing

typealias Refused = (text: String, reason: JSONError.Reason, offset: Int)

@Suite("A document that RFC 8259 does not allow")
struct RefusedDocumentTests {
  static let structure: [Refused] = [
    ("", .endOfInput, 0), (" ", .endOfInput, 1), ("[", .endOfInput, 1), ("{", .endOfInput, 1),
    ("[1", .endOfInput, 2), ("[1,", .endOfInput, 3), (#"{"a""#, .endOfInput, 4),
    (#"{"a":"#, .endOfInput, 5), (#"{"a":1"#, .endOfInput, 6), (#"{"a":1,"#, .endOfInput, 7),
    ("[1,]", .expectedValue, 3), (#"["",]"#, .expectedValue, 4), ("[1,,2]", .expectedValue, 3),
    ("[,]", .expectedValue, 1), ("[,1]", .expectedValue, 1), (",", .expectedValue, 0),
    ("]", .expectedValue, 0), ("}", .expectedValue, 0), (":", .expectedValue, 0),
    ("[1 2]", .expectedCommaOrBracket, 3), ("[1}", .expectedCommaOrBracket, 2),
    ("[1:2]", .expectedCommaOrBracket, 2), (#"[""a]"#, .expectedCommaOrBracket, 3),
    (#"{"id":0,}"#, .expectedName, 8), ("{,}", .expectedName, 1), ("{1:1}", .expectedName, 1),
    ("{a:1}", .expectedName, 1), ("{'a':1}", .expectedName, 1), ("{null:1}", .expectedName, 1),
    (#"{"a":1,,"b":2}"#, .expectedName, 7), ("{]", .expectedName, 1),
    (#"{"a"}"#, .expectedColon, 4), (#"{"a" 1}"#, .expectedColon, 5),
    (#"{"a",1}"#, .expectedColon, 4), (#"{"a"=1}"#, .expectedColon, 4),
    (#"{"a":}"#, .expectedValue, 5), (#"{"a"::1}"#, .expectedValue, 5),
    (#"{"a":1 "b":2}"#, .expectedCommaOrBrace, 7), (#"{"a":1]"#, .expectedCommaOrBrace, 6),
    (#"{"a":"b":"c"}"#, .expectedCommaOrBrace, 8),
    ("1 2", .bytesAfterValue, 2), ("[] []", .bytesAfterValue, 3), ("[]]", .bytesAfterValue, 2),
    ("{}}", .bytesAfterValue, 2), ("null,", .bytesAfterValue, 4), ("truetrue", .bytesAfterValue, 4),
    ("[]\u{0}", .bytesAfterValue, 2), ("1//", .bytesAfterValue, 1), ("/**/1", .expectedValue, 0),
    ("[1]#", .bytesAfterValue, 3), ("\u{C}null", .expectedValue, 0), ("\u{B}1", .expectedValue, 0),
    ("\u{A0}1", .expectedValue, 0), ("\u{2060}1", .expectedValue, 0), ("\u{0}", .expectedValue, 0),
    ("[\u{C}]", .expectedValue, 1), ("'a'", .expectedValue, 0), ("(1)", .expectedValue, 0),
    ("\u{FEFF}", .byteOrderMark, 0), ("\u{FEFF}{}", .byteOrderMark, 0),
    (" \u{FEFF}{}", .expectedValue, 1), ("{}\u{FEFF}", .bytesAfterValue, 2),
  ]

  static let literals: [Refused] = [
    ("True", .unknownLiteral, 0), ("TRUE", .unknownLiteral, 0), ("nul", .endOfInput, 3),
    ("tru", .endOfInput, 3), ("fals", .endOfInput, 4), ("n", .endOfInput, 1),
    ("nil", .unknownLiteral, 0), ("nulL", .unknownLiteral, 0), ("tru]", .unknownLiteral, 0),
    ("[tru]", .unknownLiteral, 1), ("[falsy]", .unknownLiteral, 1), ("nullx", .bytesAfterValue, 4),
    ("NaN", .unknownLiteral, 0), ("Infinity", .unknownLiteral, 0), ("a", .unknownLiteral, 0),
    ("undefined", .unknownLiteral, 0), ("-Infinity", .expectedDigit, 1),
    ("-NaN", .expectedDigit, 1),
  ]

  static let numbers: [Refused] = [
    ("-", .endOfInput, 1), ("[-]", .expectedDigit, 1 + 1), ("--1", .expectedDigit, 1),
    ("-a", .expectedDigit, 1), ("- 1", .expectedDigit, 1), ("+1", .expectedValue, 0),
    (".5", .expectedValue, 0), ("-.5", .expectedDigit, 1), ("1.", .endOfInput, 2),
    ("[1.]", .expectedDigit, 3), ("1.e5", .expectedDigit, 2), ("1..5", .expectedDigit, 2),
    ("1.5.5", .bytesAfterValue, 3), ("1e", .endOfInput, 2), ("1e+", .endOfInput, 3),
    ("1e-", .endOfInput, 3), ("[1e]", .expectedDigit, 3), ("[1e+]", .expectedDigit, 4),
    ("1e+-1", .expectedDigit, 3), ("1e1.5", .bytesAfterValue, 3), ("1ee1", .expectedDigit, 2),
    ("01", .leadingZero, 1), ("-01", .leadingZero, 2), ("00", .leadingZero, 1),
    ("[012]", .leadingZero, 2), ("00.5", .leadingZero, 1), ("0x1F", .bytesAfterValue, 1),
    ("1_000", .bytesAfterValue, 1), ("1 000", .bytesAfterValue, 2), ("1,5", .bytesAfterValue, 1),
    ("1a", .bytesAfterValue, 1), ("\u{FF11}", .expectedValue, 0), ("0b1", .bytesAfterValue, 1),
  ]

  static let strings: [Refused] = [
    (#"""#, .endOfInput, 1), (#""a"#, .endOfInput, 2), (#""\"#, .endOfInput, 2),
    (#""\""#, .endOfInput, 3), (#""\u"#, .endOfInput, 3), (#""\u00"#, .endOfInput, 5),
    (#""\a""#, .unknownEscape, 2), (#""\'""#, .unknownEscape, 2), (#""\0""#, .unknownEscape, 2),
    (#""\x41""#, .unknownEscape, 2), (#""\U0041""#, .unknownEscape, 2),
    ("\"\\\n\"", .unknownEscape, 2),
    (#""\u004""#, .unknownEscape, 6), (#""\u004g""#, .unknownEscape, 6),
    (#""\u{41}""#, .unknownEscape, 3), (#""\u 041""#, .unknownEscape, 3),
    (#""\u-041""#, .unknownEscape, 3), (#""\é""#, .unknownEscape, 2),
    ("\"\n\"", .unescapedControl, 1), ("\"a\tb\"", .unescapedControl, 2),
    ("\"\r\"", .unescapedControl, 1), ("\"\u{0}\"", .unescapedControl, 1),
    ("\"\u{1F}\"", .unescapedControl, 1), ("{\"\n\":1}", .unescapedControl, 2),
    (#""\uD800""#, .loneSurrogate, 1), (#""\uDBFF ""#, .loneSurrogate, 1),
    (#""\uDC00""#, .loneSurrogate, 1), (#""\uDFFF\uD800""#, .loneSurrogate, 1),
    (#""\uD800\uD800""#, .loneSurrogate, 1), (#""\uD800\u0041""#, .loneSurrogate, 1),
    (#""\uD800\n""#, .loneSurrogate, 1), (#""ab\uD83Dx""#, .loneSurrogate, 3),
    (#""\uD83D\uDE0""#, .unknownEscape, 12), (#""\uD83D\"#, .endOfInput, 8),
    (#""\uD83D"#, .endOfInput, 7), (#"{"\uD800":1}"#, .loneSurrogate, 2),
  ]

  @Test("is refused with the reason and its place", arguments: structure + literals)
  func isRefused(refused: Refused) {
    expect(refused)
  }

  @Test("is refused for its numbers (§6)", arguments: numbers)
  func numberIsRefused(refused: Refused) {
    expect(refused)
  }

  @Test("is refused for its strings (§7)", arguments: strings)
  func stringIsRefused(refused: Refused) {
    expect(refused)
  }

  private func expect(_ refused: Refused) {
    let error = refusal(Array(refused.text.utf8))
    #expect(error?.reason == refused.reason, "\(refused.text)")
    #expect(error?.offset == refused.offset, "\(refused.text)")
  }

  @Test("is refused in UTF-16 and UTF-32, with and without a byte order mark")
  func otherEncodings() {
    #expect(refusal([0x5B, 0x00, 0x5D, 0x00])?.offset == 1)
    #expect(refusal([0x00, 0x5B, 0x00, 0x5D])?.offset == 0)
    #expect(refusal([0xFF, 0xFE, 0x5B, 0x00])?.offset == 0)
    #expect(refusal([0x5B, 0, 0, 0, 0x5D, 0, 0, 0])?.offset == 1)
    #expect(refusal([0xEF, 0xBB])?.offset == 0)
  }

  @Test("is refused beyond a depth of 64, whatever comes after")
  func depth() {
    let arrays = String(repeating: "[", count: 65) + String(repeating: "]", count: 65)
    #expect(refusal(Array(arrays.utf8))?.reason == .tooDeep)
    #expect(refusal(Array(arrays.utf8))?.offset == 64)
    let deeper = String(repeating: #"[{"a":"#, count: 50_000)
    #expect(refusal(Array(deeper.utf8))?.reason == .tooDeep)
    #expect(refusal(Array(deeper.utf8))?.offset == 32 * 6)
  }

  @Test("is refused one byte past the limit, unread")
  func limit() {
    #expect(throws: JSONError.self) { try JSONDocument(parsing: Array("[1] ".utf8), limit: 3) }
    #expect(throws: JSONError.self) { try JSONDocument(parsing: [], limit: -1) }
  }

  @Test("is described by a sentence with the place and nothing of the text")
  func description() {
    let error = refusal(Array(#"{"secret" "value"}"#.utf8))
    #expect(error?.description == "A colon is missing after a member name, at byte 10.")
  }

  @Test("has a sentence of its own for every reason")
  func descriptions() {
    let errors = (Self.structure + Self.literals + Self.numbers + Self.strings)
      .compactMap { refusal(Array($0.text.utf8)) }
    let deep = refusal(Array(repeating: 0x5B, count: 65))
    let sentences = Dictionary(
      (errors + [deep].compactMap { $0 }).map { error in
        (error.reason, error.description.prefix { $0 != "," })
      }, uniquingKeysWith: { first, _ in first })
    // `tooLong` and `invalidUTF8` have tests of their own.
    #expect(sentences.count == JSONError.Reason.allCases.count - 2)
    #expect(Set(sentences.values).count == sentences.count)
  }
}
