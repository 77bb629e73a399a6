import Testing

@testable import GoalsService

@Suite("The list of goals") struct ListTests {
  @Test("of a new account is empty, at version 0 and the cursor of its calendar")
  func empty() async throws {
    let answer = try await TestService().ask("GET /v1/goals")
    #expect(answer.status == 200)
    #expect(answer.body == #"{"version":0,"cursor":"0.cb742eccf84b9369","goals":[]}"#)
    #expect(answer.etag == "\"0.cb742eccf84b9369~-\"")
  }

  @Test("says what every client needs to know about it")
  func fields() async throws {
    let service = try TestService()
    try await service.addGoals(1)
    let answer = try await service.ask("GET /v1/goals")
    let tag = try #require(answer.etag)
    #expect(
      answer.head == [
        "HTTP/1.1 200 OK", "Date: Fri, 20 Nov 2026 12:00:00 GMT", "Content-Type: application/json",
        "X-Content-Type-Options: nosniff", "Content-Security-Policy: frame-ancestors 'none'",
        "Cache-Control: private, no-cache", "ETag: \(tag)",
        "Content-Length: \(answer.body.utf8.count)",
      ])
  }

  @Test("holds every goal with its progress, in order")
  func goals() async throws {
    let service = try TestService()
    try await service.addGoals(2)
    _ = try await service.ask("POST /v1/goals/\(TestService.id(1))/bump")
    let answer = try await service.ask("GET /v1/goals")
    #expect(answer["/version"] == "4")
    #expect(
      answer["/goals"] == """
        [{"id":"00000000-0000-0000-0000-000000000001","title":"A","colour":"green",\
        "interval":"daily","frequency":2,"unit":null,"active":true,"progress":1,"completion":0.5,\
        "period":{"start":"2026-11-20","end":"2026-11-21"},"streak":{"current":0,"longest":0},\
        "today":1,"state":"open"},\
        {"id":"00000000-0000-0000-0000-000000000002","title":"B","colour":"green",\
        "interval":"daily","frequency":2,"unit":null,"active":true,"progress":0,"completion":0,\
        "period":{"start":"2026-11-20","end":"2026-11-21"},"streak":{"current":0,"longest":0},\
        "today":0,"state":"open"}]
        """)
  }

  @Test("is not sent again to who has it")
  func notModified() async throws {
    let service = try TestService()
    try await service.addGoals(1)
    let tag = try #require(try await service.ask("GET /v1/goals").etag)
    for known in [tag, "W/\(tag)", "\"other\", \(tag)", "*", "\"a\",,\(tag) ,\"b\""] {
      let answer = try await service.ask("GET /v1/goals\nIf-None-Match: \(known)")
      #expect(
        answer.head == [
          "HTTP/1.1 304 Not Modified", "Date: Fri, 20 Nov 2026 12:00:00 GMT", "ETag: \(tag)",
          "Cache-Control: private, no-cache",
        ], "\(known)")
      #expect(answer.body == "")
    }
    for other in ["\"other\"", "\"\"", tag.lowercased() + "x", "garbage"] {
      #expect(try await service.ask("GET /v1/goals\nIf-None-Match: \(other)").status == 200)
    }
  }

  @Test("is told to HEAD as to GET, but for the body")
  func head() async throws {
    let service = try TestService()
    try await service.addGoals(1)
    let goal = "/v1/goals/\(TestService.id(1))"
    for target in ["/v1/goals", "/v1/goals?active=true", goal, "/v1/account", "/openapi.yaml"] {
      let get = try await service.ask("GET \(target)")
      let head = try await service.ask("HEAD \(target)")
      #expect(head.head == get.head)
      #expect(head.body == "")
      #expect(get.body != "")
    }
    let tag = try #require(try await service.ask("GET /v1/goals").etag)
    #expect(try await service.ask("HEAD /v1/goals\nIf-None-Match: \(tag)").status == 304)
    #expect(try await service.ask("HEAD /v1/goals/\(TestService.id(9))").status == 404)
  }

  @Test("can be filtered by what is active")
  func active() async throws {
    let service = try TestService()
    try await service.addGoals(2)
    _ = try await service.ask("POST /v1/goals\n\n{\"title\":\"idle\"}")
    let all = try await service.ask("GET /v1/goals")
    let active = try await service.ask("GET /v1/goals?active=true")
    let inactive = try await service.ask("GET /v1/goals?active=false")
    #expect(all.list("/goals", "/title") == ["idle", "A", "B"])
    #expect(active.list("/goals", "/title") == ["A", "B"])
    #expect(inactive.list("/goals", "/title") == ["idle"])
    for filtered in [active, inactive] {
      #expect(filtered["/version"] == all["/version"])
      #expect(filtered["/cursor"] == all["/cursor"])
      #expect(filtered.etag == all.etag)
    }
  }

  private static let queries: [(String, [String])] = [
    ("active=yes", ["/active"]), ("active=", ["/active"]), ("active", ["/active"]),
    ("active=true&active=true", ["/active"]), ("activ=true", ["/activ"]),
    ("a/b=1&x~y=2&active=1", ["/a~1b", "/x~0y", "/active"]),
  ]

  @Test("refuses what it does not know in a query", arguments: queries)
  func refusesQuery(_ query: String, _ pointers: [String]) async throws {
    let answer = try await TestService().ask("GET /v1/goals?\(query)")
    #expect(answer.status == 422)
    #expect(answer.code == "invalid")
    #expect(answer.pointers == pointers)
  }
}

