import HTTP

/// Lets the pages of some other origins read answers (the CORS protocol of the Fetch standard). It
/// concerns tokens only: a cookie never comes with a request of another origin.
struct CrossOrigin: Sendable {
  private let origins: Set<String>

  init(_ origins: [Origin]) { self.origins = Set(origins.map(\.description)) }

  /// The fields that such a page may send, and read, beside those of any page.
  private static let requestFields =
    "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID"
  private static let responseFields =
    "Allow, Date, ETag, Location, Retry-After, WWW-Authenticate, X-Request-Id"
  /// For how many seconds a browser remembers this permission.
  private static let maximumAge = "7200"

  /// Names in an answer the origin that may read it, if there is one.
  ///
  /// - Parameter head: nil for a request whose head could not be read.
  func permit(_ response: inout Response, to head: RequestHead?) {
    guard !origins.isEmpty else { return }
    response.fields.append("Vary", "Origin")
    guard let head, let origin = head.fields[.origin], origins.contains(origin) else { return }
    response.fields.append("Access-Control-Allow-Origin", origin)
    guard head.method == .options, head.fields["Access-Control-Request-Method"] != nil else {
      response.fields.append("Access-Control-Expose-Headers", Self.responseFields)
      return
    }
    response.fields.append("Access-Control-Allow-Methods", response.fields[.allow] ?? "")
    response.fields.append("Access-Control-Allow-Headers", Self.requestFields)
    response.fields.append("Access-Control-Max-Age", Self.maximumAge)
  }
}
