import Testing

@testable import GoalsService

private let a = TestService.id(1)
private let missing = TestService.id(9)
private let key = "Idempotency-Key: 0a1b2c3d-0000-7000-8000-000000000001"

private let writes = Operation.edits.filter { $0 != .addGoal }.map(\.row.request)

private func service() async throws -> TestService {
  let service = try TestService()
  try await service.addGoals(2)
  return service
}

/// RFC 9110 §13.1.2: "the origin server MUST NOT perform the requested method if the condition
/// evaluates to false; instead, the origin server MUST respond with […] the 412 (Precondition
/// Failed) status code for all other request methods."
@Suite("If-None-Match of a write") struct NoneMatchTests {
  @Test("* stops it where the goal is there, and where the account is meant", arguments: writes)
  func any(_ write: String) async throws {
    let service = try await service()
    let present = try await service.ask("GET /v1/goals")
    let answer = try await service.ask(write.with("If-None-Match: *"))
    #expect(answer.status == 412)
    #expect(answer.code == "version-mismatch")
    #expect(answer.etag == present.etag)
    #expect(try await service.ask("GET /v1/goals").body == present.body)
    #expect(try await service.version() == "3")
  }

  @Test(
    "with a tag that still holds stops it, weak or not; with another it goes on", arguments: writes)
  func tag(_ write: String) async throws {
    let service = try await service()
    let tag = try #require(try await service.ask("GET /v1/goals").etag)
    for field in [tag, "W/\(tag)", "\"a\", \(tag)"] {
      let answer = try await service.ask(write.with("If-None-Match: \(field)"))
      #expect(answer.status == 412, "\(field)")
      #expect(answer.etag == tag)
    }
    #expect(try await service.version() == "3")
    let answer = try await service.ask(write.with("If-None-Match: \"a\", \"0.0~0\""))
    #expect((200...204).contains(answer.status))
    #expect(try await service.version() == "4")
  }

  @Test("* lets a goal be made, once")
  func made() async throws {
    let service = try await service()
    let put = "PUT /v1/goals/\(missing)\nIf-None-Match: *"
    #expect(try await service.ask("\(put)\n\(key)\n\n{\"title\":\"C\"}").status == 201)
    // Sent again with its key it is the same request; without, it is another.
    #expect(try await service.ask("\(put)\n\(key)\n\n{\"title\":\"C\"}").status == 201)
    for title in ["C", "D"] {
      #expect(try await service.ask("\(put)\n\n{\"title\":\"\(title)\"}").status == 412)
    }
    let post = "POST /v1/goals\nIf-None-Match: *\n\n{\"title\":\"E\"}"
    #expect(try await service.ask(post).status == 201)
    #expect(try await service.version() == "5")
  }

  @Test("is looked at where nothing would change, too, but not where the edit is refused")
  func idle() async throws {
    let service = try await service()
    let tag = try #require(try await service.ask("GET /v1/goals").etag)
    for field in ["*", tag] {
      let same = try await service.ask(
        "PATCH /v1/goals/\(a)\nIf-None-Match: \(field)\n\n{\"active\":true}")
      #expect(same.status == 412)
      // RFC 9110 §13.2.1: a server ignores conditions where the answer without them is no success.
      let gone = try await service.ask("DELETE /v1/goals/\(missing)\nIf-None-Match: \(field)")
      #expect(gone.status == 404)
      let below = try await service.ask(
        "POST /v1/goals/\(a)/bump\nIf-None-Match: \(field)\n\n{\"by\":-1}")
      #expect(below.code == "below-zero")
    }
    #expect(try await service.version() == "3")
  }

  @Test(
    "that is no entity tag, or empty, is refused", arguments: ["3.0", "", "*, \"a\"", "\"a b\""])
  func noTag(_ field: String) async throws {
    let answer = try await service().ask("POST /v1/goals/\(a)/bump\nIf-None-Match: \(field)")
    #expect(answer.status == 422)
    #expect(answer.pointers == ["/If-None-Match"])
  }

