import Testing

@testable import embed

@Suite("A module with those that it imports")
struct BundleTests {
  private func assembled(_ files: [String: String]) throws -> String {
    try Bundle.assembled("a.js") { files[$0] }
  }

  @Test("is one text, in which each runs once, those that are imported first")
  func order() throws {
    let files = [
      "a.js": "import { b } from \"./b.js\";\nimport { c, d } from \"./c-d.js\";\nb(c, d);\n",
      "b.js": "import { d } from \"./c-d.js\";\nexport function b() {}\n",
      "c-d.js": "const hidden = 1;\nexport const c = hidden;\nexport class d {}\n",
    ]
    #expect(
      try assembled(files) == """
        const { c, d } = (() => {
        const hidden = 1;
        const c = hidden;
        class d {}
        return { c, d };
        })();
        const { b } = (() => {
        function b() {}
        return { b };
        })();
        {
        b(c, d);
        }

        """)
  }

  @Test("has no lines of comments and no indentation, and texts as they were")
  func code() throws {
    let text = """
      // One.

      /** Two. */
      if (a) {
        /**
         * `Three.
         */
        b(`  c`, "// d"); // e
      }
      """
    #expect(try assembled(["a.js": text]) == "{\nif (a) {\nb(`  c`, \"// d\"); // e\n}\n}\n")
  }

  @Test(
    "is refused where it could run otherwise",
    arguments: [
      "import { b } from \"./none.js\";", "import { c } from \"./b.js\";",
      "import { a as b } from \"./b.js\";", "import b from \"./b.js\";",
      "import { a } from \"./a.js\";", "export default 1;", "export let a = 1;",
      "export const { a } = b;",
      "import { a } from \"./b.js\";\nimport { e } from \"./another-a.js\";",
      "const a = `", "/* a */ b();",
    ])
  func refused(_ line: String) {
    let files = [
      "a.js": line, "b.js": "export const a = 1, b = 2;",
      "another-a.js": "export const a = 2;\nexport const e = 3;",
    ]
    #expect(throws: Embedding.Fault.self) { try assembled(files) }
  }

  @Test("is what a document loads")
  func first() throws {
    #expect(Bundle.first(in: "<script type=module src=/client/{version}/a.js></script>") == "a.js")
    #expect(Bundle.first(in: "<script src=\"a.js\"></script>") == nil)
    let source = try Embedding.source(of: [
      (name: "a.js", bytes: Array("import { b } from \"./b.js\";".utf8)),
      (name: "b.js", bytes: Array("  export const b = 1;".utf8)),
      (name: "c.html", bytes: Array("<script type=module src=/x/a.js></script>".utf8)),
    ])
    #expect(source.contains("return { b };"))
    // The others are as they were written.
    #expect(source.contains("\"  export const b = 1;\""))
  }
}
