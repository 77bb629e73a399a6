/// A function, initializer, subscript or computed property, with how long it is.
struct FunctionSpan: Equatable {
  let name: String
  let line: Int
  /// From the line of its name to that of its closing brace, both counted.
  let lines: Int
}

extension SwiftCode {
  /// Every declaration that has a body of statements.
  var functions: [FunctionSpan] {
    let words = ["func", "var", "init", "subscript", "deinit"]
    return words.flatMap { places[$0, default: []] }.sorted().compactMap { index in
      guard let name = declaredFunction(at: index), let open = body(after: index),
        let close = closingBrace(of: open)
      else { return nil }
      let first = tokens[index].line
      return FunctionSpan(name: name, line: first, lines: tokens[close].line - first + 1)
    }
  }

  private func declaredFunction(at index: Int) -> String? {
    guard index + 1 < tokens.count, index == 0 || tokens[index - 1].text != "." else { return nil }
    let next = tokens[index + 1].text
    switch tokens[index].text {
    case "func", "var": return next
    case "init" where ["(", "<", "?"].contains(next): return "init"
    case "subscript" where ["(", "<"].contains(next): return "subscript"
    case "deinit": return "deinit"
    default: return nil
    }
  }

  /// The brace that opens the body, unless another declaration or statement comes first: then the
  /// declaration has none. A property's brace stands on the line of its name, and no `=` before it.
  private func body(after start: Int) -> Int? {
    let isProperty = tokens[start].text == "var"
    var depth = 0
    for index in tokens.indices[(start + 1)...] {
      switch tokens[index].text {
      case "(", "[": depth += 1
      case ")", "]": depth -= 1
      case _ where depth > 0: continue
      case "{":
        return isProperty && tokens[index].line != tokens[start].line ? nil : index
      case "=" where isProperty: return nil
      case "}", "func", "var", "let", "init", "case", "subscript", "static", "struct", "enum",
        "class", "extension", "typealias", "associatedtype", "protocol", "mutating", "return", "if",
        "for", "while", "guard", "switch":
        if index > start + 1 { return nil }
      default: continue
      }
    }
    return nil
  }

  private func closingBrace(of open: Int) -> Int? {
    var depth = 0
    for index in tokens.indices[open...] {
      if tokens[index].text == "{" { depth += 1 }
      if tokens[index].text == "}" {
        depth -= 1
        if depth == 0 { return index }
      }
    }
    return nil
  }
}
