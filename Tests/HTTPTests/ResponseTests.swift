import Testing

@testable import HTTP

private let date = "Sun, 06 Nov 1994 08:49:37 GMT"

private func text(
  _ response: Response, to method: Method? = .get, version: HTTPVersion = .http11,
  keepsAlive: Bool = true
) -> String {
  let encoder = ResponseEncoder(method: method, version: version, keepsAlive: keepsAlive)
  let (first, rest) = encoder.whole(response, date: date)
  return String(decoding: first + rest, as: UTF8.self)
}

@Suite("A response")
struct ResponseTests {
  @Test("has a status line, its date, its fields, its length and its body")
  func whole() {
    let response = Response(.ok, fields: ["X": "y"], body: Array("hello".utf8))
    #expect(
      text(response)
        == "HTTP/1.1 200 OK\r\nDate: \(date)\r\nX: y\r\nContent-Length: 5\r\n\r\nhello")
  }

  /// RFC 9110 §8.6: "A server MUST NOT send a Content-Length header field in any response with a
  /// status code of 1xx (Informational) or 204 (No Content)." RFC 9112 §6.3: no body after 204 and
  /// 304.
  @Test("of 204 or 304 has neither", arguments: [Status.noContent, .notModified])
  func bodiless(status: Status) {
    #expect(
      text(Response(status, body: Array("hello".utf8)))
        == "HTTP/1.1 \(status.code) \(status.reason)\r\nDate: \(date)\r\n\r\n")
  }

  @Test("tells whether the connection ends")
  func connection() {
    let response = Response(.ok)
    #expect(text(response, keepsAlive: false).contains("\r\nConnection: close\r\n"))
    #expect(!text(response).contains("Connection"))
    #expect(text(response, version: .http10).contains("\r\nConnection: keep-alive\r\n"))
    #expect(text(response, version: .http10, keepsAlive: false).contains("Connection: close"))
  }

  @Test("cannot be given another framing or date")
  func framing() {
    let response = Response(
      .ok,
      fields: [
        "content-length": "7", "Transfer-Encoding": "chunked", "connection": "x", "date": "now",
      ])
    #expect(text(response) == "HTTP/1.1 200 OK\r\nDate: \(date)\r\nContent-Length: 0\r\n\r\n")
  }

  /// RFC 9112 §2.2: "A sender MUST NOT generate a bare CR … within any protocol elements other than
  /// the content." §5.2: "A sender MUST NOT generate a message that includes line folding".
  @Test(
    "cannot be split or folded by what a field is given",
    arguments: [
      "a\r\n b", "a\n\tb", "a\r\nB: c", "a\nB: c", "a\rB: c", "a\r\n\r\n<html>", "a\0", "\u{7F}a",
      "\r\na\r\n",
    ])
  func injection(value: String) {
    var fields: Fields = ["A": value]
    fields.append("A", value)
    fields["B"] = value
    for field in fields.all {
      #expect(!field.value.utf8.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F })
    }
    let lines = text(Response(.ok, fields: fields)).split(separator: "\r\n")
    #expect(lines.count == 6)
  }

  @Test("cannot have a field whose name is no token", arguments: ["", "a b", "a:", "a\r\n", "é"])
  func names(name: String) {
    #expect(FieldName(name) == nil)
  }

  @Test("of a large body sends it uncopied behind the head")
  func large() {
    let body = [UInt8](repeating: 0x61, count: 100_000)
    let encoder = ResponseEncoder(method: .get, version: .http11, keepsAlive: true)
    let (first, rest) = encoder.whole(Response(.ok, body: body), date: date)
    #expect(String(decoding: first, as: UTF8.self).hasSuffix("Content-Length: 100000\r\n\r\n"))
    #expect(rest == body)
  }

  @Test("that is streamed is in chunks, and to HTTP/1.0 until the end")
  func streamed() {
    let new = ResponseEncoder(method: .get, version: .http11, keepsAlive: true)
    let old = ResponseEncoder(method: .get, version: .http10, keepsAlive: false)
    let response = Response(.ok, fields: ["X": "y"])
    #expect(
      String(decoding: new.streamHead(of: response, date: date), as: UTF8.self)
        == "HTTP/1.1 200 OK\r\nDate: \(date)\r\nX: y\r\nTransfer-Encoding: chunked\r\n\r\n")
    #expect(
      String(decoding: old.streamHead(of: response, date: date), as: UTF8.self)
        == "HTTP/1.1 200 OK\r\nDate: \(date)\r\nX: y\r\nConnection: close\r\n\r\n")
    let piece = Array("hello world, hello".utf8)
    #expect(String(decoding: new.piece(piece), as: UTF8.self) == "12\r\nhello world, hello\r\n")
    #expect(old.piece(piece) == piece)
    #expect(new.piece([]) == [])
  }
}

