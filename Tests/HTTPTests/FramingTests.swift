import Testing

@testable import HTTP

@Suite("A body's length")
struct FramingTests {
  @Test("is what Content-Length says")
  func length() {
    let text = withFields("Content-Length: 5\r\n", body: "helloGET")
    #expect(outcomes(text).count == 2)
    #expect(request(text)?.body == Array("hello".utf8))
    #expect(outcomes(text).last == .incomplete)
  }

  @Test("is nothing without it, for any method")
  func none() {
    #expect(request(withFields(""))?.head.framing == BodyFraming.none)
    #expect(request(withFields("Content-Length: 0\r\n"))?.head.framing == BodyFraming.none)
    #expect(request(withFields("Content-Length: 000\r\n"))?.head.framing == BodyFraming.none)
  }

  @Test("may be given with zeros before it")
  func zeros() {
    #expect(request(withFields("Content-Length: 005\r\n", body: "hello"))?.body.count == 5)
  }

  /// RFC 9110 §8.6: `Content-Length = 1*DIGIT`. RFC 9112 §6.3 makes any list of it an error here.
  @Test(
    "is refused when it is not one number",
    arguments: [
      "", "+5", "-5", "5.0", "0x5", "5 5", "5,5", "5, 5", "5;", "five", "1e1", "٥", "5\u{B}", "_5",
      "\"5\"",
    ])
  func malformed(value: String) {
    #expect(refusedStatus(withFields("Content-Length: \(value)\r\n", body: "hello")) == 400)
  }

  /// RFC 9112 §6.1: "A server that receives a request message with a transfer coding it does not
  /// understand SHOULD respond with 501".
  @Test(
    "in an unknown transfer coding before chunks is not implemented",
    arguments: [
      "gzip, chunked", "identity, chunked", "gzip;q=1,chunked", ", gzip,, deflate, chunked,",
      "gzip\r\nTransfer-Encoding: chunked",
    ])
  func unknownCoding(value: String) {
    let text = withFields("Transfer-Encoding: \(value)\r\n", body: "0\r\n\r\n")
    #expect(refusedStatus(text) == 501)
  }

  /// RFC 9112 §6.3: "If a Transfer-Encoding header field is present in a request and the chunked transfer
  /// coding is not the final encoding, the message body length cannot be determined reliably; the server
  /// MUST respond with the 400 (Bad Request) status code and then close the connection." §7.1 has
  /// parameters of chunked treated as an error, and §6.1 forbids to apply it twice.
  @Test(
    "in a transfer coding that does not end with chunks, once, cannot be known",
    arguments: [
      "identity", "xchunked", "chunked;q=1", "\"chunked\"",
      "chunked chunked", "", ",", "gzip,", "chunked, gzip, chunked", "gzip, chunked, chunked",
      "chunked\r\nTransfer-Encoding: gzip", "chunked\r\nTransfer-Encoding: x;a=\"b, chunked\"",
    ])
  func noFinalChunks(value: String) {
    let text = withFields("Transfer-Encoding: \(value)\r\n", body: "0\r\n\r\n")
    #expect(refusedStatus(text) == 400)
  }

  /// RFC 9110 §5.6.1.2: "A recipient MUST parse and ignore a reasonable number of empty list elements".
  @Test(
    "in chunks may be said among empty list elements",
    arguments: [
      "chunked,", ",chunked", " , chunked ,\t,", "\r\nTransfer-Encoding: chunked",
      "chunked\r\nTransfer-Encoding: ,",
    ])
  func emptyElements(value: String) {
    let text = withFields("Transfer-Encoding: \(value)\r\n", body: "2\r\nhi\r\n0\r\n\r\n")
    #expect(request(text)?.body == Array("hi".utf8))
    #expect(outcomes(text).count == 1)
  }

  @Test("in chunks is told in any case")
  func codingCase() {
    let text = withFields("transfer-encoding: Chunked\r\n", body: "0\r\n\r\n")
    #expect(request(text)?.head.framing == .chunked)
  }
}

@Suite("A chunked body")
struct ChunkTests {
  private func chunked(_ body: String) -> String {
    withFields("Transfer-Encoding: chunked\r\n", body: body)
  }

  @Test(
    "with another shape is refused",
    arguments: [
      "\r\n", "g\r\n", "-1\r\n", "+1\r\nh\r\n", "0x1\r\nh\r\n", " 1\r\nh\r\n", "1 \r\nh\r\n",
      "000000001\r\nh\r\n", "1;\r\nh\r\n", "1;;a\r\nh\r\n", "1;a=\r\nh\r\n", "1;a=\"b\r\nh\r\n",
      "1;a b\r\nh\r\n", "1;a=b c\r\nh\r\n", "1 a\r\nh\r\n", "1,\r\nh\r\n", "1;a=\"\\\r\nh\r\n",
      // Not exactly CR LF behind the size or the data.
      "1\nh\r\n", "1\rh\r\n", "1\r\r\nh\r\n", "1\r\nh\n", "1\r\nhX\r\n", "1\r\nhh\r\n", "1\r\nh\rX",
      "1\r\n\r\n0\r\n", "0\r\n\n", "0\n\n",
      // Trailers are held to the rules of fields.
      "0\r\nX : v\r\n\r\n", "0\r\n v\r\n\r\n", "0\r\nX\r\n\r\n", "0\r\nX: a\0\r\n\r\n",
      "0\r\nX: a\n\r\n", "0\r\nX: a\r\n b\r\n\r\n",
    ])
  func isStrict(text: String) {
    #expect(refusedStatus(chunked(text)) == 400)
  }

  @Test("has bounded extensions, each and all together")
  func boundedExtensions() {
    func size(_ count: Int) -> String { "1;" + String(repeating: "a", count: count - 2) }
    #expect(request(chunked("\(size(256))\r\nh\r\n0\r\n\r\n")) != nil)
    #expect(refusedStatus(chunked("\(size(257))\r\nh\r\n0\r\n\r\n")) == 400)
    // A size line of 129 bytes has 128 of extension; 32 of them are 4096.
    let chunk = "\(size(129))\r\nh\r\n"
    #expect(request(chunked(String(repeating: chunk, count: 32) + "0\r\n\r\n")) != nil)
    #expect(refusedStatus(chunked(String(repeating: chunk, count: 33) + "0\r\n\r\n")) == 400)
  }
}

@Suite("An expectation")
struct ExpectationTests {
  @Test("of 100-continue is told in the head, in any case")
  func known() {
    let text = withFields("Expect: 100-Continue\r\nContent-Length: 1\r\n", body: "x")
    #expect(request(text)?.head.expectsContinue == true)
    #expect(request(withFields(""))?.head.expectsContinue == false)
  }

  /// RFC 9110 §10.1.1: `Expect = #expectation`, in which empty elements are passed over (§5.6.1.2).
  @Test(
    "may be said among empty list elements, or twice",
    arguments: [
      ("100-continue,", true), (", 100-continue", true), ("100-continue, 100-Continue", true),
      ("", false), (",", false),
    ])
  func emptyElements(value: String, isExpected: Bool) {
    let text = withFields("Expect: \(value)\r\nContent-Length: 1\r\n", body: "x")
    #expect(request(text)?.head.expectsContinue == isExpected)
  }

  @Test(
    "of anything else is 417", arguments: ["200-ok", "100-continue, x", "100-continue;a=b", ", x"])
  func unknown(value: String) {
    #expect(refusedStatus(withFields("Expect: \(value)\r\n")) == 417)
  }
}
