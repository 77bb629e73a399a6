extension SwiftCode {
  /// The lines on which these tokens stand one after the other, as in `["Date", "(", ")"]`.
  func lines(of pattern: [String]) -> [Int] {
    guard tokens.count >= pattern.count else { return [] }
    return (0...(tokens.count - pattern.count)).compactMap { start in
      zip(tokens[start...], pattern).allSatisfy { $0.text == $1 } ? tokens[start].line : nil
    }
  }

  /// The lines on which a function of this name is called or declared; a member of something
  /// (`console.print(…)`) is another function.
  func lines(ofCallTo name: String) -> [Int] {
    tokens.indices.dropLast().compactMap { index in
      guard tokens[index].text == name, tokens[index + 1].text == "(" else { return nil }
      return index > 0 && tokens[index - 1].text == "." ? nil : tokens[index].line
    }
  }

  /// A comment on the line, or in the unbroken run of comment lines and attributes above it.
  func comment(at line: Int) -> String? {
    if let text = comments[line] { return text }
    var above = line - 1
    while above > 0 && comments[above] == nil && firstToken(on: above) == "@" { above -= 1 }
    var said: [String] = []
    while let text = comments[above], firstToken(on: above) == nil {
      said.append(text)
      above -= 1
    }
    return said.isEmpty ? nil : said.reversed().joined(separator: "\n")
  }

  private func firstToken(on line: Int) -> String? {
    tokens.first { $0.line == line }?.text
  }

  /// The modules that are imported, and where: `@testable import M`, `import struct M.Name`.
  var imports: [(module: String, line: Int)] {
    tokens.indices.compactMap { index in
      guard tokens[index].text == "import", index + 1 < tokens.count else { return nil }
      let kinds = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
      let isKind = kinds.contains(tokens[index + 1].text) && index + 2 < tokens.count
      return (tokens[index + (isKind ? 2 : 1)].text, tokens[index].line)
    }
  }
}
