/// A media type with its parameters (RFC 9110 §8.3.1).
package struct MediaType: Sendable, Equatable {
  package struct Parameter: Sendable, Equatable {
    /// In lower case.
    package let name: String
    /// What it says, without quotes.
    package let value: String
  }

  /// Type and subtype, in lower case: `application/json`.
  package let essence: String
  package let parameters: [Parameter]

  /// Nil for what does not keep to the grammar.
  package init?(_ text: String) {
    var reader = Reader(rest: Array(text.utf8)[...])
    guard let type = reader.token(), reader.take(ASCII.slash), let subtype = reader.token() else {
      return nil
    }
    var parameters: [Parameter] = []
    reader.skipSpace()
    while !reader.rest.isEmpty {
      guard reader.take(ASCII.semicolon) else { return nil }
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

  private struct Reader {
    var rest: ArraySlice<UInt8>

    mutating func take(_ byte: UInt8) -> Bool {
      guard rest.first == byte else { return false }
      rest = rest.dropFirst()
      return true
    }

    mutating func skipSpace() {
      rest = rest.drop { $0 == ASCII.space || $0 == ASCII.tab }
    }

    mutating func token() -> String? {
      let token = rest.prefix { ByteSet.token.contains($0) }
      rest = rest[token.endIndex...]
      return token.isEmpty ? nil : String(decoding: token, as: UTF8.self)
    }

    /// `quoted-string` of §5.6.4: a backslash stands before a byte that is meant as it is.
    mutating func quoted() -> String? {
      guard take(ASCII.quote) else { return nil }
      var bytes: [UInt8] = []
      while let byte = rest.popFirst() {
        if byte == ASCII.quote { return String(decoding: bytes, as: UTF8.self) }
        guard let meant = byte == ASCII.backslash ? rest.popFirst() : byte,
          !ASCII.isControl(meant)
        else { return nil }
        bytes.append(meant)
      }
      return nil
    }
  }
}
