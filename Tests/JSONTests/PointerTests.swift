import JSON
import Testing

@Suite("A pointer")
struct PointerTests {
  @Test("is written as RFC 6901 says, and only when asked")
  func text() {
    #expect(JSONPointer.root.description == "")
    #expect(JSONPointer.root["edits"][3]["goal"]["title"].description == "/edits/3/goal/title")
    #expect(JSONPointer.root[0].description == "/0")
  }

  @Test(
    "escapes the tilde and the slash, and nothing else (RFC 6901 §5)",
    arguments: [
      ("foo", "/foo"), ("", "/"), ("a/b", "/a~1b"), ("c%d", "/c%d"), ("e^f", "/e^f"),
      ("g|h", "/g|h"),
      (#"i\j"#, #"/i\j"#), (#"k"l"#, #"/k"l"#), (" ", "/ "), ("m~n", "/m~0n"), ("~1", "/~01"),
      ("/~", "/~1~0"), ("é/😀", "/é~1😀"), ("e\u{301}", "/e\u{301}"), ("~\u{301}", "/~0\u{301}"),
    ])
  func escapes(name: String, text: String) {
    #expect(Array(JSONPointer.root[name].description.utf8) == Array(text.utf8))
  }

  @Test("grows without changing the one it grew from")
  func persistence() {
    let goal = JSONPointer.root["goal"]
    let title = goal["title"]
    #expect(goal["unit"].description == "/goal/unit")
    #expect(goal.description == "/goal")
    #expect(title.description == "/goal/title")
    #expect(title == JSONPointer.root["goal"]["title"])
    #expect(title != JSONPointer.root["goal"]["unit"])
    #expect(JSONPointer.root["0"] != JSONPointer.root[0])
  }

  @Test("is a string in JSON")
  func json() {
    #expect(written { $0.value(JSONPointer.root["a\"b"][1]) } == #""/a\"b/1""#)
  }
}
