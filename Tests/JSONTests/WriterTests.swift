import JSON
import TestSupport
import Testing

@Suite("A writer")
struct WriterTests {
  @Test("puts commas between values and members, and nowhere else")
  func commas() {
    let text = written { json in
      json.object { json in
        json.member("version", 41)
        json.member("cursor", "c")
        json.object("empty") { _ in }
        json.array("none") { _ in }
        json.array("goals") { json in
          json.object { json in json.member("active", true) }
          json.object { _ in }
          json.array { json in
            json.value(1)
            json.null()
            json.value(false)
          }
          json.value("s")
        }
        json.member("last") { json in json.null() }
      }
    }
    #expect(
      text
        == #"{"version":41,"cursor":"c","empty":{},"none":[],"goals":[{"active":true},{},"#
        + #"[1,null,false],"s"],"last":null}"#)
  }

  @Test(
    "escapes the quote, the backslash and the controls, and nothing else",
    arguments: [
      ("", ""), ("plain", "plain"), (#"""#, #"\""#), (#"\"#, #"\\"#), ("/", "/"), ("'", "'"),
      ("\u{8}\u{9}\u{A}\u{C}\u{D}", #"\b\t\n\f\r"#), ("\u{0}\u{1}\u{B}", #"\u0000\u0001\u000b"#),
      ("\u{E}\u{1F}", #"\u000e\u001f"#), ("\u{20}\u{7F}\u{80}", "\u{20}\u{7F}\u{80}"),
      ("é€😀", "é€😀"), ("\u{2028}\u{2029}", "\u{2028}\u{2029}"),
      ("\u{FEFF}\u{FFFF}", "\u{FEFF}\u{FFFF}"),
      ("1234567\"", #"1234567\""#), ("12345678\n90", #"12345678\n90"#),
      ("sixteen bytes ..\\ and more", #"sixteen bytes ..\\ and more"#),
      ("</script>", "</script>"),
    ])
  func escapes(content: String, escaped: String) {
    #expect(written { $0.value(content) } == "\"\(escaped)\"")
    #expect(
      written { json in json.object { $0.member(named: content, 1) } } == "{\"\(escaped)\":1}")
  }

  @Test("escapes a byte wherever it stands among others")
  func escapesAnywhere() {
    for byte in UInt8.min...0x7F {
      let special = String(Unicode.Scalar(byte))
      let isEscaped = byte < 0x20 || special == "\"" || special == "\\"
      for place in 0..<20 {
        let before = String(repeating: "é", count: place / 2) + (place % 2 == 0 ? "" : "x")
        let text = written { $0.value(before + special + "zzzzzzzz") }
        #expect(text.utf8.contains(UInt8(ascii: "\\")) == isEscaped, "\(byte) at \(place)")
        #expect((try? value(text).string.map { String($0) }) == before + special + "zzzzzzzz")
      }
    }
  }

  @Test("takes strings that are not stored as contiguous UTF-8")
  func substrings() {
    let whole = "<a\nb>"
    #expect(written { $0.value(String(whole.dropFirst().dropLast())) } == #""a\nb""#)
  }

  @Test(
    "writes integers in full",
    arguments: [
      (0, "0"), (7, "7"), (10, "10"), (-1, "-1"), (-10, "-10"), (99, "99"), (100, "100"),
      (1_000_000, "1000000"), (.max, "9223372036854775807"), (.min, "-9223372036854775808"),
    ] as [(Int64, String)])
  func integers(integer: Int64, text: String) {
    #expect(written { $0.value(integer) } == text)
    #expect(written { $0.value(Int(integer)) } == text)
  }

  @Test(
    "writes a ratio in the fewest digits that tell it",
    arguments: [
      (0, 5, "0"), (5, 5, "1"), (10, 5, "2"), (3, 4, "0.75"), (1, 3, "0.3333333333333333"),
      (2, 3, "0.6666666666666666"), (1, 10, "0.1"), (7, 2, "3.5"), (-1, 4, "-0.25"),
      (1, -4, "-0.25"),
      (1, 1_000_000, "1e-06"), (1_000_001, 1_000_000, "1.000001"), (1, 0, "null"), (0, 0, "null"),
      (.max, 1, "9223372036854775807"), (.min, 1, "-9223372036854775808"),
      (.min, -1, "9.223372036854776e+18"), (.max, 2, "4.611686018427388e+18"),
    ] as [(Int64, Int64, String)])
  func ratios(dividend: Int64, divisor: Int64, text: String) throws {
    #expect(written { $0.value(JSONRatio(dividend, over: divisor)) } == text)
    #expect(try rewritten(text) == text)
  }

  @Test("writes any ratio as a number that reads back as the same Double")
  func randomRatios() throws {
    try forRandomSeeds(2000) { seed throws in
      var random = SeededDice(seed: seed)
      let dividend =
        Int64(truncatingIfNeeded: random.next()) >> Int64.random(in: 0..<64, using: &random)
      let divisor =
        Int64(truncatingIfNeeded: random.next()) >> Int64.random(in: 0..<63, using: &random)
      let text = written { $0.value(JSONRatio(dividend, over: divisor)) }
      let number = try value(text).number
      let expected = divisor == 0 ? nil : Double(dividend) / Double(divisor)
      let isExact = divisor != 0 && divisor != -1 && dividend % divisor == 0
      if isExact {
        #expect(number?.integer == dividend / divisor, "GOALS_TEST_SEED=\(seed)")
      } else {
        #expect(number.flatMap { Double($0.text) } == expected, "GOALS_TEST_SEED=\(seed)")
      }
    }
  }

  @Test("writes nothing as null, and arrays element by element")
  func conformances() {
    #expect(written { $0.value(String?.none) } == "null")
    #expect(written { $0.value(Int?.some(1)) } == "1")
    #expect(written { $0.value(Bool?.some(false)) } == "false")
    #expect(written { $0.value(["a", nil]) } == #"["a",null]"#)
    #expect(written { $0.value([[Int]]()) } == "[]")
    #expect(written { $0.value([[1, 2], []]) } == "[[1,2],[]]")
  }

  @Test("splices what is JSON already, and what needs no escapes")
  func splices() {
    let text = written { json in
      json.array { json in
        json.raw("[1, 2]".utf8)
        json.raw([UInt8](#"{"a":1}"#.utf8)[...])
        json.raw(AnySequence("3".utf8))
        json.plainString(count: 3) { $0.copyBytes(from: "abc".utf8) }
        json.plainString(count: 0) { _ in }
        json.plainString(count: 1) { $0[0] = UInt8(ascii: "z") }
      }
    }
    #expect(text == #"[[1, 2],{"a":1},3,"abc","","z"]"#)
  }

  @Test("begins anew in the same room, and on a new line")
  func reuse() {
    var json = JSONWriter(reserving: 0)
    json.array { $0.value("left over") }
    json.removeAll()
    #expect(json.bytes.isEmpty)
    json.value(1)
    json.endLine()
    json.value(2)
    json.endLine()
    #expect(json.bytes == Array("1\n2\n".utf8))
  }

  @Test("grows to what is written, from any size")
  func growth() throws {
    let long = String(repeating: "0123456789", count: 2000)
    for room in [0, 1, 16, 1_000_000] {
      var json = JSONWriter(reserving: room)
      json.array { json in
        for _ in 0..<50 {
          json.value(long)
          json.value(long + "\n")
        }
      }
      let elements = try #require(try JSONDocument(parsing: json.bytes).root.elements)
      #expect(
        elements.compactMap(\.string).map { String($0) }
          == (0..<50).flatMap { _ in
            [long, long + "\n"]
          })
    }
  }

  @Test("closes nothing when what it writes fails, and passes the failure on")
  func failures() {
    struct Failure: Error {}
    var json = JSONWriter()
    #expect(throws: Failure.self) {
      try json.object { json throws(Failure) in throw Failure() }
    }
  }
}
