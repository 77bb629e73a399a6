import Testing

@testable import HTTP

@Suite("A media type") struct MediaTypeTests {
  private static let read: [(text: String, essence: String, parameters: [String])] = [
    ("application/json", "application/json", []),
    ("Application/JSON", "application/json", []),
    ("text/html;charset=utf-8", "text/html", ["charset", "utf-8"]),
    ("text/html; Charset=UTF-8", "text/html", ["charset", "UTF-8"]),
    ("text/html \t;\t charset=\"utf-8\" ; a=b", "text/html", ["charset", "utf-8", "a", "b"]),
    ("text/html;a=\"\\\"\\u;, \\\\\"", "text/html", ["a", "\"u;, \\"]),
    ("text/html;a=\"\"", "text/html", ["a", ""]),
    ("text/html;;a=b; ;", "text/html", ["a", "b"]),
    ("a!#$%&'*+-.^_`|~1/b", "a!#$%&'*+-.^_`|~1/b", []),
  ]

  @Test("is read with its parameters", arguments: read)
  func isRead(_ text: String, _ essence: String, _ parameters: [String]) {
    let type = MediaType(text)
    #expect(type?.essence == essence)
    #expect(type?.parameters.flatMap { [$0.name, $0.value] } == parameters)
  }

  @Test(
    "keeps to the grammar",
    arguments: [
      "", "text", "text/", "/html", "text /html", "text/ html", " text/html", "text/html,a/b",
      "text/html a=b", "text/html;a", "text/html;a=", "text/html;a =b", "text/html;a= b",
      "text/html;=b", "text/html;a=\"b", "text/html;a=\"b\\", "text/html;a=\"b\\\"",
      "text/html;a=\"b\"c", "text/html;a=b c", "text/html;a=\"\u{1}\"", "text/html;a=\"\\\u{7F}\"",
      "te\u{E9}/html",
    ])
  func isRefused(_ text: String) {
    #expect(MediaType(text) == nil)
  }

  @Test("says every value of a parameter")
  func values() {
    #expect(MediaType("a/b;c=1;d=2;C=3")?.values(of: "c") == ["1", "3"])
    #expect(MediaType("a/b")?.values(of: "c") == [])
  }
}
