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
  @Test("are refused where two have one name, or one is named as what lists them")
  func refused() {
    let a = (name: "a.txt", bytes: Array("a".utf8))
    #expect(throws: Embedding.Fault.self) { try Embedding.source(of: [a, a]) }
    #expect(throws: Embedding.Fault.self) { try Embedding.source(of: [(name: "all", bytes: [])]) }
  }

  @Test("have a member each, and are all listed")
  func members() throws {
    let source = try Embedding.source(of: [
      (name: "a.txt", bytes: Array("1\n".utf8)), (name: "b.txt", bytes: []),
    ])
    #expect(source.contains("static let `a.txt` = EmbeddedFile("))
    #expect(source.contains("\"a.txt\", isText: true,"))
    #expect(source.contains("    \"1\\n\",\n"))
    #expect(source.contains("static let all: [EmbeddedFile] = [.`a.txt`, .`b.txt`]"))
  }

  @Test("may hold anything: what is no text has a character for each byte")
  func bytes() throws {
    let bytes = Array(UInt8.min...UInt8.max)
    let source = try Embedding.source(of: [(name: "b.wasm", bytes: bytes)])
    #expect(source.contains("\"b.wasm\", isText: false,"))
    let text = SwiftText.characters(bytes)
    #expect(source.contains(SwiftText.literal(text)))
    #expect(text.unicodeScalars.map { UInt8($0.value) } == bytes)
  }
}

@Suite("A document to embed")
struct DocumentTests {
  private let files = [
    "a.css": "/* One,\n   two. */\n\np {\n  margin: 0 /* none */;\n}\n", "b.js": "\"<\" && 1",
    "c.yaml": "a: <&>\n  b: 1\n",
  ]

  @Test("holds the files that it names, without what a browser passes over")
  func assembled() throws {
    let document = """
      <link rel="stylesheet" href="a.css">
      <script src="b.js"></script>
      <pre id="c" data-file="c.yaml"></pre>
        <p>src="b.js"</p>
      <script src="b.js" defer></script>
      """
    #expect(
      try Document.assembled(document) { files[$0] } == """
        <style>p {
        margin: 0 ;
        }</style>
        <script>"<" && 1</script>
        <pre id="c">a: &lt;&amp;>\n  b: 1\n</pre>
        <p>src="b.js"</p>
        <script src="b.js" defer></script>
        """)
  }

  @Test(
    "is refused where it names what is not there",
    arguments: [
      #"<link rel="stylesheet" href="none.css">"#, #"<script src="none.js"></script>"#,
      #"<pre data-file="none.yaml"></pre>"#,
    ])
  func unknown(_ line: String) {
    #expect(throws: Embedding.Fault.self) { try Document.assembled(line) { files[$0] } }
  }
}
