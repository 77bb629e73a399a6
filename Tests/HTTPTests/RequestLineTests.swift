import Testing

@testable import HTTP

@Suite("A request line")
struct RequestLineTests {
  /// RFC 9112 §3: `request-line = method SP request-target SP HTTP-version`. RFC 9110 §9.1: "All general-purpose
  /// servers MUST support the methods GET and HEAD."
  @Test(
    "is a method, a target and a version",
    arguments: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
  func isRead(method: String) {
    let request = request("\(method) /a?b=c HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(request?.method.rawValue == method)
    #expect(request?.segments == ["a"])
    #expect(request?.query == [QueryItem("b", "c")])
    #expect(request?.head.version == .http11)
  }

  @Test(
    "with another shape is refused",
    arguments: [
      "GET /\r\n", "GET\r\n", " GET / HTTP/1.1\r\n", "GET  / HTTP/1.1\r\n", "GET /  HTTP/1.1\r\n",
      "GET / HTTP/1.1 \r\n", "GET\t/ HTTP/1.1\r\n", "GET /a b HTTP/1.1\r\n", "G@T / HTTP/1.1\r\n",
      "GET / http/1.1\r\n", "GET / HTTP/1\r\n", "GET / HTTP/1.\r\n", "GET / HTTP/1.10\r\n",
      "GET / HTTP/11.1\r\n", "GET / HTTP/a.1\r\n", "GET / HTTP/1,1\r\n", "GET / HTTPS/1.1\r\n",
      "GET / HTTP/1.1\rHost: x\r\n", "GET / HTTP/1.1\n", "GET /\0 HTTP/1.1\r\n",
    ])
  func isStrict(line: String) {
    #expect(refusedStatus(line + "Host: x\r\n\r\n") == 400)
  }

  /// RFC 9110 §9.1: "an origin server that receives a request method that is unrecognized or not
  /// implemented SHOULD respond with the 501".
  @Test(
    "with an unknown method is 501",
    arguments: ["get", "CONNECT", "GETT", "PROPFIND", "M-SEARCH", "!#$%&'*+-.^_`|~1aZ"])
  func knowsItsMethods(method: String) {
    #expect(refusedStatus("\(method) / HTTP/1.1\r\nHost: x\r\n\r\n") == 501)
  }

  @Test("takes the tunnel of CONNECT for an unknown method, whatever the target is")
  func refusesTunnels() {
    #expect(refusedStatus("CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n") == 501)
  }

  /// RFC 9110 §5.6.2: every byte that is no `tchar` is refused in a method.
  @Test("has no byte in its method that is no token character", arguments: UInt8.min...UInt8.max)
  func methodBytes(byte: UInt8) {
    let line = Array("G".utf8) + [byte] + Array("T / HTTP/1.1\r\nHost: x\r\n\r\n".utf8)
    let isToken = isTokenCharacter(byte)
    // The one legal byte that makes a known method.
    let expected = byte == UInt8(ascii: "E") ? nil : isToken ? 501 : 400
    #expect(refusal(line)?.status.code == expected)
  }

  @Test(
    "with another major version is 505, whatever the method is",
    arguments: ["GET / HTTP/2.0", "GET / HTTP/0.9", "GET / HTTP/3.0", "PRI * HTTP/2.0"])
  func majorVersion(line: String) {
    #expect(refusedStatus("\(line)\r\nHost: x\r\n\r\n") == 505)
  }

  /// RFC 9110 §2.5: a higher minor version is read as the highest that is known.
  @Test("with a later minor version counts as 1.1")
  func minorVersion() {
    #expect(request("GET / HTTP/1.9\r\nHost: x\r\n\r\n")?.head.version == .http11)
    #expect(request("GET / HTTP/1.0\r\n\r\n")?.head.version == .http10)
  }

  /// RFC 9112 §2.2: "a server that is expecting to receive and parse a request-line SHOULD ignore at
  /// least one empty line".
  @Test("may have empty lines before it, but not for ever")
  func emptyLines() {
    let line = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
    #expect(request("\r\n" + line) != nil)
    #expect(request(String(repeating: "\r\n", count: 4) + line) != nil)
    #expect(refusedStatus(String(repeating: "\r\n", count: 5) + line) == 400)
    #expect(refusedStatus("\n" + line) == 400)
  }

  @Test("is refused at its first control character, before it is complete")
  func earlyRefusal() {
    #expect(refusal([0x16, 0x03, 0x01])?.status == .badRequest)
    #expect(refusal("GET / HTTP/1.1\rX")?.status == .badRequest)
  }
}

/// `tchar` of RFC 9110 §5.6.2, written out.
func isTokenCharacter(_ byte: UInt8) -> Bool {
  Array("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
    .contains(byte)
}
