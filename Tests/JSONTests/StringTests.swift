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

  @Test(
    "ends at the first quote, and holds no control and no byte that is no UTF-8, wherever they are",
    arguments: 0...17)
  func places(place: Int) throws {
    for byte in UInt8.min...UInt8.max {
      for following in [0, 1, 7, 8, 20] {
        var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: place + 1 + following)
        bytes[place] = byte
        let text = Array("[\"".utf8) + bytes + Array("\"]".utf8)
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0..<0x20, 0x80...:
          #expect(refusal(text) != nil, "\(byte) before \(following)")
        default:
          let string = try JSONDocument(parsing: text).root.elements?.first { _ in true }?.string
          #expect(string?.withUTF8(Array.init) == bytes, "\(byte) before \(following)")
        }
      }
    }
  }

  @Test("is refused at the byte that is wrong", arguments: 0...17)
  func refusedPlaces(place: Int) {
    for (byte, reason) in [(0x1F, JSONError.Reason.unescapedControl), (0xFF, .invalidUTF8)] {
      var text = Array("\"".utf8) + [UInt8](repeating: UInt8(ascii: "!"), count: 20)
      text[1 + place] = UInt8(byte)
      let error = refusal(text + Array("\"".utf8))
      #expect(error?.reason == reason)
      #expect(error?.offset == 1 + place)
    }
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
