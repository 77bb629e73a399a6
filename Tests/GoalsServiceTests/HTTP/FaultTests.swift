import Testing

@testable import GoalsService

private let a = TestService.id(1)

/// A write, with a body that is wrong at some places.
private let writes: [(line: String, body: String, pointers: [String])] = [
  ("POST /v1/goals", "{\"title\":7}", ["/title"]),
  ("PUT /v1/goals/\(a)", "{\"titel\":7}", ["/title", "/titel"]),
  ("PATCH /v1/goals/\(a)", "{\"title\":null,\"active\":1}", ["/title", "/active"]),
  ("DELETE /v1/goals/\(a)", "", []),
  ("POST /v1/goals/\(a)/bump", "{\"by\":0,\"note\":1}", ["/by", "/note"]),
  ("POST /v1/goals/\(a)/bump", "", []),
  ("POST /v1/goals/\(a)/skip", "{\"at\":0}", ["/at"]),
  ("POST /v1/goals/\(a)/move", "{}", ["/before"]),
  ("PUT /v1/activity", "{\"activity\":[1]}", ["/activity/0"]),
  ("PUT /v1/activity", "{}", ["/activity"]),
  ("POST /v1/edits/\(TestService.id(100))/undo", "{\"at\":0}", ["/at"]),
  (
    "PATCH /v1/account", "{\"weekStart\":\"\",\"timeZone\":\"Mars/X\"}",
    ["/weekStart", "/timeZone"]
  ),
  ("PATCH /v1/account", "{}", []),
]

@Suite("A request with faults in all its parts") struct FaultTests {
  @Test("is told of those of the query, the head and the body together", arguments: writes)
  func all(_ line: String, _ body: String, _ pointers: [String]) async throws {
    let service = try TestService()
    try await service.addGoals(1)
    let answer = try await service.ask(
      "\(line)?dry=1&dry=2\nIdempotency-Key: 1\nIf-Match: 3\n\n\(body)")
    #expect(answer.status == 422)
    #expect(answer.code == "invalid")
    #expect(answer.pointers == ["/dry", "/Idempotency-Key", "/If-Match"] + pointers)
    #expect(try await service.version() == "2")
  }

  @Test(
    "is told of those of the query and the body of many edits together",
    arguments: [
      ("POST /v1/edits?dryRun=1&x=2&x=3", ["/x", "/dryRun", "/edits", "/y"]),
      ("POST /v1/sync?after=3", ["/after", "/edits", "/y"]),
    ])
  func batch(_ line: String, _ pointers: [String]) async throws {
    let service = try TestService()
    let answer = try await service.ask(
      "\(line)\n\n{\"edits\":7,\"y\":1}")
    #expect(answer.status == 422)
    #expect(answer.pointers == pointers)
  }

  @Test("is told of a body that is no JSON first")
  func malformed() async throws {
    let service = try TestService()
    let answer = try await service.ask("POST /v1/goals?x=1\nIf-Match: 3\n\n{")
    #expect(answer.status == 400)
    #expect(answer.code == "malformed-json")
  }

  @Test("is told of a hundred of them, and that there are more")
  func limit() async throws {
    let service = try TestService()
    let body = (1...120).map { "\"f\($0)\":1" }.joined(separator: ",")
    let answer = try await service.ask(
      "POST /v1/goals?x=1\nIf-Match: 3\n\n{\"title\":\"A\",\(body)}")
    #expect(answer.pointers.count == 101)
    #expect(answer["/detail"] == "\"More than 100 things are wrong with the request.\"")
    #expect(answer.pointers.prefix(3) == ["/x", "/If-Match", "/f1"])
  }
}

@Suite("A whole number in a query") struct QueryNumberTests {
  @Test("is written without a sign, and without zeros before it")
  func written() async throws {
    let service = try TestService()
    for text in ["01", "00", "007", "+1", "-1", "", "1.0", "1e2", "0x1"] {
      let limit = try await service.ask("GET /v1/edits?limit=\(text)")
      #expect(limit.status == 422, "\(text)")
      #expect(limit.pointers == ["/limit"])
      let version = try await service.ask("GET /v1/goals?version=\(text)")
      #expect(version.status == 422, "\(text)")
      #expect(version.pointers == ["/version"])
    }
    #expect(try await service.ask("GET /v1/edits?limit=10").status == 200)
    #expect(try await service.ask("GET /v1/goals?version=0").status == 200)
  }
}
