/// Why the protocol itself refuses a request or a connection, before any handler was asked.
///
/// The connection is closed after the answer: where a refused request ends is not known for sure,
/// so nothing behind it may be read as a request.
package enum Refusal: Error, Sendable, Equatable {
  /// It breaks RFC 9112; with a sentence for a person.
  case malformedRequest(String)
  /// It did not arrive in time.
  case requestTimeout
  /// Its body has more than this many bytes.
  case bodyTooLarge(limit: Int)
  /// Its request line has more than this many bytes.
  case targetTooLong(limit: Int)
  /// Its fields are more, or have more bytes, than is read.
  case headersTooLarge
  /// It expects something else than `100-continue`.
  case expectationFailed
  /// Its method or its transfer coding is unknown here; with a sentence for a person.
  case notImplemented(String)
  /// Its major version is not 1.
  case versionNotSupported
  /// As many connections as are allowed are open already.
  case tooManyConnections
  /// The bodies of all requests together take as much memory as they may.
  case tooManyBodies
  /// The server is about to stop.
  case draining

  package var status: Status {
    switch self {
    case .malformedRequest: .badRequest
    case .requestTimeout: .requestTimeout
    case .bodyTooLarge: .contentTooLarge
    case .targetTooLong: .uriTooLong
    case .headersTooLarge: .headersTooLarge
    case .expectationFailed: .expectationFailed
    case .notImplemented: .notImplemented
    case .versionNotSupported: .versionNotSupported
    case .tooManyConnections, .tooManyBodies, .draining: .serviceUnavailable
    }
  }

  /// The name that clients may rely on.
  package var code: String {
    switch self {
    case .malformedRequest: "malformed-request"
    case .requestTimeout: "request-timeout"
    case .bodyTooLarge: "body-too-large"
    case .targetTooLong: "target-too-long"
    case .headersTooLarge: "headers-too-large"
    case .expectationFailed: "expectation-failed"
    case .notImplemented: "not-implemented"
    case .versionNotSupported: "http-version-not-supported"
    case .tooManyConnections, .tooManyBodies: "too-many-connections"
    case .draining: "draining"
    }
  }

  /// A sentence for a person.
  package var detail: String {
    switch self {
    case .malformedRequest(let detail), .notImplemented(let detail): detail
    case .requestTimeout: "The request did not arrive in time."
    case .bodyTooLarge(let limit): "The body has more than \(limit) bytes."
    case .targetTooLong(let limit): "The request line has more than \(limit) bytes."
    case .headersTooLarge: "The header fields are too many or too long."
    case .expectationFailed: "No expectation but 100-continue is understood."
    case .versionNotSupported: "Only HTTP/1.1 and HTTP/1.0 are spoken here."
    case .tooManyConnections: "Too many connections are open."
    case .tooManyBodies: "Too many large bodies are on their way."
    case .draining: "The server is about to stop."
    }
  }

  /// After how many seconds it is worth trying again, for the refusals that pass by themselves.
  package var retryAfter: Int? {
    switch self {
    case .tooManyConnections, .tooManyBodies, .draining: 1
    case .malformedRequest, .requestTimeout, .bodyTooLarge, .targetTooLong, .headersTooLarge,
      .expectationFailed, .notImplemented, .versionNotSupported:
      nil
    }
  }
}
