import Testing

@Suite("The threat model") struct ThreatModelTests {
  @Test("names tests that there are")
  func namesTests() throws {
    let files = try SourceFile.all.get()
    let model = try #require(files.first { $0.path == "docs/threat-model.md" })
    let quoted = model.text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    let tests = quoted.filter { name in
      ["Tests", "Harness", ".py"].contains { name.hasSuffix($0) } && !name.contains("…")
    }
    let names = Set(
      files.compactMap { file in
        file.path.split(separator: "/").last.map {
          $0.hasSuffix(".swift") ? String($0.dropLast(".swift".count)) : String($0)
        }
      })
    #expect(tests.count > 40)
    #expect(Set(tests).subtracting(names).sorted() == [])
  }
}
