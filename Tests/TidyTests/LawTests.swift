import Foundation
import Testing

@Suite("The page of laws") struct LawTests {
  @Test("names tests that there are")
  func namesTests() throws {
    let files = try SourceFile.all.get()
    let tests = files.filter { $0.path.hasPrefix("Tests/") && $0.path.hasSuffix(".swift") }
    let page = try #require(files.first { $0.path == "docs/laws.md" })
    let named = page.text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map(\.element).filter { $0.contains("Tests.") }
    #expect(named.count > 30)
    for name in named {
      let parts = name.split(separator: ".")
      // Foundation's search is quick in a debug build, too.
      let exists = tests.contains { file in
        file.text.range(of: "struct \(parts[0]) {") != nil
          && file.text.range(of: "  func \(parts[parts.count - 1])(") != nil
      }
      #expect(exists, "\(name) is no test")
    }
  }

  @Test("has a law for every random test of the core's laws")
  func namesLaws() throws {
    let files = try SourceFile.all.get()
    let page = try #require(files.first { $0.path == "docs/laws.md" })
    let laws = files.filter { $0.path.hasSuffix("LawTests.swift") && $0.path.contains("/Laws/") }
    #expect(laws.count == 3)
    for file in laws {
      let suite = file.path.split(separator: "/").last?.dropLast(".swift".count) ?? ""
      let lines = file.lines
      for (line, next) in zip(lines, lines.dropFirst()) where line.hasPrefix("  @Test(") {
        let name = next.drop { $0 == " " }.dropFirst("func ".count).prefix { $0 != "(" }
        #expect(page.text.contains("`\(suite).\(name)`"), "\(suite).\(name) has no row")
      }
    }
  }
}
