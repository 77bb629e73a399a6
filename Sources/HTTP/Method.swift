/// The methods that this server knows (RFC 9110 §9, RFC 5789); every other one, CONNECT among them, is
/// answered with 501. Names are case-sensitive.
package enum Method: String, Sendable, Hashable, CaseIterable {
  case get = "GET"
  case head = "HEAD"
  case post = "POST"
  case put = "PUT"
  case patch = "PATCH"
  case delete = "DELETE"
  case options = "OPTIONS"
  // Known, so that they are refused with 405, but there for nothing: TRACE would echo what was sent,
  // tokens included (RFC 9110 §9.3.8), and QUERY, a GET with a body, is not needed.
  case trace = "TRACE"
  case query = "QUERY"

  private static let names = allCases.map { (name: Array($0.rawValue.utf8), method: $0) }

  init?(_ name: ArraySlice<UInt8>) {
    guard let known = Method.names.first(where: { $0.name.elementsEqual(name) }) else { return nil }
    self = known.method
  }

  /// Whether there is anything that it may be used for.
  package var isOffered: Bool { self != .trace && self != .query }

  /// The value of an `Allow` field (RFC 9110 §10.2.1), in the order of the cases.
  package static func allow(_ methods: some Sequence<Method>) -> String {
    let allowed = Set(methods)
    return allCases.filter(allowed.contains).map(\.rawValue).joined(separator: ", ")
  }
}
