/// The place of a value in a document, as RFC 6901 writes it: `/edits/3/goal/title`.
///
/// It grows by one allocation a step, and becomes text only when asked, so a decoder can carry it
/// along and spell it out for what is wrong: `pointer["edits"][3]["goal"]`.
package indirect enum JSONPointer: Hashable, Sendable {
  /// The whole document.
  case root
  case member(of: JSONPointer, named: String)
  case element(of: JSONPointer, at: Int)

  package subscript(name: String) -> JSONPointer { .member(of: self, named: name) }

  package subscript(index: Int) -> JSONPointer { .element(of: self, at: index) }
}

extension JSONPointer: CustomStringConvertible {
  /// The text of RFC 6901 §3: `~` is `~0` and `/` is `~1` within a name.
  package var description: String {
    var tokens: [String] = []
    var place = self
    while true {
      switch place {
      case .root:
        return tokens.reversed().joined()
      case .member(let parent, let name):
        tokens.append("/" + Self.escaped(name))
        place = parent
      case .element(let parent, let index):
        tokens.append("/\(index)")
        place = parent
      }
    }
  }

  private static func escaped(_ name: String) -> String {
    var text = ""
    for scalar in name.unicodeScalars {
      switch scalar {
      case "~": text += "~0"
      case "/": text += "~1"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

extension JSONPointer: JSONWritable {
  package func write(to json: inout JSONWriter) { json.value(description) }
}
