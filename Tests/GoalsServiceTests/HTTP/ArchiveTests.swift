import GoalsCore
import GoalsStore
import HTTP
import Testing

@testable import GoalsService
@testable import HTTPServer

private let a = TestService.id(1)
private let b = TestService.id(2)
private let lines = "application/x-ndjson"

extension TestService {
  /// What is streamed as a file, once it is whole.
  func file(_ path: String, as token: String? = nil) async throws -> Answer {
    let reply = try await reply("GET \(path)", as: token ?? me.token)
    guard case .stream(var response, _, let commands) = reply else {
      guard case .whole(let whole) = reply else { throw Answer.Unexpected("nothing") }
      return try Answer(whole, to: .get)
    }
    for await command in commands {
      switch command {
      case .write(let bytes, let whenSent):
        response.body += bytes
        whenSent?()
      case .end: return try Answer(response, to: .get)
      case .cutOff: throw Answer.Unexpected("cut off")
      }
    }
    throw Answer.Unexpected("no end")
  }

  /// Two goals with progress, one of them deleted, in an account with a calendar of its own.
  fileprivate func live() async throws {
    try await addGoals(2)
    let calendar = "{\"timeZone\":\"Europe/Berlin\",\"weekStart\":\"sunday\"}"
    _ = try await ask("PATCH /v1/account\n\n\(calendar)")
    for body in [#"{"by":2,"note":"early"}"#, #"{"at":"2026-11-18T12:00:00Z"}"#] {
      _ = try await ask("POST /v1/goals/\(a)/bump\n\n\(body)")
    }
    _ = try await ask("POST /v1/goals/\(b)/bump\n\n{\"by\":5,\"at\":\"2026-11-18T12:00:00Z\"}")
    _ = try await ask("POST /v1/goals/\(a)/skip\n\n{\"at\":\"2026-11-19T12:00:00Z\"}")
    _ = try await ask("DELETE /v1/goals/\(b)")
  }
}

