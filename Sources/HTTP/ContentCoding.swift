/// How the content of a message is coded (RFC 9110 §8.4.1).
package enum ContentCoding: Sendable {
  case brotli, gzip, identity

  /// Its name in fields; nil for content as it is, of which `Content-Encoding` says nothing.
  package var token: String? {
    switch self {
    case .brotli: "br"
    case .gzip: "gzip"
    case .identity: nil
    }
  }

  /// What tells its ETag from those of the other codings: other bytes need another strong one
  /// (RFC 9110 §8.8.3.3).
  package var tagSuffix: String { token.map { "-" + $0 } ?? "" }
}
