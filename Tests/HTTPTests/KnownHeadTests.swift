import Testing

@testable import HTTP

private let token = "Authorization: Bearer goals_0123456789abcdef\r\n"

/// Requests of which one follows the other: alike, alike but for a byte, and others.
private let requests = [
  "GET /v1/goals HTTP/1.1\r\nHost: a\r\n\(token)\r\n",
  "GET /v1/goals HTTP/1.1\r\nHost: a\r\n\(token.replacing("def", with: "dee"))\r\n",
  "GET /v1/goals HTTP/1.1\r\nHost: a\r\n\(token)X: y\r\n\r\n",
  "HEAD /v1/goals HTTP/1.1\r\nHost: a\r\n\(token)\r\n",
  "GET /v1/goals HTTP/1.0\r\n\(token)\r\n",
  "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
  "POST /v1/edits HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello",
  "POST /v1/edits HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nworld",
  "POST /v1/edits HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\nhello!",
  "POST /v1/edits HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
  "POST /v1/edits HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\na",
  "POST /v1/edits HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX: y\r\n\r\n",
  "GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "a", count: 2000))\r\n\r\n",
  "GET / HTTP/1.1\r\nHost: a b\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\n", "\r\n",
]

@Suite("A head that comes again on a connection")
struct KnownHeadTests {
  @Test("is read like the first of a connection, whatever came before", arguments: requests)
  func pairs(first: String) {
    let before = outcomes(first)
    guard before.allSatisfy({ if case .request = $0 { true } else { false } }) else { return }
    for second in requests {
      #expect(outcomes(first + second) == before + outcomes(second), "\(second)")
      #expect(
        outcomes(first + first + second) == before + before + outcomes(second), "twice, \(second)")
    }
  }

  @Test("is read like that wherever it is cut in two", arguments: requests.prefix(12))
  func cuts(text: String) {
    let bytes = Array((text + text + text).utf8)
    let whole = outcomes(text) + outcomes(text) + outcomes(text)
    for cut in 0...bytes.count {
      #expect(outcomes([bytes[..<cut], bytes[cut...]]) == whole, "cut at \(cut)")
    }
  }

  @Test("is not read anew, also behind a body", arguments: [0, 6])
  func isKnown(place: Int) {
    let heads = heads(of: requests[place] + requests[place])
    #expect(heads.count == 2)
    #expect(heads.first === heads.last)
  }

  @Test(
    "is read anew where it has many parts",
    arguments: [
      "GET /?\(String(repeating: "a&", count: 40)) HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET \(String(repeating: "/a", count: 40)) HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a\r\n\(String(repeating: "a:\r\n", count: 40))\r\n",
    ])
  func hasManyParts(text: String) {
    let heads = heads(of: text + text)
    #expect(heads.count == 2)
    #expect(heads.first !== heads.last)
    #expect(heads.allSatisfy { !$0.isKept })
  }

  @Test("is read anew where it is too long to be kept, or chunks and their trailers follow it")
  func isNotKept() {
    for text in requests[11...12] {
      let heads = heads(of: text + text)
      #expect(heads.count == 2)
      #expect(heads.first !== heads.last)
    }
  }

  @Test("shares the limits of its fields with its trailers each time")
  func trailers() {
    #expect(outcomes(withTrailers(100) + withTrailers(101)).last == .refused(.headersTooLarge))
  }

  @Test("tells its method, so that a body that is too large is answered as that asks for")
  func method() {
    var parser = RequestParser()
    let input = Array((requests[6] + requests[6]).utf8)
    var cursor = 0
    while parser.next(input, from: &cursor) != .end {}
    guard case .head = parser.next(input, from: &cursor) else {
      Issue.record("There is no second head.")
      return
    }
    #expect(parser.method == .post)
    parser.admit(bodyLimit: 4)
    #expect(parser.next(input, from: &cursor) == .refused(.bodyTooLarge(limit: 4)))
  }

  @Test("is forgotten where no other is to come")
  func forgotten() throws {
    var parser = RequestParser()
    let input = Array((requests[0] + requests[0]).utf8)
    var cursor = 0
    let first = parser.next(input, from: &cursor)
    parser.forgetHead()
    #expect(parser.next(input, from: &cursor) == .end)
    guard case .head(let one) = first, case .head(let other) = parser.next(input, from: &cursor)
    else {
      Issue.record("There are not two heads.")
      return
    }
    #expect(one == other && one !== other)
  }

  private func heads(of text: String) -> [RequestHead] {
    var parser = RequestParser()
    var heads: [RequestHead] = []
    let input = Array(text.utf8)
    var cursor = 0
    while true {
      switch parser.next(input, from: &cursor) {
      case .head(let head): heads.append(head)
      case .body, .end: continue
      case .needsInput, .refused: return heads
      }
    }
  }
}