  @Test("names no list for an array")
  func array() async throws {
    let service = try await service()
    let array = try await service.ask(
      "PUT /v1/activity\nIf-None-Match: \"a\"\n\n{\"activity\":[true,false]}")
    #expect(array.status == 428)
    let tag = try #require(try await service.ask("GET /v1/goals").etag)
    let both = try await service.ask(
      "PUT /v1/activity\nIf-None-Match: \"a\"\nIf-Match: \(tag)\n\n{\"activity\":[true,false]}")
    #expect(both.status == 200)
    let failed = try await service.ask(
      "DELETE /v1/goals/\(a)\nIf-None-Match: \"a\"\nIf-Match: \(tag)")
    #expect(failed.status == 412)
  }
}

/// RFC 9110 §13.1.1: "If the field value is "*", the condition is false if the origin server does
/// not have a current representation for the target resource."
@Suite("If-Match: *") struct AnyMatchTests {
  @Test("stops a PUT that would make the goal, and lets one through that changes it")
  func put() async throws {
    let service = try await service()
    let body = "If-Match: *\n\n{\"title\":\"New\"}"
    let answer = try await service.ask("PUT /v1/goals/\(missing)\n\(body)")
    #expect(answer.status == 412)
    #expect(answer.code == "version-mismatch")
    #expect(try await service.version() == "3")
    #expect(try await service.ask("PUT /v1/goals/\(a)\n\(body)").status == 200)
  }

  @Test(
    "changes nothing of what is not found anyway",
    arguments: [
      "DELETE /v1/goals/\(missing)", "POST /v1/goals/\(missing)/bump", "GET /v1/goals/\(missing)",
    ])
  func notFound(_ request: String) async throws {
    #expect(try await service().ask("\(request)\nIf-Match: *").status == 404)
  }
}

@Suite("A condition of a read") struct ReadConditionTests {
  private static let reads = [
    "GET /v1/goals", "GET /v1/goals?active=true", "GET /v1/goals?version=1", "GET /v1/goals/\(a)",
    "GET /v1/goals/\(a)/history", "GET /v1/goals/\(a)/history.svg", "HEAD /v1/goals",
    "GET /", "GET /docs", "GET /openapi.yaml", "GET /v1/export.csv",
  ]

  /// The fields of a request, "=" in them being its tag, and what it is answered.
  private static let conditions: [([String], Int)] = [
    (["If-Match: ="], 200), (["If-Match: *"], 200), (["If-Match: \"a\", ="], 200),
    (["If-Match: \"a\"\nIf-Match: ="], 200),
    // Strong comparison: what is weak matches nothing.
    (["If-Match: W/="], 412), (["If-Match: \"a\""], 412), (["If-Match: "], 412),
    (["If-Match: a"], 412),
    (["If-None-Match: ="], 304), (["If-None-Match: W/="], 304), (["If-None-Match: *"], 304),
    (["If-None-Match: \"a,b\", W/\"c\", ="], 304), (["If-None-Match: \"a\""], 200),
    (["If-None-Match: "], 200),
    // RFC 9110 §13.2.2: If-Match first.
    (["If-Match: =", "If-None-Match: ="], 304), (["If-Match: \"a\"", "If-None-Match: ="], 412),
    (["If-Match: =", "If-None-Match: \"a\""], 200),
  ]

  @Test("holds as RFC 9110 §13 says", arguments: reads)
  func holds(_ read: String) async throws {
    let service = try await service()
    func ask(_ request: String) async throws -> Answer {
      guard request.hasPrefix("GET ") else { return try await service.ask(request) }
      return try await service.file(String(request.dropFirst(4)))
    }
    let plain = try await ask(read)
    let tag = try #require(plain.etag)
    for (fields, status) in Self.conditions {
      let lines = fields.map { "\n" + $0.replacing("=", with: tag) }.joined()
      let answer = try await ask(read + lines)
      #expect(answer.status == status, "\(lines)")
      #expect(answer.etag == tag)
      #expect(status != 200 || answer.body == plain.body)
      #expect(status != 304 || answer.body.isEmpty)
      #expect(status != 412 || read.hasPrefix("HEAD") || answer.code == "version-mismatch")
    }
  }
}
