import Testing

@testable import GoalsService

private let a = TestService.id(1)
private let b = TestService.id(2)

@Suite("POST /v1/goals") struct AddGoalTests {
  @Test("puts a goal first in the list, inactive")
  func adds() async throws {
    let service = try TestService()
    try await service.addGoals(1)
    let answer = try await service.ask(
      """
      POST /v1/goals

      {"id":"\(b)","title":" Run ","colour":"#AA00FF","interval":"weekly","frequency":3,"unit":"km"}
      """)
    #expect(answer.status == 201)
    #expect(answer.field("Location") == "/v1/goals/\(b)")
    #expect(answer.field("Content-Type") == "application/json")
    #expect(answer.field("Cache-Control") == "no-store")
    #expect(answer.field("X-Content-Type-Options") == "nosniff")
    #expect(
      answer.body == """
        {"id":"\(b)","title":"Run","colour":"#aa00ff","interval":"weekly","frequency":3,\
        "unit":"km","active":false,"progress":null,"completion":null,"period":null,\
        "streak":{"current":0,"longest":0},"today":null,"state":null}
        """)
    #expect(try await service.titles() == ["Run", "A"])
  }

  @Test("makes a UUIDv7 where there is no id")
  func makesID() async throws {
    let service = try TestService()
    let answer = try await service.ask("POST /v1/goals\n\n{\"title\":\"Run\"}")
    let id = try #require(answer.string("/id"))
    // 2026-11-20T12:00:00.000Z is 0x01a1_f8d3_ea00 milliseconds.
    #expect(id.hasPrefix("01a1f8d3-ea00-7"))
    #expect(answer.field("Location") == "/v1/goals/\(id)")
    #expect(try await service.ask("GET /v1/goals/\(id)").body == answer.body)
  }

  @Test("prints an id in lower case, in whatever case it came")
  func caseOfID() async throws {
    let service = try TestService()
    let answer = try await service.ask(
      "POST /v1/goals\n\n{\"id\":\"ABCDEF00-0000-0000-0000-000000000001\",\"title\":\"Run\"}")
    #expect(answer.field("Location") == "/v1/goals/abcdef00-0000-0000-0000-000000000001")
    #expect(
      try await service.ask("GET /v1/goals/ABCDEF00-0000-0000-0000-000000000001").status == 200)
  }

  @Test("changes nothing where there is such a goal already, and succeeds")
  func unchanged() async throws {
    let service = try TestService()
    let add = "POST /v1/goals\n\n{\"id\":\"\(a)\",\"title\":\"Run\"}"
    let first = try await service.ask(add)
    let second = try await service.ask(add)
    #expect(second.status == 201)
    #expect(second.body == first.body)
    #expect(second.field("Location") == first.field("Location"))
    #expect(try await service.version() == "1")
  }

  @Test("with `active` turns the goal on, in an edit beside the add")
  func addsActive() async throws {
    let service = try TestService()
    let answer = try await service.ask("POST /v1/goals\n\n{\"title\":\"Run\",\"active\":true}")
    #expect(answer.status == 201)
    #expect(answer["/active"] == "true" && answer["/progress"] == "0")
    let log = try await service.ask("GET /v1/edits")
    #expect(log.list("/edits", "/type") == ["add", "setActivity"])
    #expect(
      try await service.ask("GET /v1/goals/\(answer.string("/id") ?? "")").body == answer.body)
  }

  @Test("with `active` is one change under one key: sent again it is the same, whoever made the id")
  func addsActiveOnce() async throws {
    let service = try TestService()
    for body in ["{\"title\":\"Run\",\"active\":true}", "{\"title\":\"Row\",\"active\":false}"] {
      let key = TestService.id(body.contains("Run") ? 500 : 501)
      let add = "POST /v1/goals\nIdempotency-Key: \(key)\n\n\(body)"
      let first = try await service.ask(add)
      let version = try await service.version()
      let again = try await service.ask(add)
      #expect(first.status == 201 && again.status == 201)
      #expect(again.body == first.body)
      #expect(try await service.version() == version)
    }
    #expect(try await service.titles() == ["Row", "Run"])
    #expect(try await service.ask("GET /v1/goals").list("/goals", "/active") == ["false", "true"])
  }

  @Test("with `active` records nothing where the goal can't be added")
  func refusesBoth() async throws {
    let service = try TestService(maximumGoals: 1)
    try await service.addGoals(1)
    let answer = try await service.ask("POST /v1/goals\n\n{\"title\":\"Run\",\"active\":true}")
    #expect(answer.status == 409)
    #expect(answer.code == "limit-reached")
    #expect(try await service.version() == "2")
  }

  @Test("is refused where the id has other content, or was deleted")
  func goalExists() async throws {
    let service = try TestService()
    try await service.addGoals(2)
    _ = try await service.ask("DELETE /v1/goals/\(b)")
    for id in [a, b] {
      let answer = try await service.ask("POST /v1/goals\n\n{\"id\":\"\(id)\",\"title\":\"B\"}")
      #expect(answer.status == 409)
      #expect(answer.code == "goal-exists")
    }
  }

  @Test("tells everything that is wrong with the goal")
  func faults() async throws {
    let answer = try await TestService().ask(
      "POST /v1/goals\n\n{\"title\":\"\",\"frequency\":0,\"titel\":1,\"id\":7,\"active\":1}")
    #expect(answer.status == 422)
    #expect(answer.pointers == ["/active", "/id", "/title", "/frequency", "/titel"])
    #expect(answer["/detail"] == "\"5 things are wrong with the request.\"")
  }
}

