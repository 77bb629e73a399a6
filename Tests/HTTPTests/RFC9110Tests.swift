import Testing

@testable import HTTP

/// Each MUST of RFC 9110 that concerns how a server reads and writes messages, in its order. What
/// it says of resources (preconditions, credentials, validators) is tried where they are.
@Suite("By RFC 9110, a server") struct RFC9110Tests {
  private func text(_ response: Response, to method: Method? = .get) -> String {
    let encoder = ResponseEncoder(method: method, version: .http11, keepsAlive: true)
    let (first, rest) = encoder.whole(response, date: HTTPDate.text(unixSeconds: 784_111_777))
    return String(decoding: first + rest, as: UTF8.self)
  }

  /// §4.2.1: "A recipient that processes such a URI reference MUST reject it as invalid", of an
  /// empty host.
  @Test(
    "rejects a target without a host",
    arguments: ["http:///a", "http://", "http://:80/", "https://?a"])
  func emptyHost(target: String) {
    #expect(refusedStatus("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n") == 400)
  }

  /// §5.1: "Field names are case-insensitive".
  @Test(
    "knows a field in any case", arguments: ["content-length", "CONTENT-LENGTH", "Content-length"])
  func fieldNames(name: String) {
    #expect(request(withFields("\(name): 2\r\n", body: "hi"))?.body.count == 2)
  }

  /// §5.5: "a field parsing implementation MUST exclude such whitespace prior to evaluating the
  /// field value", at its beginning and end.
  @Test(
    "reads a value without the whitespace around it", arguments: ["v", " v", "\tv", " \t v \t "])
  func whitespace(value: String) {
    #expect(request(withFields("X:\(value)\r\n"))?.fields["X"] == "v")
  }

  /// §5.6.1.1: "a sender MUST NOT generate empty list elements."
  @Test("writes lists without empty elements")
  func writtenLists() {
    #expect(Method.allow([.get, .head, .options]) == "GET, HEAD, OPTIONS")
    #expect(Method.allow([Method.put]) == "PUT")
  }

  /// §5.6.1.2: "A recipient MUST parse and ignore a reasonable number of empty list elements:
  /// enough to handle common mistakes by senders that merge values, but not so much that they could
  /// be used as a denial-of-service mechanism." How many there can be is bounded by the fields'
  /// bytes.
  @Test("passes over empty elements of lists")
  func readLists() {
    let fields = request(
      withFields(
        "Connection: ,close ,\r\nTransfer-Encoding: , ,chunked,\r\nExpect: ,100-continue\r\n",
        body: "0\r\n\r\n"))
    #expect(fields?.head.keepsAlive == false)
    #expect(fields?.head.framing == .chunked)
    #expect(fields?.head.expectsContinue == true)
    #expect(fields?.fields.list(.connection) == ["close"])
    let tags = Fields([Fields.Field(.ifMatch, ", \"a,b\",, \"c\" ,")])
    #expect(tags.entityTags(.ifMatch) == ["\"a,b\"", "\"c\""])
  }

  /// §5.6.3: "A recipient MUST parse for such bad whitespace and remove it before interpreting the
  /// protocol element."
  @Test("reads over bad whitespace in chunk extensions", arguments: [" ;a", " ; a = b", "\t;\ta"])
  func badWhitespace(text: String) {
    let body = "2\(text)\r\nhi\r\n0\(text)\r\n\r\n"
    #expect(request(withFields("Transfer-Encoding: chunked\r\n", body: body))?.body.count == 2)
  }

  /// §5.6.4: "Recipients that process the value of a quoted-string MUST handle a quoted-pair as if
  /// it were replaced by the octet following the backslash."
  @Test("reads a quoted pair as the octet behind its backslash")
  func quotedPairs() {
    #expect(MediaType("a/b; charset=\"u\\t\\f-8\"")?.values(of: "charset") == ["utf-8"])
  }

  /// §5.6.7: "When a sender generates a field that contains one or more timestamps defined as
  /// HTTP-date, the sender MUST generate those timestamps in the IMF-fixdate format." §6.6.1: "An
  /// origin server with a clock … MUST generate a Date header field in all 2xx (Successful), 3xx
  /// (Redirection), and 4xx (Client Error) responses".
  @Test(
    "says the date in every answer",
    arguments: [.ok, .created, .badRequest, .noContent] as [Status])
  func date(status: Status) {
    let text = text(Response(status))
    #expect(text.contains("\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n"))
  }

  /// §6.5.1, §8.6: "a recipient MUST anticipate potentially large decimal numerals and prevent
  /// parsing errors due to integer conversion overflows or precision loss due to integer
  /// conversion".
  @Test(
    "is not misled by large lengths",
    arguments: ["4194305", "9223372036854775807", "9223372036854775808", "18446744073709551621"])
  func largeLengths(value: String) {
    let text = withFields("Content-Length: \(value)\r\n")
    #expect(outcomes(text) == [.refused(.bodyTooLarge(limit: 4_194_304))])
  }

  /// §8.6: "A server MUST NOT send Content-Length in such a response unless its field value equals
  /// the decimal number of octets that would have been sent in the content of a response if the
  /// same request had used the GET method." §9.3.2: "The HEAD method is identical to GET except
  /// that the server MUST NOT send content in the response."
  @Test("answers HEAD as GET, without the content")
  func head() {
    for body in [[], Array("hello".utf8), [UInt8](repeating: 0x61, count: 100_000)] {
      let get = text(Response(.ok, body: body))
      #expect(text(Response(.ok, body: body), to: .head) == String(get.dropLast(body.count)))
    }
    #expect(!text(Response(.notModified)).contains("Content-Length"))
  }

  /// §10.1.1: "A server that receives a 100-continue expectation in an HTTP/1.0 request MUST ignore
  /// that expectation."
  @Test("ignores an expectation of HTTP/1.0")
  func oldExpectation() {
    let text = "POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\nx"
    #expect(request(text)?.head.expectsContinue == false)
  }
}
