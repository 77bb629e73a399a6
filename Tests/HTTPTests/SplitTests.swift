import Testing

@testable import HTTP

/// Requests, good and bad, that are cut at every place.
private let streams = [
  "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
  "\r\n\r\nGET /a/../b?c=%20+d HTTP/1.0\r\n\r\n",
  "GET / HTTP/1.1\r\nHost: a\r\n\r\nHEAD /x HTTP/1.1\r\nHost: b\r\n\r\nGET",
  "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhelloPUT / HTTP/1.1\r\nHost: a\r\n\r\n",
  "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    + "5;a=\"b\"\r\nhello\r\n2\r\n\r\n\r\n0\r\nX: y\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
  "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhelloX\r\n0\r\n\r\n",
  "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX : y\r\n\r\n",
  "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
  "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\n",
  "GET / HTTP/1.1\r\nHost: a\r\nX: \u{E9}\r\nY:\r\n\r\n",
  "GET / HTTP/1.1\nHost: a\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\r\n\r\n",
  "GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "TRACE / HTTP/1.1\r\n\r\n",
  "GET / HTTP/2.0\r\n\r\n", "GET /\0 HTTP/1.1\r\n\r\n",
  "GET /a-target-that-is-longer-than-the-line-may-be-in-this-test HTTP/1.1\r\nHost: a\r\n\r\n",
  "GET / HTTP/1.1\r\nHost: a\r\nX: more-bytes-than-the-fields-may-have-in-this-test\r\n\r\n",
  "GET / HTTP/1.1\r\nA:\r\nB:\r\nC:\r\nD:\r\nE:\r\nF:\r\n\r\n",
]

private var narrow: MessageLimits {
  var limits = MessageLimits()
  limits.requestLine = 48
  limits.headerBytes = 64
  limits.headerFields = 5
  limits.body = 64
  return limits
}

@Suite("A request that arrives in pieces")
struct SplitTests {
  @Test("is read like the whole, wherever it is cut in two", arguments: streams)
  func two(stream: String) {
    let bytes = Array(stream.utf8)
    for limits in [MessageLimits(), narrow] {
      let whole = outcomes([bytes[...]], limits: limits)
      for cut in 0...bytes.count {
        #expect(outcomes([bytes[..<cut], bytes[cut...]], limits: limits) == whole, "cut at \(cut)")
      }
    }
  }

  @Test("is read like the whole, wherever it is cut in three", arguments: streams)
  func three(stream: String) {
    let bytes = Array(stream.utf8)
    let whole = outcomes([bytes[...]])
    for first in 0...bytes.count {
      for second in first...bytes.count {
        let pieces = [bytes[..<first], bytes[first..<second], bytes[second...]]
        guard outcomes(pieces) != whole else { continue }
        Issue.record("cut at \(first) and \(second)")
        return
      }
    }
  }

  @Test("is read like the whole, byte by byte", arguments: streams)
  func bytes(stream: String) {
    let bytes = Array(stream.utf8)
    let single = bytes.indices.map { bytes[$0...$0] }
    #expect(outcomes(single) == outcomes([bytes[...]]))
    #expect(outcomes(single, limits: narrow) == outcomes([bytes[...]], limits: narrow))
  }
}

@Suite("A request at a limit")
struct LimitTests {
  /// RFC 9112 §3: "A server that receives a request-target longer than any URI it wishes to parse MUST respond
  /// with a 414 (URI Too Long) status code".
  @Test("has a request line of that many bytes, and not one more")
  func requestLine() {
    func line(_ count: Int) -> String {
      "GET /" + String(repeating: "a", count: count - 14) + " HTTP/1.1\r\nHost: a\r\n\r\n"
    }
    #expect(request(line(8192)) != nil)
    #expect(refusal(line(8193)) == .targetTooLong(limit: 8192))
    // Before the line is complete, too.
    #expect(refusal("GET /" + String(repeating: "a", count: 8188)) == .targetTooLong(limit: 8192))
  }

  /// RFC 9110 §5.4: "A server that receives a request header field line, field value, or set of fields larger than
  /// it wishes to process MUST respond with an appropriate 4xx (Client Error) status code."
  @Test("has field lines of that many bytes, and not one more")
  func headerBytes() {
    // "Host: a" and its end are 9 bytes, "X: " and its end 5.
    func fields(_ count: Int) -> String {
      "GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "a", count: count - 14) + "\r\n\r\n"
    }
    #expect(request(fields(16384)) != nil)
    #expect(refusal(fields(16385)) == .headersTooLarge)
  }

  @Test("has that many fields, and not one more")
  func headerFields() {
    func fields(_ count: Int) -> String {
      withFields(String(repeating: "X: y\r\n", count: count - 1))
    }
    #expect(request(fields(100)) != nil)
    #expect(refusal(fields(101)) == .headersTooLarge)
  }

  @Test("shares the limits of its fields with its trailers")
  func trailers() {
    #expect(request(withTrailers(100)) != nil)
    #expect(outcomes(withTrailers(101)) == [.refused(.headersTooLarge)])
  }

  @Test("has a body of that many bytes, and not one more")
  func body() {
    var limits = MessageLimits()
    limits.body = 10
    func whole(_ count: Int) -> String {
      withFields("Content-Length: \(count)\r\n", body: String(repeating: "a", count: count))
    }
    func chunked(_ count: Int) -> String {
      withFields(
        "Transfer-Encoding: chunked\r\n",
        body: String(repeating: "1\r\na\r\n", count: count) + "0\r\n\r\n")
    }
    for text in [whole, chunked] {
      #expect(request(text(10), limits: limits)?.body.count == 10)
      #expect(outcomes(text(11), limits: limits) == [.refused(.bodyTooLarge(limit: 10))])
    }
  }

  @Test("may be admitted with a body of another size")
  func admission() {
    var parser = RequestParser()
    parser.append(Array(withFields("Content-Length: 11\r\n", body: "hello world").utf8)[...])
    guard case .head = parser.next() else {
      Issue.record("There is no head.")
      return
    }
    parser.admit(bodyLimit: 10)
    #expect(parser.next() == .refused(.bodyTooLarge(limit: 10)))
    // And nothing behind a refusal is read.
    #expect(parser.next() == .refused(.bodyTooLarge(limit: 10)))
  }

  @Test("is refused whatever the limits are, without a trap", arguments: [Int.min, -1, 0, 1])
  func absurdLimits(limit: Int) {
    var limits = MessageLimits()
    limits.requestLine = limit
    #expect(refusal("GET / HTTP/1.1\r\nHost: a\r\n\r\n", limits: limits) != nil)
    limits = MessageLimits()
    limits.headerBytes = limit
    #expect(refusal("GET / HTTP/1.1\r\nHost: a\r\n\r\n", limits: limits) != nil)
    limits = MessageLimits()
    limits.headerFields = limit
    #expect(refusal("GET / HTTP/1.1\r\nA: b\r\nHost: a\r\n\r\n", limits: limits) != nil)
    limits = MessageLimits()
    limits.body = limit
    #expect(
      outcomes(withFields("Content-Length: 2\r\n", body: "ab"), limits: limits).contains {
        if case .refused(.bodyTooLarge) = $0 { true } else { false }
      })
  }
}
