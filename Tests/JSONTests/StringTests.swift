import JSON
import Testing

@Suite("A string")
struct StringTests {
  @Test(
    "says what its escapes stand for",
    arguments: [
      (#""""#, ""), (#""abc""#, "abc"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
      (#""\u0041""#, "A"), (#""a\u0000b""#, "a\u{0}b"), (#""\u00e9\u00E9""#, "éé"),
      (#""\u20aC""#, "€"), (#""\uffff""#, "\u{FFFF}"), (#""\ud7ff\ue000""#, "\u{D7FF}\u{E000}"),
      (#""\ud83d\ude00""#, "😀"), (#""\uD800\uDC00""#, "\u{10000}"),
      (#""\uDBFF\uDFFF""#, "\u{10FFFF}"), (#""x\ud83d\ude00y""#, "x😀y"), (#""\\u0041""#, "\\u0041"),
      (#""\u005c\u0022""#, "\\\""), (#""é€😀""#, "é€😀"), (#""\u0065\u0301""#, "e\u{301}"),
    ])
  func unescaped(text: String, content: String) throws {
    let string = try #require(try value(text).string)
    #expect(string.withUTF8(Array.init) == Array(content.utf8))
    #expect(Array(String(string).utf8) == Array(content.utf8))
  }

  @Test("equals a literal that says the same, with and without escapes")
  func literals() throws {
    let plain = try #require(try value(#""title""#).string)
    let escaped = try #require(try value(#""t\u0069tle""#).string)
    for string in [plain, escaped] {
      #expect(string == "title")
      #expect(!(string == "titl"))
      #expect(!(string == "titles"))
      #expect(!(string == "tible"))
      #expect(!(string == ""))
    }
    #expect(try #require(try value(#""""#).string) == "")
    #expect(try #require(try value(#""é""#).string) == "é")
  }

  @Test("is told apart by a switch")
  func switches() throws {
    func place(of text: String) throws -> Int {
      switch try #require(try value(text).string) {
      case "id": 1
      case "title": 2
      default: 0
      }
    }
    #expect(try place(of: #""id""#) == 1)
    #expect(try place(of: #""titl\u0065""#) == 2)
    #expect(try place(of: #""Id""#) == 0)
  }

  @Test("equals another that says the same, and no other, nothing being normalised")
  func equality() throws {
    let names = try #require(
      try value(#"["a","\u0061","b","","é","e\u0301","\u00e9"]"#).elements
    ).compactMap(\.string)
    #expect(names[0] == names[1])
    #expect(names[0].hashValue == names[1].hashValue)
    #expect(names[4] == names[6])
    #expect(names[4] != names[5])
    #expect(Set(names).count == 5)
  }

  @Test("throws what the reader of its bytes throws")
  func rethrowing() throws {
    struct Refused: Error {}
    for text in [#""a""#, #""\n""#] {
      let string = try #require(try value(text).string)
      #expect(throws: Refused.self) {
        try string.withUTF8 { _ throws(Refused) -> Int in throw Refused() }
      }
    }
  }
}
