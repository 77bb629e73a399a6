/// The place of a value in a document, as RFC 6901 writes it: `/edits/3/goal/title`.
///
/// It grows by one allocation a step, and becomes text only when asked. So a reader can carry it
/// along and write it out for each fault: `pointer["edits"][3]["goal"]`.
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
    var text = ""
    append(to: &text)
    return text
  }

  /// It recurses as deep as the document is nested, which the parser bounds.
  private func append(to text: inout String) {
    switch self {
    case .root:
      break
    case .member(let parent, let name):
      parent.append(to: &text)
      text += "/"
      Self.append(name, to: &text)
    case .element(let parent, let index):
      parent.append(to: &text)
      text += "/"
      text += String(index)
    }
  }

  private static func append(_ name: String, to text: inout String) {
    guard name.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == .slash }) else {
      text += name
      return
    }
    for scalar in name.unicodeScalars {
      switch scalar {
      case "~": text += "~0"
      case "/": text += "~1"
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}

extension JSONPointer: JSONWritable {
  package func write(to json: inout JSONWriter) { json.value(description) }
}
