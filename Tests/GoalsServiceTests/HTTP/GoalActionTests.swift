import Testing

@testable import GoalsService

private let a = TestService.id(1)
private let c = TestService.id(3)

@Suite("What is done to one goal") struct GoalActionTests {
  @Test("DELETE takes it out of the list")
  func delete() async throws {
    let service = try TestService()
    try await service.addGoals(2)
    let answer = try await service.ask("DELETE /v1/goals/\(a)")
    #expect(answer.head == ["HTTP/1.1 204 No Content", "Date: Fri, 20 Nov 2026 12:00:00 GMT"])
    #expect(answer.body == "")
    #expect(try await service.titles() == ["B"])
    let again = try await service.ask("DELETE /v1/goals/\(a)")
    #expect(again.status == 404)
    #expect(again.code == "unknown-goal")
  }

  @Test("bump counts on the day of its instant")
  func bump() async throws {
    let service = try TestService()
    try await service.addGoals(1)
    let bump = "POST /v1/goals/\(a)/bump"
    #expect(try await service.ask(bump)["/progress"] == "1")
    #expect(try await service.ask("\(bump)\n\n{}")["/progress"] == "2")
    #expect(try await service.ask("\(bump)\n\n{\"by\":3,\"note\":\"far\"}")["/progress"] == "5")
    #expect(
      try await service.ask("\(bump)\n\n{\"at\":\"2026-11-19T12:00:00Z\",\"by\":7}")["/progress"]
        == "5")
    let log = try await service.ask("GET /v1/edits")
    #expect(log.list("/edits", "/day").suffix(2) == ["2026-11-20", "2026-11-19"])
    #expect(log.string("/edits/4/note") == "far")
  }

  @Test(
    "bump says why it is refused",
    arguments: [
      ("{\"by\":-1}", 409, "below-zero"),
      ("{\"at\":\"2026-11-20T12:05:00.001Z\"}", 422, "in-future"),
      ("{\"at\":\"1999-12-31T23:59:59.999Z\"}", 422, "too-old"), ("{\"by\":0}", 422, "invalid"),
      ("{\"count\":1}", 422, "invalid"), ("[]", 422, "invalid"),
    ])
  func bumpRefused(_ body: String, _ status: Int, _ code: String) async throws {
    let service = try TestService()
    try await service.addGoals(1)
    let answer = try await service.ask("POST /v1/goals/\(a)/bump\n\n\(body)")
    #expect(answer.status == status)
    #expect(answer.code == code)
    #expect(try await service.version() == "2")
  }

  @Test("bump takes an instant up to five minutes ahead")
  func clockTolerance() async throws {
    let service = try TestService()
    try await service.addGoals(1)
    let answer = try await service.ask(
      "POST /v1/goals/\(a)/bump\n\n{\"at\":\"2026-11-20T12:05:00Z\"}")
    #expect(answer.status == 200)
  }

  @Test("bump and skip of an inactive goal are refused", arguments: ["bump", "skip"])
  func inactive(_ action: String) async throws {
    let service = try TestService()
    _ = try await service.ask("PUT /v1/goals/\(a)\n\n{\"title\":\"Run\"}")
    let answer = try await service.ask("POST /v1/goals/\(a)/\(action)")
    #expect(answer.status == 409)
    #expect(answer.code == "inactive-goal")
  }

  @Test("skip excuses a period once")
  func skip() async throws {
    let service = try TestService()
    try await service.addGoals(1)
    #expect(try await service.ask("POST /v1/goals/\(a)/skip").string("/id") == a)
    #expect(try await service.ask("POST /v1/goals/\(a)/skip\n\n{}").status == 200)
    #expect(try await service.version() == "3")
    let before = try await service.ask(
      "POST /v1/goals/\(a)/skip\n\n{\"at\":\"2026-11-19T12:00:00Z\"}")
    #expect(before.status == 200)
    #expect(
      try await service.ask("GET /v1/edits").list("/edits", "/day").suffix(2) == [
        "2026-11-20", "2026-11-19",
      ])
  }

  @Test("move puts it before another, or at the end")
  func move() async throws {
    let service = try TestService()
    try await service.addGoals(3)
    let move = "POST /v1/goals/\(a)/move\n\n"
    let moved = try await service.ask("\(move){\"before\":\"\(c)\"}")
    #expect(moved.status == 200)
    #expect(moved.string("/title") == "A")
    #expect(try await service.titles() == ["B", "A", "C"])
    _ = try await service.ask("\(move){\"before\":null}")
    #expect(try await service.titles() == ["B", "C", "A"])
    #expect(try await service.ask("\(move){\"before\":\"\(a)\"}").status == 200)
    #expect(try await service.titles() == ["B", "C", "A"])
    #expect(try await service.version() == "6")
  }

  @Test(
    "move needs to be told where to",
    arguments: [
      ("{}", 422, ["/before"]), ("{\"before\":1}", 422, ["/before"]),
      ("{\"before\":\"\(TestService.id(9))\"}", 404, []),
    ])
  func moveRefused(_ body: String, _ status: Int, _ pointers: [String]) async throws {
    let service = try TestService()
    try await service.addGoals(2)
    let answer = try await service.ask("POST /v1/goals/\(a)/move\n\n\(body)")
    #expect(answer.status == status)
    #expect(answer.pointers == pointers)
  }
}
