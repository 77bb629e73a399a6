import GoalsCore
import GoalsReplica
import GoalsWire
import JSON

/// A request as HTTP has it. The shell adds the server's origin, `Authorization: Bearer`, and
/// `Content-Type: application/json` where there is a body.
public struct RequestHead: Hashable, Sendable {
  public let method: String
  /// The path and the query (RFC 9112 §3.2.1).
  public let target: String
  /// JSON; nil where the request has none.
  public let body: [UInt8]?

  init(_ method: String, _ target: String, body: [UInt8]? = nil) {
    self.method = method
    self.target = target
    self.body = body
  }
}

extension Replica.Request {
  /// The request as it is sent.
  public var http: RequestHead {
    switch self {
    case .identity: return RequestHead("GET", "/v1/account?version=0")
    case .read(let after): return RequestHead("GET", "/v1/edits" + query(after: after))
    case .sync(let after, let edits):
      let body = JSONWriter.bytes(reserving: 64 + 200 * edits.count) { json in
        json.object { json in
          json.member("after", after?.text)
          json.member("edits", edits)
        }
      }
      return RequestHead("POST", "/v1/sync", body: body)
    }
  }
}

extension Replica.Following {
  /// How long the server may let a long poll wait: 30 seconds, its maximum.
  static let longestWait = 30

  /// The target of the `GET` by which the log is followed from a position on. A stream's answer is
  /// `text/event-stream`; a long poll's is JSON.
  public func target(after cursor: Replica.Cursor?) -> String {
    switch self {
    case .stream: "/v1/changes" + query(after: cursor)
    case .longPoll:
      "/v1/edits" + query(after: cursor, "wait=\(Self.longestWait)")
    }
  }
}

/// The query that names a position in the log. Only the server looks into a cursor, so all of it is
/// encoded that is not unreserved (RFC 3986 §2.3).
private func query(after cursor: Replica.Cursor?, _ item: String? = nil) -> String {
  var items: [String] = []
  if let cursor {
    var text = "after="
    for byte in cursor.text.utf8 { text += encoded(byte) }
    items.append(text)
  }
  if let item { items.append(item) }
  var query = ""
  for item in items { query += (query.isEmpty ? "?" : "&") + item }
  return query
}

private func encoded(_ byte: UInt8) -> String {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
    UInt8(ascii: "_"), UInt8(ascii: "~"):
    return String(Unicode.Scalar(byte))
  // NB: open, every other byte
  default:
    let digits = Array("0123456789ABCDEF".unicodeScalars)
    return "%" + String(digits[Int(byte >> 4)]) + String(digits[Int(byte & 0xF)])
  }
}
