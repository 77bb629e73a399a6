/// What carries the requests of a link to its server, and tells `Exchanges` what comes.
///
/// It follows no redirection, since the token would go with it. It keeps no cookies, caches nothing
/// and asks nobody for a password.
protocol Transport: Sendable {
  /// - Parameter patience: how long nothing may come.
  init(telling exchanges: Exchanges, patience: Duration, world: ClientWorld)
  /// Begins the request of an exchange, which is told of its end unless it was cancelled.
  func begin(_ id: Int, _ request: TransportRequest)
  func cancel(_ ids: [Int])
  /// Ends all requests, and lets go of what they needed. No other one begins.
  func close()
}

/// A request as it is sent.
struct TransportRequest: Sendable {
  let method: String
  let url: String
  let fields: [(name: String, value: String)]
  let body: [UInt8]?
}

#if canImport(Darwin)
typealias LinkTransport = SessionTransport
#else
typealias LinkTransport = CurlTransport
#endif
