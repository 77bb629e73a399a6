/// A request without its body. It is an object, because the parser, the handler and the log of
/// answers hand it on.
package final class RequestHead: Sendable, Equatable {
  package let method: Method
  package let target: Target
  package let version: HTTPVersion
  package let fields: Fields
  /// How the body is delimited.
  package let framing: BodyFraming
  /// The client waits for `100 Continue` before it sends the body (RFC 9110 §10.1.1).
  package let expectsContinue: Bool
  /// Whether the client lets the connection be used again (RFC 9112 §9.3).
  package let keepsAlive: Bool

  package init(
    method: Method, target: Target, version: HTTPVersion = .http11, fields: Fields = [:],
    framing: BodyFraming = .none, expectsContinue: Bool = false
  ) {
    self.method = method
    self.target = target
    self.version = version
    self.fields = fields
    self.framing = framing
    self.expectsContinue = expectsContinue
    keepsAlive = fields.keepAlive(version)
  }

  package static func == (one: RequestHead, other: RequestHead) -> Bool {
    one.method == other.method && one.target == other.target && one.version == other.version
      && one.fields == other.fields && one.framing == other.framing
      && one.expectsContinue == other.expectsContinue
  }

  /// The decoded segments of the path; see `Target.segments`.
  package var segments: [String] { target.segments }

  /// The decoded parameters of the query, in order.
  package var query: [QueryItem] { target.query }

  /// The host and port that the client asked for: the target's own, else those of the `Host` field
  /// (RFC 9112 §3.3). Nil only for HTTP/1.0 without either.
  package var authority: String? { target.authority ?? fields[.host] }
}

extension Fields {
  fileprivate func keepAlive(_ version: HTTPVersion) -> Bool {
    let options = contains(.connection) ? list(.connection) : []
    func says(_ option: String) -> Bool { options.contains { ASCII.equal($0, option) } }
    return !says("close") && (version == .http11 || says("keep-alive"))
  }
}

/// The protocol versions that are told apart. A later minor version counts as 1.1 (RFC 9110 §2.5).
package enum HTTPVersion: Sendable, Equatable {
  case http10
  case http11
}

/// How the body of a request is delimited (RFC 9112 §6.3).
package enum BodyFraming: Sendable, Equatable {
  case none
  /// That many bytes, more than 0.
  case length(Int)
  case chunked
}

/// A whole request.
package struct Request: Sendable, Equatable {
  package var head: RequestHead
  package var body: [UInt8]

  package init(_ head: RequestHead, body: [UInt8] = []) {
    self.head = head
    self.body = body
  }

  package var method: Method { head.method }
  package var fields: Fields { head.fields }
  package var segments: [String] { head.segments }
  package var query: [QueryItem] { head.query }
}
