/// The methods that this server knows (RFC 9110 §9, RFC 5789); every other one, CONNECT among them,
/// is answered with 501. Names are case-sensitive.
package enum Method: String, Sendable, Hashable, CaseIterable {
  case get = "GET"
  case head = "HEAD"
  case post = "POST"
  case put = "PUT"
  case patch = "PATCH"
  case delete = "DELETE"
  case options = "OPTIONS"
  // Known, so that they are refused with 405, and not offered: TRACE would echo the request, tokens
  // included (RFC 9110 §9.3.8), and QUERY, a GET with a body, is not needed.
  case trace = "TRACE"
  case query = "QUERY"

  /// Whether a resource may offer it.
  package var isOffered: Bool { self != .trace && self != .query }

  /// The value of an `Allow` field (RFC 9110 §10.2.1).
  package static func allow(_ methods: [Method]) -> String {
    methods.map(\.rawValue).joined(separator: ", ")
  }
}
