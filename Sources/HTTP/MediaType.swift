/// A media type with its parameters (RFC 9110 §8.3.1).
package struct MediaType: Sendable, Equatable {
  package struct Parameter: Sendable, Equatable {
    /// In lower case.
    package let name: String
    /// Without its quotes.
    package let value: String
  }

  /// Type and subtype, in lower case: `application/json`.
  package let essence: String
  package let parameters: [Parameter]

  /// Nil for a text that does not keep to the grammar.
  package init?(_ text: String) {
    var reader = TokenReader(rest: Array(text.utf8)[...])
    guard let type = reader.token(), reader.take(ASCII.slash), let subtype = reader.token() else {
      return nil
    }
    var parameters: [Parameter] = []
    reader.skipSpace()
    while !reader.rest.isEmpty {
      guard reader.take(UInt8(ascii: ";")) else { return nil }
      reader.skipSpace()
      // There may be nothing between two semicolons (§5.6.6).
      if let name = reader.token() {
        guard reader.take(ASCII.equals), let value = reader.token() ?? reader.quoted() else {
          return nil
        }
        parameters.append(Parameter(name: name.lowercased(), value: value))
        reader.skipSpace()
      }
    }
    essence = "\(type)/\(subtype)".lowercased()
    self.parameters = parameters
  }

  /// Every value of a parameter, in order.
  package func values(of name: String) -> [String] {
    parameters.filter { $0.name == name }.map(\.value)
  }
}
