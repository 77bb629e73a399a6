@testable import HTTP

/// What a server makes of a stream of bytes.
enum Outcome: Equatable, CustomStringConvertible {
  case request(Request)
  case refused(Refusal)
  /// The stream ends within a request.
  case incomplete

  var description: String {
    switch self {
    case .request(let request):
      "\(request.method.rawValue) \(request.head.target.text), \(request.body.count) bytes"
    case .refused(let refusal): "\(refusal.status.code) \(refusal.detail)"
    case .incomplete: "incomplete"
    }
  }
}

/// Reads what arrives in these pieces, up to the first refusal.
func outcomes(
  _ pieces: [ArraySlice<UInt8>], limits: MessageLimits = MessageLimits()
) -> [Outcome] {
  var parser = RequestParser(limits: limits)
  var outcomes: [Outcome] = []
  var request: Request?
  for piece in pieces {
    parser.append(piece)
    reading: while true {
      switch parser.next() {
      case .needsInput: break reading
      case .head(let head): request = Request(head)
      case .body(let bytes): request?.body += bytes
      case .end:
        if let request { outcomes.append(.request(request)) }
        request = nil
      case .refused(let refusal): return outcomes + [.refused(refusal)]
      }
    }
  }
  return parser.hasBegun ? outcomes + [.incomplete] : outcomes
}

func outcomes(_ text: String, limits: MessageLimits = MessageLimits()) -> [Outcome] {
  outcomes([Array(text.utf8)[...]], limits: limits)
}

/// The one request in the text, or nil.
func request(_ text: String, limits: MessageLimits = MessageLimits()) -> Request? {
  guard case .request(let request)? = outcomes(text, limits: limits).first else { return nil }
  return request
}

/// The refusal of the text's first request, or nil.
func refusal(_ bytes: [UInt8], limits: MessageLimits = MessageLimits()) -> Refusal? {
  guard case .refused(let refusal)? = outcomes([bytes[...]], limits: limits).first else {
    return nil
  }
  return refusal
}

func refusal(_ text: String, limits: MessageLimits = MessageLimits()) -> Refusal? {
  refusal(Array(text.utf8), limits: limits)
}

/// The status that a request with this text is refused with.
func refusedStatus(_ text: String) -> Int? { refusal(text)?.status.code }

/// A request with these lines after its request line and `Host`.
func withFields(_ fields: String, body: String = "") -> String {
  "POST /goals HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\(body)"
}

/// A request with so many fields, of which the last are trailers of an empty body.
func withTrailers(_ fields: Int) -> String {
  withFields(
    "Transfer-Encoding: chunked\r\n",
    body: "0\r\n" + String(repeating: "X: y\r\n", count: fields - 2) + "\r\n")
}