@Suite("The ETag of the goals") struct TagTests {
  @Test("changes with every edit, and with nothing else that is sent")
  func edits() async throws {
    let service = try TestService()
    try await service.addGoals(2)
    var tags = [try #require(try await service.ask("GET /v1/goals").etag)]
    let bump = "POST /v1/goals/\(TestService.id(1))/bump"
    let requests = [
      "\(bump)", "\(bump)\n\n{\"by\":-1}", "POST /v1/goals/\(TestService.id(1))/skip",
      "POST /v1/goals/\(TestService.id(1))/move\n\n{\"before\":null}",
      "PATCH /v1/account\n\n{\"dayStart\":\"03:00\"}",
      "DELETE /v1/goals/\(TestService.id(2))",
    ]
    for request in requests {
      _ = try await service.ask(request)
      tags.append(try #require(try await service.ask("GET /v1/goals").etag))
    }
    #expect(Set(tags).count == requests.count + 1)
    _ = try await service.ask("\(bump)\n\n{\"by\":-1}")
    _ = try await service.ask("PATCH /v1/account\n\n{\"dayStart\":\"03:00\"}")
    #expect(try await service.ask("GET /v1/goals").etag == tags.last)
  }

  @Test("changes when a period ends, at midnight where the account is")
  func midnight() async throws {
    let service = try TestService(timeZone: "Asia/Tokyo")
    try await service.addGoals(1)
    _ = try await service.ask("POST /v1/goals/\(TestService.id(1))/bump")
    let before = try await service.ask("GET /v1/goals")
    // Midnight in Tokyo is 15:00 in UTC.
    service.clock.advance(bySeconds: 3 * 3600 - 1)
    let still = try await service.ask("GET /v1/goals")
    #expect(still.etag == before.etag)
    #expect(still.body == before.body)
    service.clock.advance(bySeconds: 1)
    let after = try await service.ask("GET /v1/goals")
    #expect(after.etag != before.etag)
    #expect(before["/goals/0/progress"] == "1")
    #expect(after["/goals/0/progress"] == "0")
    #expect(after["/goals/0/period/start"] == "\"2026-11-21\"")
    #expect(after["/cursor"] == before["/cursor"])
    let tag = try #require(before.etag)
    #expect(try await service.ask("GET /v1/goals\nIf-None-Match: \(tag)").status == 200)
  }

  @Test("is that of before again where the server's clock is set back")
  func clockSetBack() async throws {
    let service = try TestService()
    try await service.addGoals(1)
    let before = try await service.ask("GET /v1/goals")
    service.clock.advance(bySeconds: 24 * 3600)
    #expect(try await service.ask("GET /v1/goals").etag != before.etag)
    service.clock.advance(bySeconds: -24 * 3600)
    let again = try await service.ask("GET /v1/goals")
    #expect(again.etag == before.etag)
    #expect(again.body == before.body)
  }

  @Test("is one for the list and each goal of it")
  func ofOneGoal() async throws {
    let service = try TestService()
    try await service.addGoals(2)
    let list = try await service.ask("GET /v1/goals")
    let goal = try await service.ask("GET /v1/goals/\(TestService.id(2))")
    #expect(goal.status == 200)
    #expect(goal.etag == list.etag)
    #expect(goal.body == list["/goals/1"])
    #expect(goal.field("Cache-Control") == "private, no-cache")
    let tag = try #require(goal.etag)
    let again = try await service.ask("GET /v1/goals/\(TestService.id(2))\nIf-None-Match: \(tag)")
    #expect(again.status == 304)
    #expect(again.body == "")
  }

  @Test("is not the same in two histories of as many edits")
  func histories() async throws {
    var tags: Set<String> = []
    for title in ["A", "B"] {
      let service = try TestService()
      _ = try await service.ask("POST /v1/goals\n\n{\"title\":\"\(title)\"}")
      tags.insert(try #require(try await service.ask("GET /v1/goals").etag))
    }
    #expect(tags.count == 2)
  }
}