@Suite("PUT /v1/goals/{id}") struct PutGoalTests {
  @Test("makes the goal where there is none")
  func creates() async throws {
    let service = try TestService()
    let answer = try await service.ask("PUT /v1/goals/\(a)\n\n{\"title\":\"Run\"}")
    #expect(answer.status == 201)
    #expect(answer.string("/id") == a)
    #expect(try await service.ask("GET /v1/edits")["/edits/0/type"] == "\"add\"")
  }

  @Test("replaces everything but the id and what was counted")
  func replaces() async throws {
    let service = try TestService()
    try await service.addGoals(1)
    _ = try await service.ask("POST /v1/goals/\(a)/bump")
    let answer = try await service.ask(
      "PUT /v1/goals/\(a)\n\n{\"id\":\"\(a)\",\"title\":\"Run\",\"unit\":\"km\"}")
    #expect(answer.status == 200)
    #expect(answer.string("/title") == "Run")
    #expect(answer["/frequency"] == "1")
    #expect(answer["/progress"] == "1")
    #expect(try await service.ask("GET /v1/edits?limit=1000")["/edits/3/type"] == "\"update\"")
  }

  @Test("changes nothing where the goal is so already")
  func unchanged() async throws {
    let service = try TestService()
    _ = try await service.ask("PUT /v1/goals/\(a)\n\n{\"title\":\"Run\"}")
    let again = try await service.ask("PUT /v1/goals/\(a)\n\n{\"title\":\"Run\"}")
    #expect(again.status == 200)
    #expect(try await service.version() == "1")
  }

  private static let activities: [(String, [String])] = [
    ("{\"title\":\"A\",\"frequency\":2}", []),
    ("{\"title\":\"A\",\"frequency\":2,\"active\":true}", []),
    ("{\"title\":\"A\",\"frequency\":2,\"active\":false}", ["setActivity"]),
    ("{\"title\":\"B\",\"active\":true}", ["update"]),
    ("{\"title\":\"B\",\"active\":false}", ["update", "setActivity"]),
  ]

  @Test(
    "turns the goal on or off where the body says so, and it is not so yet", arguments: activities)
  func turns(_ body: String, _ types: [String]) async throws {
    let service = try TestService()
    try await service.addGoals(1)
    for _ in 1...2 {
      let answer = try await service.ask("PUT /v1/goals/\(a)\n\n\(body)")
      #expect(answer.status == 200)
      #expect(answer["/active"] == (body.contains("false") ? "false" : "true"))
      let log = try await service.ask("GET /v1/edits")
      #expect(log.list("/edits", "/type").dropFirst(2) == types[...])
    }
  }