@Suite("An exported history") struct ArchiveTests {
  @Test("is a file of lines with a name")
  func file() async throws {
    let service = try TestService()
    try await service.live()
    let answer = try await service.file("/v1/export")
    #expect(answer.status == 200)
    #expect(answer.field("Content-Type") == lines)
    #expect(
      answer.field("Content-Disposition") == "attachment; filename=\"goals-2026-11-20.ndjson\"")
    #expect(answer.field("Cache-Control") == "no-store")
    #expect(answer.body.split(separator: "\n").count == 11)
    #expect(answer.body.hasSuffix("\"}\n"))
  }

  @Test("gives another account the same versions, cursors, list and history")
  func roundTrip() async throws {
    let service = try TestService()
    try await service.live()
    let export = try await service.file("/v1/export").body
    let other = try service.administration.addAccountWithToken("other", timeZone: "Europe/Berlin")
      .token
    let answer = try await service.ask("POST /v1/import\n\n\(export)", as: other, type: lines)
    #expect(answer.status == 201)
    #expect(answer.field("Location") == "/v1/goals")
    let paths = [
      "/v1/goals", "/v1/goals?version=3", "/v1/edits", "/v1/goals/\(a)/history",
      "/v1/goals/\(a)/history.svg",
    ]
    for path in paths {
      let original = try await service.ask("GET \(path)")
      let copy = try await service.ask("GET \(path)", as: other)
      #expect(copy.status == 200)
      #expect(copy.body == original.body, "\(path)")
      #expect(copy.etag == original.etag, "\(path)")
    }
    #expect(answer.string("/cursor") == (try await service.ask("GET /v1/goals")).string("/cursor"))
    let account = try await service.ask("GET /v1/account", as: other)
    #expect(account.string("/timeZone") == "Europe/Berlin")
    #expect(account.string("/name") == "other")
    #expect(try await service.file("/v1/export", as: other).body == export)
    #expect(
      try await service.file("/v1/export.csv", as: other).body
        == service.file("/v1/export.csv").body)
  }

  @Test("is not taken in again, also where it is the very same")
  func again() async throws {
    let service = try TestService()
    try await service.live()
    let export = try await service.file("/v1/export").body
    let other = try service.stranger()
    let first = try await service.ask("POST /v1/import\n\n\(export)", as: other, type: lines)
    #expect(first.status == 201)
    for text in [export, "x"] {
      let second = try await service.ask("POST /v1/import\n\n\(text)", as: other, type: lines)
      #expect(second.status == 409)
      #expect(second.code == "account-not-empty")
    }
    #expect(try await service.ask("GET /v1/account", as: other)["/cursor"] == first["/cursor"])
  }

  @Test("is not taken in where the query says what is not known")
  func query() async throws {
    let service = try TestService()
    let export = try await service.file("/v1/export").body
    let answer = try await service.ask("POST /v1/import?x=1\n\n\(export)", type: lines)
    #expect(answer.pointers == ["/x"])
  }

  @Test("does not take the place of another")
  func notEmpty() async throws {
    let service = try TestService()
    try await service.live()
    let export = try await service.file("/v1/export").body
    let other = try service.stranger()
    _ = try await service.ask("PUT /v1/goals/\(a)\n\n{\"title\":\"Mine\"}", as: other)
    for body in [export, "", "nothing", "\n"] {
      let answer = try await service.ask("POST /v1/import\n\n\(body)", as: other, type: lines)
      #expect(answer.status == 409)
      #expect(answer.code == "account-not-empty")
    }
    #expect(try await service.ask("GET /v1/goals", as: other).list("/goals", "/title") == ["Mine"])
  }

  @Test("of which a line is wrong changes nothing, and the line is told")
  func damaged() async throws {
    let service = try TestService()
    try await service.live()
    let export = try await service.file("/v1/export").body
    let other = try service.stranger()
    let cases: [(String, pointer: String)] = [
      (export.replacing("early", with: "later"), "/11"),
      (export.replacing("\"skip\"", with: "1"), "/9"),
      (String(export.prefix(300)), "/2"), ("", "/1"), ("{}\n", "/1"),
    ]
    for (body, pointer) in cases {
      let answer = try await service.ask("POST /v1/import\n\n\(body)", as: other, type: lines)
      #expect(answer.status == 422)
      #expect(answer.code == "invalid")
      #expect(answer.pointers == [pointer])
      #expect(answer.string("/detail")?.hasPrefix("Line \(pointer.dropFirst()): ") == true)
    }
    #expect(try await service.ask("GET /v1/goals", as: other)["/version"] == "0")
    let answer = try await service.ask("POST /v1/import\n\n\(export)", as: other, type: lines)
    #expect(answer.status == 201)
  }

  @Test("has a limit and a media type of its own")
  func limits() async throws {
    var limits = Gateway.Limits()
    limits.body = 100
    limits.importBody = 3000
    let service = try TestService(limits: limits)
    let export = try await service.file("/v1/export").body
    #expect(export.utf8.count > limits.body)
    let most = String(repeating: "x", count: 3000)
    for (body, status) in [(export, 201), (most, 422), (most + "x", 413)] {
      #expect(try await service.ask("POST /v1/import\n\n\(body)", type: lines).status == status)
    }
    for type in ["application/json", "text/plain"] {
      let answer = try await service.ask("POST /v1/import\n\n\(export)", type: type)
      #expect(answer.status == 415)
      #expect(answer.string("/detail")?.contains(lines) == true)
    }
    #expect(try await service.ask("POST /v1/edits\n\n\(export)", type: lines).status == 415)
  }

  @Test("ends the streams of the account, so that they come back to the new log")
  func streams() async throws {
    let service = try TestService()
    try await service.live()
    let export = try await service.file("/v1/export").body
    let other = try service.stranger()
    let listener = try await service.listen("GET /v1/changes", as: other)
    _ = await listener.nextEvent()
    try await service.until("it follows") { $0.rooms.values.contains { !$0.members.isEmpty } }
    _ = try await service.ask("POST /v1/import\n\n\(export)", as: other, type: lines)
    #expect(await listener.nextEvent() == nil)
    #expect(
      service.happenings.all.contains {
        if case .imported(_, Version(9)) = $0 { true } else { false }
      })
  }
}

