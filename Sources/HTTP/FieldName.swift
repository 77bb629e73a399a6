/// The name of a header field: a token (RFC 9110 §5.1), compared without regard to case.
package struct FieldName: Hashable, Sendable, CustomStringConvertible {
  /// As it was written.
  package let description: String

  /// Nil for a text that is not a token.
  package init?(_ text: String) {
    self.init(Array(text.utf8)[...])
  }

  init?(_ bytes: ArraySlice<UInt8>) {
    let token = ByteSet.token
    let isToken = bytes.withUnsafeBufferPointer { !$0.isEmpty && $0.allSatisfy(token.contains) }
    guard isToken else { return nil }
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
  /// A name written in the source, which has to be a token.
  package init(stringLiteral value: String) {
    assert(!value.isEmpty && value.utf8.allSatisfy(ByteSet.token.contains))
    description = value
  }
}

/// The names that many requests or responses have. Others are written where they are used.
extension FieldName {
  package static let allow: FieldName = "Allow"
  package static let authorization: FieldName = "Authorization"
  package static let cacheControl: FieldName = "Cache-Control"
  package static let connection: FieldName = "Connection"
  package static let contentEncoding: FieldName = "Content-Encoding"
  package static let contentLength: FieldName = "Content-Length"
  package static let contentType: FieldName = "Content-Type"
  package static let cookie: FieldName = "Cookie"
  package static let date: FieldName = "Date"
  package static let entityTag: FieldName = "ETag"
  package static let expect: FieldName = "Expect"
  package static let host: FieldName = "Host"
  package static let idempotencyKey: FieldName = "Idempotency-Key"
  package static let ifMatch: FieldName = "If-Match"
  package static let ifNoneMatch: FieldName = "If-None-Match"
  package static let location: FieldName = "Location"
  package static let origin: FieldName = "Origin"
  package static let requestID: FieldName = "X-Request-Id"
  package static let retryAfter: FieldName = "Retry-After"
  package static let transferEncoding: FieldName = "Transfer-Encoding"
}

extension Fields.Field {
  /// A client takes the body for nothing but its `Content-Type` (Fetch standard,
  /// "X-Content-Type-Options").
  package static let nosniff = Fields.Field("X-Content-Type-Options", "nosniff")
  /// No page shows the content in a frame (CSP Level 3 §6.4.2).
  package static let unframed = Fields.Field("Content-Security-Policy", "frame-ancestors 'none'")
  /// No cache keeps the response (RFC 9111 §5.2.2.5).
  package static let noStore = Fields.Field(.cacheControl, "no-store")
  package static let json = Fields.Field(.contentType, "application/json")
}
