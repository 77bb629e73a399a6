import Testing

@testable import GoalsService

private let a = TestService.id(1)

@Suite("GET /v1/edits") struct LogTests {
  private func service() async throws -> TestService {
    let service = try TestService()
    try await service.addGoals(4)
    return service
  }

  @Test("shows every edit as it was recorded, oldest first")
  func recorded() async throws {
    let service = try TestService()
    _ = try await service.ask(
      "PUT /v1/goals/\(a)\nIdempotency-Key: \(TestService.id(11))\n\n{\"title\":\"Run\"}")
    service.clock.advance(bySeconds: 1)
    _ = try await service.ask(
      """
      POST /v1/edits

      {"edits":[{"id":"\(TestService.id(12))","type":"setActivity","at":"2026-11-20T13:00:00+01:00",
      "activity":{"\(a)":true}}]}
      """)
    let answer = try await service.ask("GET /v1/edits")
    #expect(answer.status == 200)
    #expect(
      answer["/edits"] == """
        [{"id":"\(TestService.id(11))","type":"add","goal":{"id":"\(a)","title":"Run",\
        "colour":"green","interval":"daily","frequency":1,"unit":null},\
        "at":"2026-11-20T12:00:00.000Z","version":1,"recordedAt":"2026-11-20T12:00:00.000Z",\
        "device":"first token"},\
        {"id":"\(TestService.id(12))","type":"setActivity","activity":{"\(a)":true},\
        "at":"2026-11-20T12:00:00.000Z","version":2,"recordedAt":"2026-11-20T12:00:01.000Z",\
        "device":"first token"}]
        """)
    #expect(answer["/version"] == "2")
    #expect(answer["/more"] == "false")
    #expect(answer.string("/cursor") == (try await service.ask("GET /v1/goals")).string("/cursor"))
  }

  @Test("comes in pages, each with the position after its last edit", arguments: 1...6)
  func pages(_ limit: Int) async throws {
    let service = try await service()
    let whole = try await service.ask("GET /v1/edits")
    var versions: [String] = []
    var target = "GET /v1/edits?limit=\(limit)"
    for _ in 0..<10 {
      let page = try await service.ask(target)
      versions += page.list("/edits", "/version")
      #expect(page["/version"] == "5")
      let cursor = try #require(page.string("/cursor"))
      #expect(cursor.hasPrefix("\(versions.count)."))
      #expect(page["/more"] == (versions.count < 5 ? "true" : "false"))
      if page["/more"] == "false" { break }
      target = "GET /v1/edits?after=\(cursor)&limit=\(limit)"
    }
    #expect(versions == ["1", "2", "3", "4", "5"])
    #expect(whole.list("/edits", "/version") == versions)
  }

  @Test("comes in pages of 500 unless asked, and of 1000 at most")
  func pageSizes() async throws {
    let service = try await service()
    let edits = (0..<1000).map {
      #"{"id":"\#(TestService.id(1000 + $0))","type":"bump","goal":"\#(a)"}"#
    }
    _ = try await service.ask("POST /v1/edits\n\n{\"edits\":[\(edits.joined(separator: ","))]}")
    for (query, count) in [("", 500), ("?limit=1000", 1000)] {
      let page = try await service.ask("GET /v1/edits" + query)
      #expect(page.list("/edits", "/version").count == count)
      #expect(page["/more"] == "true")
    }
  }

  @Test("after the last edit is empty, and stays at its position")
  func atEnd() async throws {
    let service = try await service()
    let cursor = try #require(try await service.ask("GET /v1/goals").string("/cursor"))
    let answer = try await service.ask("GET /v1/edits?after=\(cursor)")
    #expect(
      answer.body == "{\"edits\":[],\"version\":5,\"cursor\":\"\(cursor)\",\"more\":false}")
  }

  @Test("recognises a cursor of another history")
  func diverged() async throws {
    let service = try await service()
    let other = try TestService(timeZone: "Asia/Tokyo")
    try await other.addGoals(4)
    let page = try await other.ask("GET /v1/edits?limit=2")
    let start = try await TestService(timeZone: "Asia/Tokyo").ask("GET /v1/goals")
    let cursors = [
      try #require(page.string("/cursor")), try #require(start.string("/cursor")),
      "6.0000000000000000", "5.0000000000000000", "9223372036854775807.ffffffffffffffff",
    ]
    for cursor in cursors {
      let answer = try await service.ask("GET /v1/edits?after=\(cursor)")
      #expect(answer.status == 410, "\(cursor)")
      #expect(answer.code == "cursor-diverged")
    }
  }

  private static let queries: [(String, [String])] = [
    ("after=", ["/after"]), ("after=x", ["/after"]), ("after=1", ["/after"]),
    ("after=01.0000000000000000", ["/after"]), ("after=-1.0000000000000000", ["/after"]),
    ("after=1.000000000000000G", ["/after"]), ("after=1.00000000000000AB", ["/after"]),
    ("after=9223372036854775808.0000000000000000", ["/after"]),
    ("limit=0", ["/limit"]), ("limit=1001", ["/limit"]), ("limit=-1", ["/limit"]),
    ("limit=%2B5", ["/limit"]), ("limit=1.0", ["/limit"]), ("limit=", ["/limit"]),
    ("limit=99999999999999999999", ["/limit"]),
    ("limit=0&after=x&before=1", ["/before", "/limit", "/after"]),
  ]

  @Test("refuses what is no cursor and no limit, all of it", arguments: queries)
  func refused(_ query: String, _ pointers: [String]) async throws {
    let answer = try await TestService().ask("GET /v1/edits?\(query)")
    #expect(answer.status == 422)
    #expect(answer.code == "invalid")
    #expect(answer.pointers == pointers)
  }

  @Test("shows one edit by its id")
  func one() async throws {
    let service = try await service()
    let log = try await service.ask("GET /v1/edits")
    let answer = try await service.ask("GET /v1/edits/\(TestService.id(103))")
    #expect(answer.status == 200)
    #expect(answer.body == log["/edits/1"])
    let unknown = try await service.ask("GET /v1/edits/\(TestService.id(9))")
    #expect(unknown.status == 404)
    #expect(unknown.code == "unknown-edit")
  }
}