@Suite("GET /v1/export.csv") struct CountsTests {
  @Test("is a row a day and goal, by date, then in list order, deleted goals last")
  func rows() async throws {
    let service = try TestService()
    try await service.live()
    let answer = try await service.file("/v1/export.csv")
    #expect(answer.field("Content-Type") == "text/csv; charset=utf-8; header=present")
    #expect(answer.field("Content-Disposition") == "attachment; filename=\"goals-2026-11-20.csv\"")
    #expect(
      answer.body.split(separator: "\r\n", omittingEmptySubsequences: false) == [
        "date,goal,title,count,unit", "2026-11-18,\(a),A,1,", "2026-11-18,\(b),B,5,",
        "2026-11-20,\(a),A,2,", "",
      ])
  }

  @Test(
    "quotes what has to be, and changes nothing",
    arguments: [
      ("a,b", "\"a,b\""), ("say \\\"so\\\"", "\"say \"\"so\"\"\""), ("=1+1", "=1+1"),
      ("@SUM(A1)", "@SUM(A1)"), ("-1", "-1"), ("日本 é", "日本 é"), ("it's; fine", "it's; fine"),
    ])
  func quoting(title: String, shown: String) async throws {
    let service = try TestService()
    try await service.addGoals(1)
    _ = try await service.ask("PATCH /v1/goals/\(a)\n\n{\"title\":\"\(title)\",\"unit\":\"k,m\"}")
    _ = try await service.ask("POST /v1/goals/\(a)/bump")
    let answer = try await service.file("/v1/export.csv")
    #expect(answer.body.hasSuffix("\r\n2026-11-20,\(a),\(shown),1,\"k,m\"\r\n"))
  }

  @Test("has an entity tag that changes with what is recorded alone")
  func entityTag() async throws {
    let service = try TestService()
    try await service.addGoals(1)
    let tag = try #require(try await service.file("/v1/export.csv").etag)
    service.clock.advance(bySeconds: 86_400)
    #expect(try await service.file("/v1/export.csv").etag == tag)
    #expect(try await service.ask("GET /v1/export.csv\nIf-None-Match: \(tag)\n").status == 304)
    _ = try await service.ask("POST /v1/goals/\(a)/bump")
    #expect(try await service.file("/v1/export.csv").etag != tag)
  }

  @Test("costs nothing until its first piece is asked for, which is never where the answer is 304")
  func untouched() async throws {
    let service = try TestService()
    try await service.addGoals(2)
    _ = try await service.ask("POST /v1/goals/\(b)/bump")
    let account = try #require(Account.ID(service.me.id))
    let published = try #require(try service.store.state(account))
    let table = CountsCSV(published.state)
    #expect(!table.hasBegun)
    #expect(table.next() == Array(CountsCSV.header.utf8))
    #expect(table.hasBegun)
    #expect(table.next() == Array("2026-11-20,\(b),B,1,\r\n".utf8))
    #expect(table.next() == nil)
    #expect(table.next() == nil)
  }

  @Test("is whole, however many rows there are")
  func many() async throws {
    let service = try TestService()
    try await service.addGoals(1)
    let first = try #require(Day("2020-01-01"))
    let days = (0..<1700).compactMap { first.adding(days: $0) }
    for start in stride(from: 0, to: days.count, by: 850) {
      let edits = days[start..<start + 850].enumerated().map { place, day in
        """
        {"id":"\(TestService.id(10_000 + start + place))","type":"bump","goal":"\(a)",\
        "at":"\(day)T12:00:00Z"}
        """
      }
      _ = try await service.ask("POST /v1/edits\n\n{\"edits\":[\(edits.joined(separator: ","))]}")
    }
    let answer = try await service.file("/v1/export.csv")
    let rows = answer.body.split(separator: "\r\n").dropFirst()
    #expect(rows.map { String($0.prefix(10)) } == days.map(\.description))
  }
}
