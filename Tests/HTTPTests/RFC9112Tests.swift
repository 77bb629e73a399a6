import Testing

@testable import HTTP

/// Each MUST of RFC 9112 that says what a server reads, in its order. What it says of connections
/// is tried on a server (`RFCConnectionTests`); what it says of clients, proxies and TLS is not
/// for this one.
@Suite("By RFC 9112, a server") struct RFC9112ReadingTests {
  /// §2.2: "A recipient MUST parse an HTTP message as a sequence of octets in an encoding that is a
  /// superset of US-ASCII."
  @Test("reads octets, whatever text they are")
  func octets() {
    func value(_ bytes: [UInt8]) -> String? {
      let text = Array(withFields("X: ").utf8.dropLast(2)) + bytes + Array("\r\n\r\n".utf8)
      guard case .request(let request)? = outcomes([text[...]]).first else { return nil }
      return request.fields["X"]
    }
    #expect(value([0xC3, 0xA9]) == "é")
    // Not UTF-8, so it is ISO 8859-1.
    #expect(value([0xE9]) == "é")
    #expect(value([0x80, 0xFF]) == "\u{80}ÿ")
  }

  /// §2.2: "A recipient of such a bare CR MUST consider that element to be invalid or replace each
  /// bare CR with SP before processing the element or forwarding the message."
  @Test(
    "takes an element with a bare CR for invalid",
    arguments: [
      "GET /\r HTTP/1.1\r\nHost: a\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\rb\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a\r\nX: \ry\r\n\r\n",
    ])
  func bareCR(text: String) { #expect(refusedStatus(text) == 400) }

  /// §2.2: "A recipient that receives whitespace between the start-line and the first header field
  /// MUST either reject the message as invalid or consume each whitespace-preceded line without
  /// further processing of it".
  @Test("rejects whitespace before the first field", arguments: [" ", "\t", " X: y"])
  func whitespaceBeforeFields(line: String) {
    #expect(refusedStatus("GET / HTTP/1.1\r\n\(line)\r\nHost: a\r\n\r\n") == 400)
  }

  /// §3.2: "A server MUST respond with a 400 (Bad Request) status code to any HTTP/1.1 request
  /// message that lacks a Host header field and to any request message that contains more than one
  /// Host header field line or a Host header field with an invalid field value."
  @Test(
    "answers 400 where there is not one valid Host",
    arguments: [
      "", "Host: a\r\nHost: a\r\n", "Host: a\r\nhost: b\r\n", "Host: a b\r\n", "Host: a/b\r\n",
    ])
  func host(fields: String) {
    #expect(refusedStatus("GET / HTTP/1.1\r\n\(fields)\r\n") == 400)
    #expect(refusedStatus("GET http://a/ HTTP/1.1\r\n\(fields)\r\n") == 400)
    let old = fields.isEmpty ? nil : 400
    #expect(refusedStatus("GET / HTTP/1.0\r\n\(fields)\r\n") == old)
  }

  /// §3.2.2: "A server MUST accept the absolute-form in requests", and "the origin server MUST
  /// ignore the received Host header field (if any) and instead use the host information of the
  /// request-target."
  @Test(
    "takes the host of an absolute target",
    arguments: [
      ("http://a.example/b?c=d", "a.example", "/b"), ("HTTP://a:80/", "a:80", "/"),
      ("https://[::1]:8080/b", "[::1]:8080", "/b"), ("http://a", "a", "/"),
      ("http://a?b", "a", "/"),
    ])
  func absoluteForm(text: String, authority: String, path: String) {
    let request = request("GET \(text) HTTP/1.1\r\nHost: other\r\n\r\n")
    #expect(request?.head.authority == authority)
    #expect(request?.head.target.path == path)
  }

  /// §3.2.4: "the client MUST send only "*" (%x2A) as the request-target" for the server as a
  /// whole.
  @Test("knows the asterisk, of OPTIONS alone")
  func asterisk() {
    let request = request("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(request?.head.target.isAsterisk == true)
    #expect(request?.head.target.path == "*")
    #expect(refusedStatus("GET * HTTP/1.1\r\nHost: a\r\n\r\n") == 400)
    #expect(refusedStatus("OPTIONS ** HTTP/1.1\r\nHost: a\r\n\r\n") == 400)
  }

  /// §5.1: "A server MUST reject, with a response status code of 400 (Bad Request), any received
  /// request message that contains whitespace between a header field name and colon."
  @Test("rejects whitespace before a colon", arguments: ["X : y", "X\t: y", "Content-Length : 5"])
  func whitespaceBeforeColon(line: String) {
    #expect(refusedStatus(withFields("\(line)\r\n")) == 400)
  }

  /// §5.2: "A server that receives an obs-fold in a request message … MUST either reject the
  /// message by sending a 400 (Bad Request) … or replace each received obs-fold with one or more SP
  /// octets".
  @Test("rejects folded lines", arguments: [" y", "\ty", " "])
  func folding(line: String) {
    #expect(refusedStatus(withFields("X: a\r\n\(line)\r\n")) == 400)
  }

  /// §6.1 and §7.1: "A recipient MUST be able to parse and decode the chunked transfer coding."
  @Test(
    "decodes chunks, and ignores their extensions",
    arguments: [
      ("0\r\n\r\n", ""), ("5\r\nhello\r\n0\r\n\r\n", "hello"),
      ("1\r\nh\r\n4\r\nello\r\n0\r\n\r\n", "hello"), ("00000005\r\nhello\r\n00\r\n\r\n", "hello"),
      ("a\r\n0123456789\r\nA\r\n0123456789\r\n0\r\n\r\n", "01234567890123456789"),
      ("2\r\n\r\n\r\n0\r\n\r\n", "\r\n"),
      // §7.1.1: "A recipient MUST ignore unrecognized chunk extensions."
      ("2;a\r\nhi\r\n0;x\r\n\r\n", "hi"), ("2;a;b=c;d=\"e f\"\r\nhi\r\n0;x\r\n\r\n", "hi"),
      ("2;a=\"\\\"\"\r\nhi\r\n0;a=\"\"\r\n\r\n", "hi"),
    ])
  func chunks(text: String, body: String) {
    let text = withFields("Transfer-Encoding: chunked\r\n", body: text)
    #expect(request(text)?.body == Array(body.utf8))
    #expect(outcomes(text).count == 1)
  }

  /// §6.1: "Regardless, the server MUST close the connection after responding to such a request",
  /// which has Content-Length and Transfer-Encoding both; and HTTP/1.0 with Transfer-Encoding "MUST
  /// treat the message as if the framing is faulty … and close the connection after processing the
  /// message". §6.3: where chunked "is not the final encoding … the server MUST respond with the
  /// 400 (Bad Request) status code and then close the connection"; with an invalid Content-Length
  /// "the server MUST respond with a 400 (Bad Request) status code and then close the connection."
  /// After a refusal the connection is always closed.
  @Test(
    "refuses a body of which nobody knows where it ends",
    arguments: [
      ("1.1", "Content-Length: 5\r\nTransfer-Encoding: chunked"),
      ("1.0", "Content-Length: 5\r\nTransfer-Encoding: chunked"),
      ("1.0", "Transfer-Encoding: chunked"), ("1.1", "Transfer-Encoding: chunked, gzip"),
      ("1.1", "Transfer-Encoding: gzip"), ("1.1", "Content-Length: 5, 6"),
      ("1.1", "Content-Length: 5\r\nContent-Length: 6"), ("1.1", "Content-Length: x"),
      ("1.1", "Content-Length: -1"), ("1.1", "Content-Length:"),
      ("1.1", "Content-Length: 5\r\nContent-Length: 5"),
      ("1.1", "Transfer-Encoding: chunked\r\nContent-Length: 0"),
      ("1.1", "Content-Length: 5\r\nTransfer-Encoding: identity"),
      ("1.1", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"),
      ("1.1", "Transfer-Encoding: chunked, chunked"),
    ])
  func framing(version: String, fields: String) {
    #expect(refusedStatus("POST / HTTP/\(version)\r\nHost: a\r\n\(fields)\r\n\r\nhello") == 400)
  }

  /// §7.1: "recipients MUST anticipate potentially large hexadecimal numerals and prevent parsing
  /// errors due to integer conversion overflows or precision loss due to integer representation."
  @Test(
    "is not misled by large sizes of chunks",
    arguments: [
      "ffffffff", "80000000", "7fffffff", "fffffffff", "7fffffffffffffff", "8000000000000000",
      "10000000000000005",
    ])
  func largeChunks(size: String) {
    let text = withFields("Transfer-Encoding: chunked\r\n", body: "\(size)\r\nhello")
    #expect(refusedStatus(text) == (size.utf8.count > 8 ? 400 : 413))
  }

  /// §7.1.2: "A recipient MUST NOT merge a received trailer field into the header section unless
  /// its corresponding header field definition explicitly permits and instructs how the trailer
  /// field value can be safely merged."
  @Test("merges no trailer into the fields")
  func trailers() {
    let body = "0\r\nAuthorization: x\r\nHost: b\r\nContent-Length: 3\r\n\r\n"
    let request = request(withFields("Transfer-Encoding: chunked\r\n", body: body))
    #expect(request?.fields["Authorization"] == nil)
    #expect(request?.fields.values(.host) == ["a"])
  }
}

/// Each MUST of RFC 9112 that says what a server writes.
@Suite("By RFC 9112, an answer") struct RFC9112WritingTests {
  private func streamed(_ status: Status, version: HTTPVersion = .http11) -> String {
    let encoder = ResponseEncoder(method: .get, version: version, keepsAlive: false)
    return String(decoding: encoder.streamHead(of: Response(status), date: "now"), as: UTF8.self)
  }

  /// §6.1: "A server MUST NOT send a Transfer-Encoding header field in any response with a status
  /// code of 1xx (Informational) or 204 (No Content)." and "A server MUST NOT send a response
  /// containing Transfer-Encoding unless the corresponding request indicates HTTP/1.1 (or later
  /// minor revisions)."
  @Test("is in chunks only where it may be")
  func transferEncoding() {
    #expect(streamed(.ok).contains("\r\nTransfer-Encoding: chunked\r\n"))
    #expect(!streamed(.noContent).contains("Transfer-Encoding"))
    #expect(!streamed(.notModified).contains("Transfer-Encoding"))
    #expect(!streamed(.ok, version: .http10).contains("Transfer-Encoding"))
    #expect(
      !String(decoding: ResponseEncoder.continue, as: UTF8.self).contains("Transfer-Encoding"))
  }

  /// §6.1: "A sender MUST NOT apply the chunked transfer coding more than once to a message body".
  /// §6.2: "A sender MUST NOT send a Content-Length header field in any message that contains a
  /// Transfer-Encoding header field."
  @Test("says once how it is framed, whatever a handler says")
  func oneFraming() {
    let fields: Fields = [.transferEncoding: "chunked", .contentLength: "7"]
    let encoder = ResponseEncoder(method: .get, version: .http11, keepsAlive: true)
    let head = String(
      decoding: encoder.streamHead(of: Response(.ok, fields: fields), date: "now"), as: UTF8.self)
    #expect(!head.contains("Content-Length"))
    #expect(head.split(separator: "Transfer-Encoding").count == 2)
  }
}
