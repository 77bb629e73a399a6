import Testing

@testable import HTTP

@Suite("A field line")
struct FieldLineTests {
  @Test("may have an empty value, and colons and white space within it")
  func values() {
    let fields = request(withFields("A:\r\nB: \r\nC: a: b\tc  d\r\n"))?.fields
    #expect(fields?["A"] == "")
    #expect(fields?["B"] == "")
    #expect(fields?["C"] == "a: b\tc  d")
  }

  @Test("keeps its place and the case of its name")
  func order() {
    let fields = request(withFields("b: 1\r\nA: 2\r\nB: 3\r\n"))?.fields
    #expect(fields?.all.map { "\($0.name)=\($0.value)" } == ["Host=a", "b=1", "A=2", "B=3"])
    #expect(fields?.values("B") == ["1", "3"])
  }

  /// RFC 9110 §5.6.2: `field-name = token`.
  @Test("has no byte in its name that is no token character", arguments: UInt8.min...UInt8.max)
  func nameBytes(byte: UInt8) {
    let text =
      Array("GET / HTTP/1.1\r\nHost: a\r\nX".utf8) + [byte] + Array("Y: v\r\n\r\n".utf8)
    // A colon ends the name earlier.
    let isLegal = isTokenCharacter(byte) || byte == UInt8(ascii: ":")
    #expect(refusal(text)?.status == (isLegal ? nil : .badRequest))
  }

  /// RFC 9110 §5.5: `field-vchar = VCHAR / obs-text`, with SP and HTAB between; "a recipient of CR, LF, or NUL
  /// within a field value MUST either reject the message or replace each of those characters with SP".
  @Test("has no control character in its value but the tab", arguments: UInt8.min...UInt8.max)
  func valueBytes(byte: UInt8) {
    let text =
      Array("GET / HTTP/1.1\r\nHost: a\r\nX: a".utf8) + [byte] + Array("b\r\n\r\n".utf8)
    let isLegal = byte >= 0x20 && byte != 0x7F || byte == 0x09
    #expect(refusal(text)?.status == (isLegal ? nil : .badRequest))
  }

  @Test(
    "of another shape is refused",
    arguments: [
      "X\r\n", ": v\r\n", "X v\r\n", "X: v\n", "X: v\rY: w\r\n", "X: a\0b\r\n", "X: v\r\r\n",
      "X: v\n\r\n", "X;: v\r\n", "(X): v\r\n", "é: v\r\n",
    ])
  func isStrict(line: String) {
    #expect(refusedStatus(withFields(line)) == 400)
  }
}

@Suite("A search for control characters")
struct ControlSearchTests {
  /// It looks at eight bytes at once: so each byte stands at each place of eight and at the ends, among
  /// such as come close to a control character.
  @Test(
    "finds the first one, wherever it is",
    arguments: [
      0, 0x08, 0x09, 0x0A, 0x0D, 0x1F, 0x20, 0x21, 0x7E, 0x7F, 0x80, 0x9F, 0xFF,
    ] as [UInt8])
  func first(byte: UInt8) {
    for filler: UInt8 in [0x61, 0x20, 0x09, 0x7E, 0x80, 0xFF] {
      for count in 1...17 {
        for place in 0..<count {
          var bytes = [UInt8](repeating: filler, count: count)
          bytes[place] = byte
          for start in [0, place, min(place + 1, count)] {
            let found = bytes.withUnsafeBufferPointer { ASCII.firstControl($0, from: start) }
            let expected = bytes[start...].firstIndex(where: ASCII.isControl) ?? count
            if found != expected { Issue.record("\(bytes) from \(start): \(found)") }
          }
        }
      }
    }
  }
}

@Suite("The Host field")
struct HostTests {
  @Test(
    "is a host with or without a port",
    arguments: [
      "a", "a.example", "a:80", "a:", "127.0.0.1:8080", "[::1]", "[::1]:80", "a%20b",
      "[2001:db8::7]", "[1:2:3:4:5:6:7:8]", "[::ffff:1.2.3.4]", "[1::]", "[1:2:3:4:5:6:7::]",
      "A-b_c.d~!$&'()*+;=", "a:65535",
    ])
  func valid(host: String) {
    #expect(request("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")?.head.authority == host)
  }

  /// RFC 9112 §3.2: "A server MUST respond with a 400 … to any request message that contains more
  /// than one Host header field line or a Host header field with an invalid field value."
  @Test(
    "is refused when it is anything else",
    arguments: [
      "", "a b", "a/b", "u@a", "a:b", "a:65536", "a:123456", "a:1:2", "a:-1", "[::1", "::1", "[]",
      "[1]", "[1:2]", "[:1]", "[1:]", "[:::]", "[1::2::3]", "[12345::]", "[g::]", "[::1]a",
      "[1:2:3:4:5:6:7:8:9]", "[1:2:3:4:5:6:7:8::]", "[::1.2.3]", "[::256.1.1.1]", "a%", "a%2",
      "a%zz", "a,b", "a,b c", "a?b", "a#b", "é", "[v1.a]",
    ])
  func invalid(host: String) {
    #expect(refusedStatus("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n") == 400)
    #expect(refusedStatus("GET http://a/ HTTP/1.1\r\nHost: \(host)\r\n\r\n") == 400)
  }
}
