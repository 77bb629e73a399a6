import Testing

@testable import GoalsService

private let a = TestService.id(1)
private let b = TestService.id(2)

private func bump(_ number: Int, _ goal: String = a, by: Int = 1) -> String {
  "{\"id\":\"\(TestService.id(number))\",\"type\":\"bump\",\"goal\":\"\(goal)\",\"by\":\(by)}"
}

@Suite("POST /v1/edits") struct BatchTests {
  private func service() async throws -> TestService {
    let service = try TestService()
    try await service.addGoals(2)
    return service
  }

  @Test("decides every edit for itself, in order")
  func outcomes() async throws {
    let service = try await service()
    let answer = try await service.ask(
      """
      POST /v1/edits

      {"edits":[\(bump(11)),\(bump(12, by: -2)),{"id":"X","type":"bump"},\(bump(11)),
      {"id":"\(TestService.id(13))","type":"move","goal":"\(a)","before":"\(a)"},
      \(bump(11, b)),\(bump(14, b)),7]}
      """)
    #expect(answer.status == 200)
    #expect(answer.field("Content-Type") == "application/json")
    #expect(answer.field("Cache-Control") == "no-store")
    #expect(
      answer.body == """
        {"version":5,"outcomes":[\
        {"id":"\(TestService.id(11))","status":"applied","version":4},\
        {"id":"\(TestService.id(12))","status":"rejected","code":"below-zero",\
        "detail":"The day's count is 1; it cannot fall below 0."},\
        {"id":"X","status":"rejected","code":"invalid","detail":"The edit is not valid.",\
        "errors":[{"pointer":"/edits/2/id","detail":"an id is a UUID"},\
        {"pointer":"/edits/2/goal","detail":"goal is missing"}]},\
        {"id":"\(TestService.id(11))","status":"duplicate","version":4},\
        {"id":"\(TestService.id(13))","status":"unchanged"},\
        {"id":"\(TestService.id(11))","status":"rejected","code":"id-conflict",\
        "detail":"An earlier edit of this batch has this id, with other content."},\
        {"id":"\(TestService.id(14))","status":"applied","version":5},\
        {"id":null,"status":"rejected","code":"invalid","detail":"The edit is not valid.",\
        "errors":[{"pointer":"/edits/7","detail":"an object is expected"}]}]}
        """)
  }

  @Test("records nothing of an atomic batch with a rejection")
  func atomic() async throws {
    let service = try await service()
    _ = try await service.ask("POST /v1/edits\n\n{\"edits\":[\(bump(11))]}")
    let answer = try await service.ask(
      "POST /v1/edits\n\n{\"edits\":[\(bump(11)),\(bump(12)),\(bump(13, by: -9))],\"atomic\":true}")
    #expect(answer.status == 409)
    #expect(answer.field("Content-Type") == "application/problem+json")
    #expect(answer.code == "batch-rejected")
    #expect(answer.list("/outcomes", "/status") == ["duplicate", "skipped", "rejected"])
    #expect(answer.list("/outcomes", "/code") == ["-", "-", "below-zero"])
    #expect(try await service.version() == "4")
  }

  @Test("records nothing where the account is at another version")
  func versionMismatch() async throws {
    let service = try await service()
    _ = try await service.ask("POST /v1/edits\n\n{\"edits\":[\(bump(11))]}")
    for version in ["3", "5", "0"] {
      let answer = try await service.ask(
        "POST /v1/edits\n\n{\"edits\":[\(bump(12)),\(bump(11)),{}],\"ifVersion\":\(version)}")
      #expect(answer.status == 409)
      #expect(answer.code == "version-mismatch")
      #expect(answer["/version"] == "4")
      #expect(
        answer["/outcomes"]
          == "[{\"id\":\"\(TestService.id(11))\",\"status\":\"duplicate\",\"version\":4}]")
    }
    #expect(try await service.version() == "4")
    let answer = try await service.ask(
      "POST /v1/edits\n\n{\"edits\":[\(bump(12))],\"ifVersion\":4}")
    #expect(answer["/outcomes/0/status"] == "\"applied\"")
  }

  @Test("needs the version for an activity array")
  func versionRequired() async throws {
    let service = try await service()
    let edit =
      "{\"id\":\"\(TestService.id(11))\",\"type\":\"setActivity\",\"activity\":[false,true]}"
    let without = try await service.ask("POST /v1/edits\n\n{\"edits\":[\(edit)]}")
    #expect(without.status == 200)
    #expect(without["/outcomes/0/code"] == "\"version-required\"")
    let with = try await service.ask("POST /v1/edits\n\n{\"edits\":[\(edit)],\"ifVersion\":3}")
    #expect(with["/outcomes/0/status"] == "\"applied\"")
    let again = try await service.ask("POST /v1/edits\n\n{\"edits\":[\(edit)]}")
    #expect(again["/outcomes/0/status"] == "\"duplicate\"")
  }

  @Test("only tells, with dryRun, what would come of it")
  func dryRun() async throws {
    let service = try await service()
    let before = try await service.ask("GET /v1/goals")
    let body = "{\"edits\":[\(bump(11)),\(bump(12)),\(bump(13, by: -9))]}"
    let dry = try await service.ask("POST /v1/edits?dryRun=true\n\n\(body)")
    #expect(dry["/version"] == "5")
    #expect(dry.list("/outcomes", "/status") == ["applied", "applied", "rejected"])
    #expect(dry.list("/outcomes", "/version") == ["4", "5", "-"])
    let after = try await service.ask("GET /v1/goals")
    #expect(after.body == before.body)
    #expect(after.etag == before.etag)
    let wet = try await service.ask("POST /v1/edits?dryRun=false\n\n\(body)")
    #expect(wet.body == dry.body)
  }

  private static let bodies: [(String, [String])] = [
    ("{}", ["/edits"]), ("{\"edits\":[]}", ["/edits"]), ("{\"edits\":{}}", ["/edits"]),
    ("{\"edits\":[1,2,3,4]}", ["/edits"]),
    ("{\"edits\":[1],\"atomic\":0,\"ifVersion\":-1,\"x\":1}", ["/atomic", "/ifVersion", "/x"]),
  ]

  @Test("is refused as a whole for what is wrong around the edits", arguments: bodies)
  func refused(_ body: String, _ pointers: [String]) async throws {
    var limits = Gateway.Limits()
    limits.edits = 3
    let answer = try await TestService(limits: limits).ask("POST /v1/edits\n\n\(body)")
    #expect(answer.status == 422)
    #expect(answer.pointers == pointers)
  }

  @Test("takes a thousand edits")
  func thousand() async throws {
    let service = try await service()
    let edits = (1...1000).map { bump(1000 + $0) }.joined(separator: ",")
    let answer = try await service.ask("POST /v1/edits\n\n{\"edits\":[\(edits)]}")
    #expect(answer["/version"] == "1003")
    let more = try await service.ask("POST /v1/edits\n\n{\"edits\":[\(edits),\(bump(3))]}")
    #expect(more.pointers == ["/edits"])
    #expect(try await service.ask("GET /v1/goals/\(a)")["/progress"] == "1000")
  }

  @Test("takes a recorded edit back as it was read, as the same edit")
  func sendsRecorded() async throws {
    let service = try await service()
    let log = try await service.ask("GET /v1/edits")
    let answer = try await service.ask(
      "POST /v1/edits\n\n{\"edits\":\(log["/edits"] ?? "")}")
    #expect(answer.list("/outcomes", "/status") == ["duplicate", "duplicate", "duplicate"])
    #expect(answer.list("/outcomes", "/version") == ["1", "2", "3"])
  }
}
