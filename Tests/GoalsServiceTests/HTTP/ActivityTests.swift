import Testing

@testable import GoalsService

private let a = TestService.id(1)
private let b = TestService.id(2)

@Suite("PUT /v1/activity") struct ActivityTests {
  private func service() async throws -> (TestService, tag: String) {
    let service = try TestService()
    try await service.addGoals(2)
    return (service, try #require(try await service.ask("GET /v1/goals").etag))
  }

  @Test("turns goals on and off by id, and answers with the list")
  func keyed() async throws {
    let (service, _) = try await service()
    let answer = try await service.ask("PUT /v1/activity\n\n{\"activity\":{\"\(b)\":false}}")
    #expect(answer.status == 200)
    let list = try await service.ask("GET /v1/goals")
    #expect(answer.body == list.body)
    #expect(answer.etag == list.etag)
    #expect(answer.list("/goals", "/active") == ["true", "false"])
  }

  @Test("turns them in list order, for who says which list")
  func listed() async throws {
    let (service, tag) = try await service()
    let answer = try await service.ask(
      "PUT /v1/activity\nIf-Match: \(tag)\n\n{\"activity\":[false,true]}")
    #expect(answer.status == 200)
    #expect(answer.list("/goals", "/active") == ["false", "true"])
    let log = try await service.ask("GET /v1/edits")
    #expect(log["/edits/3/activity"] == "{\"\(a)\":false,\"\(b)\":true}")
  }

  @Test("needs to be told which list an array is for", arguments: ["", "\nIf-Match: *"])
  func versionRequired(_ field: String) async throws {
    let (service, _) = try await service()
    for values in ["[true,true]", "[false,true]", "[]", "[true,true,true]"] {
      let answer = try await service.ask("PUT /v1/activity\(field)\n\n{\"activity\":\(values)}")
      #expect(answer.status == 428)
      #expect(answer.code == "version-required")
      #expect(answer.string("/detail")?.contains("If-Match") == true)
    }
    #expect(try await service.version() == "3")
  }

  @Test("needs that no more when an array is sent again")
  func listedAgain() async throws {
    let (service, tag) = try await service()
    let request = "PUT /v1/activity\nIdempotency-Key: \(TestService.id(200))"
    let first = try await service.ask("\(request)\nIf-Match: \(tag)\n\n{\"activity\":[false,true]}")
    _ = try await service.ask("DELETE /v1/goals/\(b)")
    let list = try await service.ask("GET /v1/goals")
    let again = try await service.ask("\(request)\n\n{\"activity\":[false,true]}")
    #expect([first.status, again.status] == [200, 200])
    #expect(again.body == list.body)
    let other = try await service.ask("\(request)\n\n{\"activity\":[true,true]}")
    #expect(other.status == 409)
    #expect(other.code == "id-conflict")
    #expect(try await service.version() == "5")
  }

  @Test("does not take an array for another list")
  func mismatch() async throws {
    let (service, tag) = try await service()
    _ = try await service.ask("POST /v1/goals/\(a)/move\n\n{\"before\":null}")
    let answer = try await service.ask(
      "PUT /v1/activity\nIf-Match: \(tag)\n\n{\"activity\":[false,true]}")
    #expect(answer.status == 412)
    #expect(answer.code == "version-mismatch")
    #expect(try await service.version() == "4")
  }

  @Test("is refused where an array is not as long as the list")
  func activityMismatch() async throws {
    let (service, tag) = try await service()
    let answer = try await service.ask(
      "PUT /v1/activity\nIf-Match: \(tag)\n\n{\"activity\":[false]}")
    #expect(answer.status == 409)
    #expect(answer.code == "activity-mismatch")
  }

  private static let refused: [(String, Int, [String])] = [
    ("{}", 422, ["/activity"]), ("{\"activity\":null}", 422, ["/activity"]),
    ("{\"activity\":{\"x\":true},\"at\":1}", 422, ["/activity/x", "/at"]),
    ("{\"activity\":[1]}", 422, ["/activity/0"]),
    ("{\"activity\":{\"\(TestService.id(9))\":true}}", 404, []),
    ("7", 422, [""]),
  ]

  @Test("names its faults", arguments: refused)
  func isRefused(_ body: String, _ status: Int, _ pointers: [String]) async throws {
    let (service, _) = try await service()
    let answer = try await service.ask("PUT /v1/activity\n\n\(body)")
    #expect(answer.status == status)
    #expect(answer.pointers == pointers)
  }

  @Test("that turns nothing records nothing")
  func unchanged() async throws {
    let (service, tag) = try await service()
    for body in ["{}", "{\"\(a)\":true}", "[true,true]"] {
      let answer = try await service.ask(
        "PUT /v1/activity\nIf-Match: \(tag)\n\n{\"activity\":\(body)}")
      #expect(answer.status == 200)
      #expect(answer["/version"] == "3")
    }
  }
}
