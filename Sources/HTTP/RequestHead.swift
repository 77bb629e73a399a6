/// All of a request but its body: an object, because it is handed on from the parser to whoever tells of
/// the answer.
package final class RequestHead: Sendable, Equatable {
  let line: RequestLine
  package let fields: Fields
  /// How the body is delimited.
  package let framing: BodyFraming
  /// The client waits for `100 Continue` before it sends the body (RFC 9110 §10.1.1).
  package let expectsContinue: Bool
  /// Whether the client lets the connection be used again (RFC 9112 §9.3).
  package let keepsAlive: Bool

  package convenience init(
    method: Method, target: Target, version: Version = .http11, fields: Fields = [:],
    framing: BodyFraming = .none, expectsContinue: Bool = false
  ) {
    self.init(
      RequestLine(method: method, target: target, version: version), fields: fields,
      framing: framing, expectsContinue: expectsContinue)
  }

  init(_ line: RequestLine, fields: Fields, framing: BodyFraming, expectsContinue: Bool) {
    self.line = line
    self.fields = fields
    self.framing = framing
    self.expectsContinue = expectsContinue
    keepsAlive = fields.keepAlive(line.version)
  }

  package var method: Method { line.method }
  package var target: Target { line.target }
  package var version: Version { line.version }

  package static func == (one: RequestHead, other: RequestHead) -> Bool {
    one.method == other.method && one.target == other.target && one.version == other.version
      && one.fields == other.fields && one.framing == other.framing
      && one.expectsContinue == other.expectsContinue
  }

  /// The decoded segments of the path; see `Target.segments`.
  package var segments: [String] { target.segments }

  /// The decoded parameters of the query, in order.
  package var query: [QueryItem] { target.query }

  /// The host and port that the client asked for: the target's own, else the `Host` field's (RFC
  /// 9112 §3.3). Nil only for HTTP/1.0 without either.
  package var authority: String? { target.authority ?? fields[.host] }
}

extension Fields {
  fileprivate func keepAlive(_ version: Version) -> Bool {
    guard contains(.connection) else { return version == .http11 }
    let options = list(.connection)
    if options.contains(where: { ASCII.equal($0, "close") }) { return false }
    return switch version {
    case .http11: true
    case .http10: options.contains { ASCII.equal($0, "keep-alive") }
    }
  }
}

/// The versions that are told apart. A later minor version counts as 1.1 (RFC 9110 §2.5).
package enum Version: Sendable, Equatable {
  case http10
  case http11
}

/// How a request's body is delimited (RFC 9112 §6.3).
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
