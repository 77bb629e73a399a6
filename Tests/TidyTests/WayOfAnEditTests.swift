import Testing

@Suite("ARCHITECTURE's way of an edit") struct WayOfAnEditTests {
  /// What a newcomer can read in a day.
  private static let maximum = 40

  @Test("names files that are there, and few")
  func namesFiles() throws {
    let files = try SourceFile.all.get()
    let page = try #require(files.first { $0.path == "ARCHITECTURE.md" })
    let begin = try #require(page.text.range(of: "\n## The way of an edit\n"))
    // An introduction, then the list.
    let paragraphs = page.text[begin.upperBound...].split(separator: "\n\n")
    let way = try #require(paragraphs.dropFirst().first)
    #expect(way.hasPrefix("1. "))
    let named = Set(way.split(separator: "(").dropFirst().flatMap(Self.names))
    #expect((20...Self.maximum).contains(named.count), "\(named.count) files are named")
    for name in named {
      let isThere = files.contains {
        $0.path.hasPrefix("Sources/") && $0.path.hasSuffix("/\(name).swift")
      }
      #expect(isThere, "there is no \(name).swift")
    }
  }

  /// The names in the code marks of a text, up to its closing parenthesis, where it has no others.
  private static func names(_ text: Substring) -> [String] {
    let inside = text.prefix { $0 != ")" }
    let parts = inside.split(separator: "`", omittingEmptySubsequences: false)
    guard parts.count > 2, parts.first == "" else { return [] }
    return parts.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }
}