@Suite("Fields")
struct FieldsTests {
  @Test("are found in any case, and replaced in place")
  func subscripting() {
    var fields: Fields = ["A": "1", "b": "2", "a": "3"]
    #expect(fields["a"] == "1")
    #expect(fields["B"] == "2")
    #expect(fields["c"] == nil)
    fields["A"] = "4"
    #expect(fields == ["A": "4", "b": "2"])
    fields["b"] = nil
    #expect(fields == ["A": "4"])
  }

  @Test("hold lists of tokens over several lines")
  func lists() {
    let fields: Fields = ["Connection": "keep-alive, , X", "connection": "\tClose "]
    #expect(fields.list(.connection) == ["keep-alive", "X", "Close"])
    #expect(fields.list(.connection, contains: "close"))
    #expect(!fields.list(.connection, contains: "clos"))
  }

  @Test(
    "tell whether the connection stays",
    arguments: [
      (HTTPVersion.http11, "", true), (.http11, "close", false), (.http11, "x, Close", false),
      (.http10, "", false), (.http10, "Keep-Alive", true), (.http10, "keep-alive, close", false),
    ])
  func persistence(version: HTTPVersion, connection: String, keepsAlive: Bool) throws {
    let target = try #require(Target("/"))
    let head = RequestHead(
      method: .get, target: target, version: version, fields: [.connection: connection])
    #expect(head.keepsAlive == keepsAlive)
  }
}

@Suite("A date")
struct DateTests {
  /// RFC 9110 §5.6.7 has the first; the others are `date -u -R`.
  @Test(
    "is printed as HTTP wants it",
    arguments: [
      (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
      (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
      (951_868_799, "Tue, 29 Feb 2000 23:59:59 GMT"),
      (1_795_564_800, "Wed, 25 Nov 2026 00:00:00 GMT"),
      (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"), (-5, "Thu, 01 Jan 1970 00:00:00 GMT"),
      (.max, "Fri, 31 Dec 9999 23:59:59 GMT"),
    ])
  func dates(seconds: Int, text: String) {
    #expect(HTTPDate.text(unixSeconds: seconds) == text)
  }
}

@Suite("A refusal")
struct RefusalTests {
  @Test(
    "has its status and code",
    arguments: [
      (Refusal.malformedRequest(""), 400, "malformed-request"),
      (.requestTimeout, 408, "request-timeout"), (.bodyTooLarge(limit: 1), 413, "body-too-large"),
      (.targetTooLong(limit: 1), 414, "target-too-long"),
      (.expectationFailed, 417, "expectation-failed"), (.headersTooLarge, 431, "headers-too-large"),
      (.notImplemented(""), 501, "not-implemented"), (.draining, 503, "draining"),
      (.tooManyConnections, 503, "too-many-connections"),
      (.versionNotSupported, 505, "http-version-not-supported"),
    ])
  func codes(refusal: Refusal, status: Int, code: String) {
    #expect(refusal.status.code == status)
    #expect(refusal.code == code)
    #expect((refusal.retryAfter != nil) == (status == 503))
  }
}
