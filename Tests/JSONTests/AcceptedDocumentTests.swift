import JSON
import Testing

@Suite("A document that RFC 8259 allows")
struct AcceptedDocumentTests {
  @Test(
    "is read, and says the same when it is written again",
    arguments: [
      // Any value may be the document (§2).
      ("null", "null"), ("true", "true"), ("false", "false"), ("0", "0"), (#""""#, #""""#),
      ("[]", "[]"), ("{}", "{}"),
      // White space is space, line feed, carriage return and tab, around any token (§2).
      (" \n\r\tnull\t\r\n ", "null"), ("[ \n]", "[]"), ("{\t}", "{}"),
      (" [ 1 , 2 ] ", "[1,2]"), ("{ \"a\" : 1 , \"b\" : 2 }", #"{"a":1,"b":2}"#),
      // Arrays hold anything (§5).
      (#"[null,1,"1",{}]"#, #"[null,1,"1",{}]"#), ("[[[]],[]]", "[[[]],[]]"),
      ("[[],{}]", "[[],{}]"),
      // Objects keep their order, empty names and repeated names (§4).
      (#"{"b":1,"a":2}"#, #"{"b":1,"a":2}"#), (#"{"":0}"#, #"{"":0}"#),
      (#"{"a":1,"a":2}"#, #"{"a":1,"a":2}"#), (#"{"a":{"a":{}}}"#, #"{"a":{"a":{}}}"#),
    ])
  func isRead(text: String, compact: String) throws {
    #expect(try rewritten(text) == compact)
  }

  @Test(
    "keeps its numbers as they were written (§6)",
    arguments: [
      "0", "-0", "1", "-1", "10", "1234567890", "0.0", "-0.0", "0.5", "1.000", "1e5", "1E5", "1e+5",
      "1e-5", "0e1", "0e+1", "0E-0", "-0e0", "1.5e300", "1e999999999999", "-1e-999999999999",
      "1e00005", "123456789012345678901234567890", "0.1234567890123456789012345678901234567890",
    ])
  func numbers(text: String) throws {
    #expect(try rewritten(text) == text)
    #expect(try rewritten("[\(text)]") == "[\(text)]")
    #expect(try rewritten("{\"n\":\(text)}") == "{\"n\":\(text)}")
  }

  @Test("is read to a depth of 64")
  func depth() throws {
    let arrays = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
    let objects =
      String(repeating: #"{"":"#, count: 63) + "{}" + String(repeating: "}", count: 63)
    #expect(try rewritten(arrays) == arrays)
    #expect(try rewritten(objects) == objects)
  }

  @Test("may have many arrays beside each other at any depth")
  func width() throws {
    let wide = "[" + Array(repeating: "[[]]", count: 1000).joined(separator: ",") + "]"
    #expect(try rewritten(wide) == wide)
  }

  @Test("is read up to the limit that its reader sets")
  func limit() throws {
    #expect(try JSONDocument(parsing: Array("[1]".utf8), limit: 3).root.kind == .array)
  }
}
