import GoalsCore
import GoalsReplica
import JSON
import ReplicaTestSupport
import TestSupport
import Testing

@testable import GoalsEngine

@Suite struct `A request in HTTP` {
  @Test func `quotes the cursor as it came`() {
    let cursor = Replica.Cursor("28.e8 c/5?&=é")
    let encoded = "28.e8%20c%2F5%3F%26%3D%C3%A9"
    #expect(Replica.Request.read(after: cursor).http.target == "/v1/edits?after=\(encoded)")
    #expect(Replica.Request.read(after: nil).http.target == "/v1/edits")
    #expect(Replica.Following.stream.target(after: cursor) == "/v1/changes?after=\(encoded)")
    #expect(
      Replica.Following.longPoll.target(after: cursor) == "/v1/edits?after=\(encoded)&wait=30")
    #expect(Replica.Following.longPoll.target(after: nil) == "/v1/edits?wait=30")
    let sync = Replica.Request.sync(after: Replica.Cursor("\"\n"), edits: []).http
    #expect((sync.method, sync.target) == ("POST", "/v1/sync"))
    #expect(sync.body == Array("{\"after\":\"\\\"\\n\",\"edits\":[]}".utf8))
    #expect(Replica.Request.identity.http == RequestHead("GET", "/v1/account?version=0"))
  }
}

@Suite struct `An answer in HTTP` {
  private static let page =
    "{\"outcomes\":[],\"edits\":[],\"version\":3,\"cursor\":\"a\",\"more\":false,\"new\":{}}"

  private func event(
    _ status: Int, _ body: String, to request: Replica.Request = .sync(after: nil, edits: []),
    _ fields: AnswerFields = AnswerFields()
  ) -> Replica.Event.Kind {
    Replica.Event.Kind(to: request, 7, status: status, fields, body: Array(body.utf8))
  }

  private func refusal(
    _ status: Int, _ body: String, _ fields: AnswerFields = AnswerFields()
  ) -> Replica.Refusal? {
    if case .refused(7, let refusal, _) = event(status, body, fields) { refusal } else { nil }
  }

  private func event(_ status: Int, _ body: String, _ fields: AnswerFields) -> Replica.Event.Kind {
    event(status, body, to: .sync(after: nil, edits: []), fields)
  }

  @Test func `may say more than is known here`() {
    guard case .answered(7, .page(let page), nil) = event(200, Self.page) else {
      Issue.record("no page")
      return
    }
    #expect(page.cursor == Replica.Cursor("a") && !page.more && page.entries.isEmpty)
  }

  @Test(arguments: [
    "", "<html>", "{}", "[]", "{\"outcomes\":[],\"edits\":[],\"cursor\":1,\"more\":false}",
    "{\"edits\":[],\"cursor\":\"a\",\"more\":false}",
    "{\"outcomes\":[{\"id\":1}],\"edits\":[],\"cursor\":\"a\",\"more\":false}",
  ])
  func `that makes no sense is no success`(_ body: String) {
    for kind in [event(200, body), event(200, body, to: .identity)] {
      guard case .refused(7, Replica.Refusal(status: 200), date: nil) = kind else {
        Issue.record("\(kind)")
        return
      }
    }
  }

  @Test func `of an unknown type of edit is one of a newer server`() {
    let entry = "{\"id\":\"\(TestEdit.id(1))\",\"type\":\"dance\"}"
    let body = Self.page.replacing("\"edits\":[]", with: "\"edits\":[\(entry)]")
    guard case .answered(_, .page(let page), _) = event(200, body) else {
      Issue.record("no page")
      return
    }
    #expect(page.entries == [.unknown])
  }

