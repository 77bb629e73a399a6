import Testing

@testable import GoalsService

private let a = TestService.id(1)
private let b = TestService.id(2)

@Suite("The list as it was at a version") struct PastListTests {
  /// Two goals, made in three edits at noon, then one a day.
  private func service() async throws -> TestService {
    let service = try TestService()
    try await service.addGoals(2)
    for request in [
      "POST /v1/goals/\(a)/bump", "POST /v1/goals/\(a)/bump", "DELETE /v1/goals/\(b)",
    ] {
      service.clock.advance(bySeconds: 86_400)
      _ = try await service.ask(request)
    }
    return service
  }

  @Test("reads as it did then, with the progress of then")
  func asThen() async throws {
    let service = try TestService()
    try await service.addGoals(2)
    var then: [String] = []
    for request in [
      "POST /v1/goals/\(a)/bump", "POST /v1/goals/\(a)/bump", "DELETE /v1/goals/\(b)",
      "PATCH /v1/account\n\n{\"timeZone\":\"Asia/Tokyo\"}", "POST /v1/goals\n\n{\"title\":\"C\"}",
    ] {
      service.clock.advance(bySeconds: 86_400)
      _ = try await service.ask(request)
      then.append(try await service.ask("GET /v1/goals").body)
    }
    service.clock.advance(bySeconds: 40 * 86_400)
    // Forwards and backwards: a state that is kept misleads nobody.
    for version in [4, 5, 6, 7, 8, 8, 6, 4, 7, 5] {
      let past = try await service.ask("GET /v1/goals?version=\(version)")
      #expect(past.status == 200)
      #expect(past.body == then[version - 4], "version \(version)")
    }
  }

  @Test("at 0 is the empty list, with the cursor of the log's start")
  func zero() async throws {
    let service = try await service()
    let start = try await service.ask("GET /v1/edits?limit=1")
    let answer = try await service.ask("GET /v1/goals?version=0")
    #expect(answer["/version"] == "0")
    #expect(answer["/goals"] == "[]")
    let cursor = try #require(answer.string("/cursor"))
    #expect(try await service.ask("GET /v1/edits?after=\(cursor)&limit=1").body == start.body)
  }

  @Test("can be followed from its cursor on")
  func follows() async throws {
    let service = try await service()
    let cursor = try #require(try await service.ask("GET /v1/goals?version=4").string("/cursor"))
    let page = try await service.ask("GET /v1/edits?after=\(cursor)")
    #expect(page.list("/edits", "/version") == ["5", "6"])
  }

  @Test("is filtered as the present one is")
  func filtered() async throws {
    let service = try await service()
    for (query, titles) in [
      ("version=2&active=true", []), ("version=2&active=false", ["A", "B"]),
      ("active=true&version=3", ["A", "B"]),
    ] {
      #expect(try await service.ask("GET /v1/goals?\(query)").list("/goals", "/title") == titles)
    }
  }

  @Test("has a tag of its own, by which it is not sent again and a write compares the version")
  func tag() async throws {
    let service = try await service()
    let present = try await service.ask("GET /v1/goals")
    let past = try await service.ask("GET /v1/goals?version=6")
    let tag = try #require(past.etag)
    #expect(tag != present.etag)
    let again = try await service.ask("GET /v1/goals?version=6\nIf-None-Match: \(tag)")
    #expect(again.status == 304)
    let old = try #require(try await service.ask("GET /v1/goals?version=5").etag)
    let bump = "POST /v1/goals/\(a)/bump\nIf-Match: "
    #expect(try await service.ask(bump + old).status == 412)
    #expect(try await service.ask(bump + tag).status == 200)
  }

  @Test(
    "beyond the log, or of what is no version, is refused",
    arguments: [
      "7", "99999999", "9223372036854775807", "9223372036854775808", "-1", "x", "", "1.0",
    ])
  func refused(_ version: String) async throws {
    let service = try await service()
    let answer = try await service.ask("GET /v1/goals?version=\(version)")
    #expect(answer.status == 422)
    #expect(answer.code == "invalid")
    #expect(answer.pointers == ["/version"])
  }

  @Test("is an account's own")
  func own() async throws {
    let service = try await service()
    let stranger = try service.stranger()
    _ = try await service.ask("GET /v1/goals?version=4")
    #expect(try await service.ask("GET /v1/goals?version=4", as: stranger).status == 422)
    #expect(try await service.ask("GET /v1/goals?version=0", as: stranger)["/goals"] == "[]")
  }
}
