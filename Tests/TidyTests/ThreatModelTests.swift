import Testing

/// A page may name a suite (`CursorTests`), one function of it (`CursorTests.fits`), a harness of
/// Tests/Fuzz (`JSONHarness`), a file of the black-box suite (`test_http.py`) or a function of one
/// (`test_http.py::test_is_read`).
struct NamedTest: Equatable {
  let name: String
  private let owner: String
  private let function: String?

  /// Nil for what names no test.
  init?(_ name: String) {
    self.name = name
    let parts = name.replacing("::", with: ".").split(separator: ".").map(String.init)
    let isPython = parts.first?.hasPrefix("test_") == true && parts.dropFirst().first == "py"
    guard isPython || parts.first?.hasSuffix("Tests") == true || name.hasSuffix("Harness"),
      name.allSatisfy({ $0.isASCII && !$0.isWhitespace && $0 != "/" })
    else { return nil }
    owner = isPython ? parts[0] + ".py" : parts[0]
    function = parts.dropFirst(isPython ? 2 : 1).first
  }

  func isThere(in files: [SourceFile]) -> Bool {
    files.contains { file in
      let path = file.path
      if owner.hasSuffix(".py") {
        return path == "Tests/BlackBox/" + owner && defines(function ?? "test_", in: file)
      }
      if owner.hasSuffix("Harness") { return path == "Tests/Fuzz/\(owner).swift" }
      guard path.hasPrefix("Tests/"), let code = file.code,
        ["struct", "class", "extension"].contains(where: { !code.lines(of: [$0, owner]).isEmpty })
      else { return false }
      guard let function else { return !code.lines(of: ["@", "Test"]).isEmpty }
      return !code.lines(of: ["func", function]).isEmpty
    }
  }

  /// Whether a file of Python has a function whose name is this, or begins with it if it ends so.
  private func defines(_ name: String, in file: SourceFile) -> Bool {
    let start = "def " + name + (name.hasSuffix("_") ? "" : "(")
    return file.lines.contains { $0.drop { $0 == " " }.hasPrefix(start) }
  }
}

@Suite("The threat model") struct ThreatModelTests {
  @Test("names tests that there are")
  func namesTests() throws {
    let files = try SourceFile.all.get()
    let model = try #require(files.first { $0.path == "docs/threat-model.md" })
    let ours = files.filter { $0.path.hasPrefix("Tests/") }
    let quoted = model.text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    let tests = quoted.compactMap { NamedTest($0) }
    #expect(tests.count > 40)
    #expect(tests.filter { !$0.isThere(in: ours) }.map { $0.name } == [])
  }

  private static let files = [
    SourceFile(
      path: "Tests/A/Some.swift",
      text: "@Suite struct OneTests {\n  @Test func holds() {}\n}\nstruct Two {}\n"),
    SourceFile(path: "Tests/A/EmptyTests.swift", text: "struct EmptyTests {}\n"),
    SourceFile(path: "Tests/Fuzz/OneHarness.swift", text: ""),
    SourceFile(path: "Tests/BlackBox/test_one.py", text: "class A:\n    def test_it(self):\n"),
    SourceFile(path: "Tests/BlackBox/test_none.py", text: "def test():\n"),
  ]

  @Test(
    "is believed where a test is declared",
    arguments: ["OneTests", "OneTests.holds", "OneHarness", "test_one.py", "test_one.py::test_it"])
  func found(_ name: String) throws {
    #expect(try #require(NamedTest(name)).isThere(in: Self.files))
  }

  @Test(
    "is not believed where a file alone has the name, or the function has another",
    arguments: [
      "SomeTests", "EmptyTests", "OneTests.fails", "TwoHarness", "test_two.py", "test_none.py",
      "test_one.py::test_other", "test_one.py::test_i",
    ])
  func missing(_ name: String) throws {
    #expect(try !#require(NamedTest(name)).isThere(in: Self.files))
  }

  @Test("may speak of other things", arguments: ["at", "make test", "If-Match", "test_….py"])
  func noTest(_ text: String) {
    #expect(NamedTest(text) == nil)
  }
}