  @Test func `has the outcome of each edit`() {
    let outcomes = """
      [{"id":"\(TestEdit.id(1))","status":"applied","version":3},\
      {"id":"\(TestEdit.id(2))","status":"duplicate","version":2},\
      {"id":"\(TestEdit.id(3))","status":"unchanged"},{"id":"\(TestEdit.id(4))","status":"skipped"},\
      {"id":"\(TestEdit.id(5))","status":"rejected","code":"invalid","detail":"No.",\
      "errors":[{"pointer":"/edits/4/by","detail":"x"}]},\
      {"id":"\(TestEdit.id(6))","status":"rejected","code":"too-loud","detail":"Hush."}]
      """
    let body = Self.page.replacing("\"outcomes\":[]", with: "\"outcomes\":\(outcomes)")
    guard case .answered(_, .page(let page), _) = event(200, body) else {
      Issue.record("no page")
      return
    }
    #expect(
      page.outcomes.map(\.status) == [
        .applied(Version(3)), .duplicate(Version(2)), .unchanged, .skipped,
        .rejected(
          Rejection(.invalid, "No.", faults: [Fault(pointer: "/edits/4/by", detail: "x")])),
        .rejected(Rejection(.invalid, "Hush.")),
      ])
  }

  @Test func `that refuses has its code, its sentence and its pointers`() {
    let problem = """
      {"type":"/docs#invalid","title":"Unprocessable","status":422,"detail":"One.","code":"invalid",\
      "errors":[{"pointer":"/after","detail":"a cursor is expected"}],"outcomes":[]}
      """
    #expect(
      refusal(422, problem)
        == Replica.Refusal(status: 422, code: "invalid", detail: "One.", pointers: ["/after"]))
    #expect(refusal(502, "<html>Bad gateway</html>") == Replica.Refusal(status: 502))
    #expect(refusal(304, "") == Replica.Refusal(status: 304))
    #expect(refusal(400, "{\"title\":\"Bad\"}")?.detail == "Bad")
  }

  @Test(arguments: [
    ("120", 120), ("0", 0), ("-1", nil), ("soon", nil), ("99999999999999999999", nil),
    ("Sun, 06 Nov 1994 08:50:37 GMT", 60), ("Sun, 06 Nov 1994 08:48:37 GMT", 0),
  ])
  func `asks for time in seconds or by a date`(_ text: String, _ seconds: Int?) {
    let fields = AnswerFields(date: "Sun, 06 Nov 1994 08:49:37 GMT", retryAfter: text)
    #expect(refusal(503, "", fields)?.retryAfter == seconds)
  }

  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z"),
    ("Fri, 31 Dec 9999 23:59:59 GMT", "9999-12-31T23:59:59Z"), ("", nil),
    ("Sun, 6 Nov 1994 08:49:37 GMT", nil), ("Sun, 31 Feb 1994 08:49:37 GMT", nil),
    ("Sunday, 06-Nov-94 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 08:49:37 +0000", nil),
    ("Sun, 06 nov 1994 08:49:37 GMT", nil),
  ])
  func `has a date`(_ text: String, _ instant: String?) {
    #expect(Instant(httpDate: text) == instant.map { .at($0) })
  }
}

@Suite struct `An event of the stream` {
  private func kind(_ type: String?, _ id: String?, _ data: String) -> Replica.Event.Kind? {
    Replica.Event.Kind(streamed: type, id, data: Array(data.utf8))
  }

  @Test func `is followed, is a reset, or is nothing to a replica`() {
    guard case .followed([], Replica.Cursor("a"))? = kind(nil, "a", "") else {
      Issue.record("no start")
      return
    }
    guard case .followed([.unknown], Replica.Cursor("b"))? = kind("edit", "b", "{}") else {
      Issue.record("no edit")
      return
    }
    guard case .followReset? = kind("reset", "c", "{}") else {
      Issue.record("no reset")
      return
    }
    #expect(kind("elapse", nil, "{\"goals\":[]}") == nil)
    #expect(kind("edit", nil, "{}") == nil)
  }

  @Test func `or the answer of a long poll leads to what the replica knows`() {
    let page = Array("{\"edits\":[],\"cursor\":\"a\",\"more\":false}".utf8)
    func names(_ status: Int, _ body: [UInt8]) -> [String] {
      Replica.Event.Kind.events(ofLongPoll: status, body: body).map { kind in
        if case .followed = kind { return "followed" }
        if case .followReset = kind { return "reset" }
        if case .followEnded(let hadBegun) = kind { return "ended \(hadBegun)" }
        return "another"
      }
    }
    #expect(names(200, page) == ["followed", "ended true"])
    #expect(names(200, []) == ["ended false"])
    #expect(names(410, Array(#"{"code": "cursor-diverged"}"#.utf8)) == ["reset"])
    // A proxy knows nothing of the log.
    #expect(names(410, []) == names(404, []))
    #expect(names(503, []) == ["ended false"])
  }
}
