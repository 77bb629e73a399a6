extension SwiftCode {
  /// The lines on which these tokens stand one after the other, as in `["Date", "(", ")"]`, but not
  /// right behind another one.
  func lines(of pattern: [String], notBehind other: String? = nil) -> [Int] {
    guard let first = pattern.first, let starts = places[first] else { return [] }
    return starts.filter { start in
      start + pattern.count <= tokens.count
        && pattern.indices.allSatisfy { tokens[start + $0].text == pattern[$0] }
        && (other == nil || start == 0 || tokens[start - 1].text != other)
    }
    .map { tokens[$0].line }
  }

  /// The lines of each `default:` in a switch of which a case names a member: `.a`, `(.a, _)`.
  var linesOfDefaultsOverEnums: [Int] {
    places["default", default: []].filter { index in
      // Behind a comma it is an argument: `counts[goal, default: 0]`.
      guard index > 0, index + 1 < tokens.count, tokens[index + 1].text == ":",
        tokens[index - 1].text != ","
      else { return false }
      var depth = 0
      for place in tokens.indices[..<index].reversed() {
        switch tokens[place].text {
        case "}": depth += 1
        case "{" where depth == 0: return false
        case "{": depth -= 1
        // Behind one of these words it is a condition.
        case "case"
        where depth == 0 && namesMember(from: place + 1)
          && !["guard", "if", "while", "for", ","].contains(tokens[place - 1].text):
          return true
        default: continue
        }
      }
      return false
    }
    .map { tokens[$0].line }
  }

  /// Whether the pattern that begins there is `.name`, or has one in a tuple; a range such as
  /// `..<3` is none, and neither is `Type.name`.
  private func namesMember(from start: Int) -> Bool {
    var depth = 0
    for index in start..<tokens.count - 1 {
      switch tokens[index].text {
      case "(": depth += 1
      case ")": depth -= 1
      case "where", "{": return false
      case ":" where depth == 0: return false
      case "."
      where ["case", "(", ","].contains(tokens[index - 1].text)
        && tokens[index + 1].text.first?.isLetter == true:
        return true
      default: continue
      }
    }
    return false
  }

  /// The lines on which a function of this name is called or declared; a member of something
  /// (`console.print(…)`) is another function.
  func lines(ofCallTo name: String) -> [Int] {
    places[name, default: []]
      .filter { $0 + 1 < tokens.count && tokens[$0 + 1].text == "(" }
      .filter { $0 == 0 || tokens[$0 - 1].text != "." }
      .map { tokens[$0].line }
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
    places["import", default: []].compactMap { index in
      guard index + 1 < tokens.count else { return nil }
      let kinds = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
      let isKind = kinds.contains(tokens[index + 1].text) && index + 2 < tokens.count
      return (tokens[index + (isKind ? 2 : 1)].text, tokens[index].line)
    }
  }
}