  @Test("makes an active goal, and a retry under the same key changes nothing")
  func createsActive() async throws {
    let service = try TestService()
    let put = "PUT /v1/goals/\(a)\nIdempotency-Key: \(TestService.id(500))\n\n"
    let first = try await service.ask(put + "{\"title\":\"Run\",\"active\":true}")
    #expect(first.status == 201 && first["/active"] == "true")
    _ = try await service.ask("PATCH /v1/goals/\(a)\n\n{\"active\":false}")
    let again = try await service.ask(put + "{\"title\":\"Run\",\"active\":true}")
    #expect(again.status == 201 && again["/active"] == "false")
    #expect(try await service.version() == "3")
  }

  @Test("takes back what was read, read-only fields and all")
  func sendsBack() async throws {
    let service = try TestService()
    try await service.addGoals(1)
    let read = try await service.ask("GET /v1/goals/\(a)")
    let answer = try await service.ask("PUT /v1/goals/\(a)\n\n\(read.body)")
    #expect(answer.status == 200)
    #expect(answer.body == read.body)
    #expect(try await service.version() == "2")
  }

  @Test("is refused for the id of a deleted goal")
  func deleted() async throws {
    let service = try TestService()
    try await service.addGoals(1)
    _ = try await service.ask("DELETE /v1/goals/\(a)")
    let answer = try await service.ask("PUT /v1/goals/\(a)\n\n{\"title\":\"A\"}")
    #expect(answer.status == 409)
    #expect(answer.code == "goal-exists")
  }

  @Test("is refused where the body has another id")
  func otherID() async throws {
    let answer = try await TestService().ask(
      "PUT /v1/goals/\(a)\n\n{\"id\":\"\(b)\",\"title\":\"Run\"}")
    #expect(answer.status == 422)
    #expect(answer.pointers == ["/id"])
  }
}

@Suite("PATCH /v1/goals/{id}") struct PatchGoalTests {
  private static let patches: [(String, [String])] = [
    ("{}", []), ("{\"title\":\"A\"}", []), ("{\"active\":true}", []),
    ("{\"title\":\"Run\"}", ["alter"]), ("{\"active\":false}", ["setActivity"]),
    ("{\"active\":null}", ["setActivity"]),
    ("{\"active\":false,\"unit\":\"km\"}", ["alter", "setActivity"]),
    ("{\"active\":true,\"unit\":\"km\"}", ["alter"]),
    ("{\"active\":false,\"title\":\"A\"}", ["setActivity"]),
  ]

  @Test("is an alter, a setActivity, both or none", arguments: patches)
  func edits(_ patch: String, _ types: [String]) async throws {
    let service = try TestService()
    try await service.addGoals(1)
    let answer = try await service.ask("PATCH /v1/goals/\(a)\n\n\(patch)")
    #expect(answer.status == 200)
    #expect(try await service.ask("GET /v1/goals/\(a)").body == answer.body)
    let log = try await service.ask("GET /v1/edits")
    #expect(log.list("/edits", "/type").dropFirst(2) == types[...])
  }

  @Test("sets to the default what is null")
  func null() async throws {
    let service = try TestService()
    try await service.addGoals(1, interval: "weekly", frequency: 7)
    let answer = try await service.ask(
      "PATCH /v1/goals/\(a)\n\n{\"interval\":null,\"frequency\":null,\"colour\":null}",
      type: "application/merge-patch+json")
    #expect(answer.string("/interval") == "daily")
    #expect(answer["/frequency"] == "1")
    #expect(answer.string("/title") == "A")
  }

  @Test("names all faults, a null title too")
  func faults() async throws {
    let service = try TestService()
    try await service.addGoals(1)
    let answer = try await service.ask(
      "PATCH /v1/goals/\(a)\n\n{\"title\":null,\"active\":2,\"progress\":3,\"goal\":1}")
    #expect(answer.status == 422)
    #expect(answer.pointers == ["/title", "/active", "/goal"])
  }

  @Test("records nothing of two edits where there is no such goal")
  func unknownGoal() async throws {
    let service = try TestService()
    let answer = try await service.ask(
      "PATCH /v1/goals/\(a)\n\n{\"title\":\"Run\",\"active\":true}")
    #expect(answer.status == 404)
    #expect(answer.code == "unknown-goal")
    #expect(try await service.version() == "0")
  }
}
