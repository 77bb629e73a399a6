import Testing

@testable import HTTP

@Suite("A target")
struct TargetTests {
  @Test(
    "is split into decoded segments",
    arguments: [
      ("/", []), ("/a", ["a"]), ("/a/", ["a", ""]), ("//", ["", ""]), ("/a//b", ["a", "", "b"]),
      ("/a%20b", ["a b"]), ("/a+b", ["a+b"]), ("/%C3%a9", ["é"]), ("/%F0%9F%8E%AF", ["🎯"]),
      ("/%25%32%46", ["%2F"]), ("/%61", ["a"]), ("/a;b=c,d", ["a;b=c,d"]), ("/%7Bid%7D", ["{id}"]),
      ("/-._~!$&'()*+,;=:@", ["-._~!$&'()*+,;=:@"]),
    ] as [(String, [String])])
  func segments(text: String, expected: [String]) {
    #expect(Target(text)?.segments == expected)
  }

  /// RFC 3986 §5.2.4; `%2e` is a dot like any other (§6.2.2.2).
  @Test(
    "has its dot segments resolved, encoded ones too",
    arguments: [
      ("/a/./b", "/a/b"), ("/a/../b", "/b"), ("/..", "/"), ("/../../a", "/a"), ("/a/b/..", "/a/"),
      ("/a/.", "/a/"), ("/.", "/"), ("/a/%2e%2E/b", "/b"), ("/%2e", "/"), ("/a/.%2e/b", "/b"),
      ("/a..", "/a.."), ("/...", "/..."), ("/a/..b", "/a/..b"), ("/a//..", "/a/"),
      ("/public/%2e%2e/v1/goals", "/v1/goals"),
    ])
  func dots(text: String, path: String) {
    #expect(Target(text)?.path == path)
  }

  @Test(
    "that cannot be decoded unambiguously is refused",
    arguments: [
      "/%00", "/a%2Fb", "/a%2fb", "/%5c", "/%5C..", "/%", "/%2", "/%zz", "/%C3", "/%ff", "/%c0%af",
      "/%ED%A0%80", "/%F5%80%80%80", "/..%2f", "/?a=%00", "/?a=%", "/?%zz", "/?a=%ff",
    ])
  func undecodable(text: String) {
    #expect(Target(text) == nil)
    #expect(refusedStatus("GET \(text) HTTP/1.1\r\nHost: x\r\n\r\n") == 400)
  }

  @Test(
    "may hold an encoded slash below a path that is named for it",
    arguments: [
      ("/z/a%2Fb", ["z", "a/b"]), ("/z/a%2fb/c", ["z", "a/b", "c"]), ("/z/%2F", ["z", "/"]),
      // A decoded slash separates nothing, so this is no dot segment.
      ("/z/..%2Fa", ["z", "../a"]), ("/z/../a%2Fb", ["a/b"]), ("http://a/z/a%2Fb", ["z", "a/b"]),
    ])
  func slashes(text: String, segments: [String]) {
    #expect(Target(text, slashesBelow: "/z/")?.segments == segments)
    #expect(Target(text) == nil)
  }

  @Test(
    "holds none elsewhere, and no encoded backslash there",
    arguments: ["/a%2Fb", "/z%2Fa", "/%7A/a%2Fb", "/a/z/b%2Fc", "/z/%5C", "/z/%00"])
  func noSlashes(text: String) {
    #expect(Target(text, slashesBelow: "/z/") == nil)
  }

  /// RFC 3986 §3.3: `pchar = unreserved / pct-encoded / sub-delims / ":" / "@"`.
  @Test("has in its path no other byte than RFC 3986 lets it", arguments: UInt8.min...UInt8.max)
  func pathBytes(byte: UInt8) {
    let text = Array("/a".utf8) + [byte] + Array("41 HTTP/1.1\r\nHost: x\r\n\r\n".utf8)
    let isLegal = Array(alphanumerics + "-._~!$&'()*+,;=:@/%?").map { $0.asciiValue }.contains(byte)
    #expect((refusal(Array("GET ".utf8) + text) == nil) == isLegal)
  }

  /// RFC 3986 §3.4: `query = *( pchar / "/" / "?" )`.
  @Test("has in its query no other byte than RFC 3986 lets it", arguments: UInt8.min...UInt8.max)
  func queryBytes(byte: UInt8) {
    let text = Array("/?a".utf8) + [byte] + Array("41 HTTP/1.1\r\nHost: x\r\n\r\n".utf8)
    let isLegal = Array(alphanumerics + "-._~!$&'()*+,;=:@/?%").map { $0.asciiValue }.contains(byte)
    #expect((refusal(Array("GET ".utf8) + text) == nil) == isLegal)
  }

  @Test(
    "has its query read as names and values in order",
    arguments: [
      ("/?", []), ("/?a", [("a", "")]), ("/?a=", [("a", "")]), ("/?=b", [("", "b")]),
      ("/?a=1&a=2", [("a", "1"), ("a", "2")]), ("/?a=b=c", [("a", "b=c")]),
      ("/?&a=1&&b=2&", [("a", "1"), ("b", "2")]), ("/?a=b+c%2Bd", [("a", "b c+d")]),
      ("/?zone=Europe%2FBerlin", [("zone", "Europe/Berlin")]), ("/?a%26b=%3D", [("a&b", "=")]),
      ("/?a=/?", [("a", "/?")]), ("/?a=%5C", [("a", "\\")]),
    ] as [(String, [(String, String)])])
  func query(text: String, expected: [(String, String)]) {
    #expect(Target(text)?.query == expected.map { QueryItem($0, $1) })
  }

  @Test(
    "of any other form is refused",
    arguments: [
      "a", "a.example:80", "ftp://a/", "http:/a", "http://u@a/",
      "http://u:p@a/", "http://a:99999/", "http://a:x/", "http://[::1/", "/#a", "/a#b", "*a",
      "?a",
    ])
  func otherForms(text: String) {
    #expect(refusedStatus("GET \(text) HTTP/1.1\r\nHost: x\r\n\r\n") == 400)
  }
}

let alphanumerics = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
