import JSON
import Testing

/// RFC 3629 §4, byte by byte.
@Suite("The bytes of a string")
struct UTF8Tests {
  @Test(
    "are taken at the ends of every range of UTF-8",
    arguments: [
      [0x20], [0x7F], [0xC2, 0x80], [0xDF, 0xBF], [0xE0, 0xA0, 0x80], [0xE0, 0xBF, 0xBF],
      [0xE1, 0x80, 0x80], [0xEC, 0xBF, 0xBF], [0xED, 0x80, 0x80], [0xED, 0x9F, 0xBF],
      [0xEE, 0x80, 0x80], [0xEF, 0xBF, 0xBF], [0xEF, 0xBB, 0xBF], [0xF0, 0x90, 0x80, 0x80],
      [0xF0, 0xBF, 0xBF, 0xBF], [0xF1, 0x80, 0x80, 0x80], [0xF3, 0xBF, 0xBF, 0xBF],
      [0xF4, 0x80, 0x80, 0x80], [0xF4, 0x8F, 0xBF, 0xBF], [0xE2, 0x80, 0xA8], [0xE2, 0x80, 0xA9],
    ] as [[UInt8]])
  func taken(character: [UInt8]) throws {
    let document = try JSONDocument(parsing: [0x22] + character + [0x22])
    #expect(document.root.string?.withUTF8(Array.init) == character)
  }

  @Test(
    "are refused where they are not UTF-8",
    arguments: [
      // A tail alone, and bytes that never occur.
      ([0x80], 0), ([0xBF], 0), ([0xFE], 0), ([0xFF], 0), ([0xF5, 0x80, 0x80, 0x80], 0),
      ([0xF8, 0x88, 0x80, 0x80, 0x80], 0), ([0xFC, 0x84, 0x80, 0x80, 0x80, 0x80], 0),
      // Overlong forms.
      ([0xC0, 0x80], 0), ([0xC0, 0xAF], 0), ([0xC1, 0xBF], 0), ([0xE0, 0x80, 0x80], 1),
      ([0xE0, 0x9F, 0xBF], 1), ([0xF0, 0x80, 0x80, 0x80], 1), ([0xF0, 0x8F, 0xBF, 0xBF], 1),
      // Surrogates, alone and in a pair.
      ([0xED, 0xA0, 0x80], 1), ([0xED, 0xBF, 0xBF], 1), ([0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80], 1),
      // Above U+10FFFF.
      ([0xF4, 0x90, 0x80, 0x80], 1),
      // Cut short by the closing quote, or by another character.
      ([0xC3], 1), ([0xE2], 1), ([0xE2, 0x82], 2), ([0xF0], 1), ([0xF0, 0x9F], 2),
      ([0xF0, 0x9F, 0x98], 3), ([0xC3, 0x28], 1), ([0xE2, 0x28, 0xA1], 1), ([0xE2, 0x82, 0x28], 2),
      ([0xF0, 0x9F, 0x98, 0x28], 3), ([0xC3, 0xC3, 0xA9], 1),
    ] as [([UInt8], Int)])
  func refused(bytes: [UInt8], offset: Int) {
    for lead in [[], Array("abc".utf8), Array("é\\n".utf8)] as [[UInt8]] {
      let error = refusal([0x22] + lead + bytes + [0x22])
      #expect(error?.reason == .invalidUTF8)
      #expect(error?.offset == 1 + lead.count + offset)
      #expect(
        refusal([0x7B, 0x22] + lead + bytes + [0x22, 0x3A, 0x30, 0x7D])?.reason == .invalidUTF8)
    }
  }

  @Test("are taken exactly where Swift takes them, for every two and many three and four")
  func againstSwift() {
    func isTaken(_ bytes: [UInt8]) -> Bool {
      refusal([0x22] + bytes + [0x22]) == nil
    }
    let high: ClosedRange<UInt8> = 0x80...0xFF
    let edges: [UInt8] = [0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0]
    var candidates: [[UInt8]] = []
    for first in high {
      for second in high { candidates.append([first, second]) }
      for second in edges {
        for third in edges {
          candidates.append([first, second, third])
          for fourth in edges { candidates.append([first, second, third, fourth]) }
        }
      }
    }
    let differing = candidates.filter {
      isTaken($0) != (String(validating: $0, as: UTF8.self) != nil)
    }
    #expect(differing.isEmpty)
    #expect(candidates.contains(where: isTaken))
  }

  @Test("are no JSON outside of strings, even where they are UTF-8")
  func outside() {
    #expect(refusal(Array("é".utf8))?.reason == .expectedValue)
    #expect(refusal(Array("[1\u{2028}]".utf8))?.reason == .expectedCommaOrBracket)
  }
}
