import Testing

@testable import embed

@Suite("A text as a Swift literal")
struct SwiftTextTests {
  @Test(
    "holds nothing that could end it or start an escape",
    arguments: [
      ("plain é 🧘", "\"plain é 🧘\""),
      ("\"\"\"#", "\"\\\"\\\"\\\"#\""),
      ("\\(x) \\n", "\"\\\\(x) \\\\n\""),
      ("a\r\nb\n\tc\r", "\"a\\u{d}\\nb\\n\\tc\\u{d}\""),
      ("\u{0}\u{7f}\u{feff}\u{2028}\u{202e}", "\"\\u{0}\\u{7f}\\u{feff}\\u{2028}\\u{202e}\""),
    ])
  func literal(_ text: String, _ literal: String) {
    #expect(SwiftText.literal(text) == literal)
  }

  @Test("is named as its file")
  func identifier() {
    #expect(SwiftText.identifier("0001-initial.sql") == "`0001-initial.sql`")
    for name in ["", "1", "a`b", "a b", "a\\b", "a\nb", ".."] {
      #expect(SwiftText.identifier(name) == nil)
    }
  }
}

@Suite("Files to embed")
struct EmbeddingTests {
  @Test("are refused where two have one name, or one is no text")
  func refused() {
    let a = (name: "a.txt", bytes: Array("a".utf8))
    #expect(throws: Embedding.Fault.self) { try Embedding.source(of: [a, a]) }
    #expect(throws: Embedding.Fault.self) {
      try Embedding.source(of: [(name: "b.bin", bytes: [0xff])])
    }
    #expect(throws: Embedding.Fault.self) { try Embedding.source(of: [(name: "all", bytes: [])]) }
  }

  @Test("have a member each, and are all listed")
  func members() throws {
    let source = try Embedding.source(of: [
      (name: "a.txt", bytes: Array("1\n".utf8)), (name: "b.txt", bytes: []),
    ])
    #expect(source.contains("static let `a.txt` = EmbeddedFile("))
    #expect(source.contains("name: \"a.txt\", text: \"1\\n\")"))
    #expect(source.contains("static let all: [EmbeddedFile] = [.`a.txt`, .`b.txt`]"))
  }
}
