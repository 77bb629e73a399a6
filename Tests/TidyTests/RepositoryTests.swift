import Testing

@Suite("The project") struct RepositoryTests {
  @Test("keeps the rule", arguments: Rule.all)
  func keeps(_ rule: Rule) throws {
    for file in try SourceFile.all.get() {
      for fault in rule.faults(file) { Issue.record("\(fault)") }
    }
  }

  @Test("is read whole")
  func isReadWhole() throws {
    let paths = Set(try SourceFile.all.get().map(\.path))
    #expect(
      paths.isSuperset(of: [
        ".ci/run", ".swift-format", "Makefile", "Package.swift",
        "Sources/GoalsCore/Edits/Edit.swift", "Tests/TidyTests/RepositoryTests.swift",
      ]))
    #expect(paths.allSatisfy { !$0.hasPrefix(".git/") && !$0.hasPrefix(".build") })
  }

  @Test("has no row for a target that is gone")
  func hasNoIdleRow() throws {
    let targets = Set(try SourceFile.all.get().filter { $0.code != nil }.map(\.target))
    #expect(Set(Layer.all.keys).subtracting(targets).isEmpty)
  }
}
