/// The name of a header field: a token (RFC 9110 §5.1), equal to another whatever the case.
package struct FieldName: Hashable, Sendable, CustomStringConvertible {
  /// As it was written.
  package let description: String
  /// A hash of the name in lower case. Most names differ in it, so that finding a field among others
  /// compares a word each, not their letters.
  private let key: UInt64

  /// Nil for what is no token.
  package init?(_ text: String) {
    self.init(Array(text.utf8)[...])
  }

  init?(_ bytes: ArraySlice<UInt8>) {
    let token = ByteSet.token
    let isToken = bytes.withUnsafeBufferPointer { !$0.isEmpty && $0.allSatisfy(token.contains) }
    guard isToken else { return nil }
    self.init(token: bytes)
  }

  private init(token bytes: ArraySlice<UInt8>) {
    (description, key) = bytes.withUnsafeBufferPointer { bytes in
      (String(decoding: bytes, as: UTF8.self), Self.key(of: bytes))
    }
  }

  private init(token: String) {
    description = token
    key = Self.key(of: token.utf8)
  }

  /// FNV-1a.
  private static func key(of bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) {
      ($0 ^ UInt64(ASCII.lowercased($1))) &* 0x0000_0100_0000_01B3
    }
  }

  package static func == (one: FieldName, other: FieldName) -> Bool {
    // Nearly always both are written alike.
    one.key == other.key
      && (one.description == other.description || ASCII.equal(one.description, other.description))
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

extension FieldName: ExpressibleByStringLiteral {
  /// A name written in the source. A byte that no name may hold becomes `-`.
  package init(stringLiteral value: String) {
    let token = ByteSet.token
    if !value.isEmpty, value.utf8.allSatisfy(token.contains) {
      // Of a text that is part of the binary no references are counted.
      self.init(token: value)
      return
    }
    let hyphen = UInt8(ascii: "-")
    let bytes = value.utf8.map { token.contains($0) ? $0 : hyphen }
    self.init(token: bytes.isEmpty ? [hyphen] : bytes[...])
  }
}

/// The names that many requests or answers have. Others are written where they are used.
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
  /// The body is of the type that is said (Fetch standard, "X-Content-Type-Options").
  package static let nosniff = Fields.Field("X-Content-Type-Options", "nosniff")
  /// Nobody keeps the answer (RFC 9111 §5.2.2.5).
  package static let noStore = Fields.Field(.cacheControl, "no-store")
  package static let json = Fields.Field(.contentType, "application/json")
}