@Suite("POST /v1/edits/{id}/undo") struct UndoTests {
  private let undo = "POST /v1/edits/\(TestService.id(100))/undo"

  @Test("takes an edit back, and answers with its outcome")
  func undoes() async throws {
    let service = try TestService()
    try await service.addGoals(1)
    let answer = try await service.ask(undo + "\nIdempotency-Key: \(TestService.id(7))")
    #expect(answer.status == 200)
    #expect(answer.body == "{\"id\":\"\(TestService.id(7))\",\"status\":\"applied\",\"version\":3}")
    #expect(try await service.ask("GET /v1/goals/\(a)")["/active"] == "false")
  }

  @Test("can itself be taken back")
  func redo() async throws {
    let service = try TestService()
    try await service.addGoals(1)
    let id = try #require(try await service.ask(undo).string("/id"))
    #expect(try await service.ask("POST /v1/edits/\(id)/undo\n\n{}").status == 200)
    #expect(try await service.ask("GET /v1/goals/\(a)")["/active"] == "true")
  }

  @Test("is refused a second time, and for an edit that there never was")
  func refused() async throws {
    let service = try TestService()
    try await service.addGoals(1)
    _ = try await service.ask(undo)
    let again = try await service.ask(undo)
    #expect(again.status == 409)
    #expect(again.code == "not-undoable")
    let unknown = try await service.ask("POST /v1/edits/\(TestService.id(9))/undo")
    #expect(unknown.status == 404)
    #expect(unknown.code == "unknown-edit")
  }

  @Test("takes an instant and nothing else")
  func body() async throws {
    let service = try TestService()
    try await service.addGoals(1)
    let refused = try await service.ask(undo + "\n\n{\"at\":1,\"edit\":\"x\"}")
    #expect(refused.pointers == ["/at", "/edit"])
    _ = try await service.ask(undo + "\n\n{\"at\":\"2026-11-20T11:00:00Z\"}")
    let log = try await service.ask("GET /v1/edits")
    #expect(log.string("/edits/2/at") == "2026-11-20T11:00:00.000Z")
  }
}
