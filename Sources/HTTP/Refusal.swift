/// Why the protocol itself refuses a request or a connection, before any handler was asked.
///
/// The connection is closed after the answer. Nobody can tell where a refused request ends, so
/// nothing behind it may be read as a request.
package enum Refusal: Error, Sendable, Equatable {
  /// The request breaks RFC 9112; with a sentence for a person.
  case malformedRequest(String)
  /// It did not arrive in time.
  case requestTimeout
  /// Its body has more than this many bytes.
  case bodyTooLarge(limit: Int)
  /// Its request line has more than this many bytes.
  case targetTooLong(limit: Int)
  /// It has more fields, or more bytes of fields, than are read.
  case headersTooLarge
  /// It has an expectation other than `100-continue`.
  case expectationFailed
  /// The server does not implement its method or its transfer coding; with a sentence for a person.
  case notImplemented(String)
  /// Its major version is not 1.
  case versionNotSupported
  /// No more connections may be open.
  case tooManyConnections
  /// The bodies of all requests may take no more memory.
  case tooManyBodies
  /// The server is about to stop.
  case draining

  package var status: Status { told.0 }

  /// The name that clients may rely on.
  package var code: String { told.1 }

  /// A sentence for a person.
  package var detail: String { told.2 }

  private var told: (Status, String, String) {
    switch self {
    case .malformedRequest(let detail): (.badRequest, "malformed-request", detail)
    case .requestTimeout:
      (.requestTimeout, "request-timeout", "The request did not arrive in time.")
    case .bodyTooLarge(let limit):
      (.contentTooLarge, "body-too-large", "The body has more than \(limit) bytes.")
    case .targetTooLong(let limit):
      (.uriTooLong, "target-too-long", "The request line has more than \(limit) bytes.")
    case .headersTooLarge:
      (.headersTooLarge, "headers-too-large", "The header fields are too many or too long.")
    case .expectationFailed:
      (.expectationFailed, "expectation-failed", "No expectation but 100-continue is understood.")
    case .notImplemented(let detail): (.notImplemented, "not-implemented", detail)
    case .versionNotSupported:
      (
        .versionNotSupported, "http-version-not-supported",
        "Only HTTP/1.1 and HTTP/1.0 are spoken here."
      )
    case .tooManyConnections:
      (.serviceUnavailable, "too-many-connections", "Too many connections are open.")
    case .tooManyBodies:
      (.serviceUnavailable, "too-many-connections", "Too many large bodies are on their way.")
    case .draining: (.serviceUnavailable, "draining", "The server is about to stop.")
    }
  }

  /// After how many seconds the client may try again; nil where the request itself is at fault.
  package var retryAfter: Int? { status == .serviceUnavailable ? 1 : nil }
}
