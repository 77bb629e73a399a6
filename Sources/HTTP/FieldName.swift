/// The name of a header field: a token (RFC 9110 §5.1), equal to another whatever the case.
package struct FieldName: Hashable, Sendable, CustomStringConvertible {
  /// As it was written.
  package let description: String

  /// Nil for what is no token.
  package init?(_ text: String) {
    let token = ByteSet.token
    guard !text.isEmpty, text.utf8.allSatisfy(token.contains) else { return nil }
    description = text
  }

  init?(_ bytes: ArraySlice<UInt8>) {
    let token = ByteSet.token
    guard !bytes.isEmpty, bytes.allSatisfy(token.contains) else { return nil }
    description = String(decoding: bytes, as: UTF8.self)
  }

  package static func == (one: FieldName, other: FieldName) -> Bool {
    ASCII.equal(one.description, other.description)
  }

  package func hash(into hasher: inout Hasher) {
    for byte in description.utf8 { hasher.combine(ASCII.lowercased(byte)) }
  }
}

extension FieldName: ExpressibleByStringLiteral {
  /// A name written in the source. A byte that no name may hold becomes `-`.
  package init(stringLiteral value: StaticString) {
    let token = ByteSet.token
    description = value.withUTF8Buffer { bytes in
      if !bytes.isEmpty, bytes.allSatisfy(token.contains) {
        return String(decoding: bytes, as: UTF8.self)
      }
      let mended = bytes.map { token.contains($0) ? $0 : UInt8(ascii: "-") }
      return mended.isEmpty ? "-" : String(decoding: mended, as: UTF8.self)
    }
  }
}

extension FieldName {
  package static let allow: FieldName = "Allow"
  package static let connection: FieldName = "Connection"
  package static let contentLength: FieldName = "Content-Length"
  package static let contentType: FieldName = "Content-Type"
  package static let date: FieldName = "Date"
  package static let expect: FieldName = "Expect"
  package static let host: FieldName = "Host"
  package static let retryAfter: FieldName = "Retry-After"
  package static let transferEncoding: FieldName = "Transfer-Encoding"
}
