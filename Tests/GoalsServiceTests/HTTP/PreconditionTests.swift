import Testing

@testable import GoalsService

private let a = TestService.id(1)
private let b = TestService.id(2)

private let writes =
  Operation.edits.map(\.row.request) + [
    "PUT /v1/goals/\(TestService.id(3))\n\n{\"title\":\"New\"}",
    "PATCH /v1/goals/\(a)\n\n{\"title\":\"New\",\"active\":false}",
  ]

@Suite("If-Match") struct PreconditionTests {
  private func service() async throws -> TestService {
    let service = try TestService()
    try await service.addGoals(2)
    return service
  }

  @Test("with the present ETag lets a write through", arguments: writes)
  func holds(_ write: String) async throws {
    let service = try await service()
    let tag = try #require(try await service.ask("GET /v1/goals").etag)
    let answer = try await service.ask(write.with("If-Match: \"other\", \(tag)"))
    #expect((200...204).contains(answer.status))
    #expect(try await service.version() != "3")
  }

  @Test("with an earlier ETag stops it, and says the present one", arguments: writes)
  func fails(_ write: String) async throws {
    let service = try await service()
    let tag = try #require(try await service.ask("GET /v1/goals").etag)
    _ = try await service.ask("POST /v1/goals/\(b)/bump")
    let present = try await service.ask("GET /v1/goals")
    for field in [
      tag, "W/\(present.etag ?? "")", "\"other\"", "\"\(tag.dropFirst().dropLast())x\"",
      "\",\", \"a,b\"",
    ] {
      let answer = try await service.ask(write.with("If-Match: \(field)"))
      #expect(answer.status == 412, "\(field)")
      #expect(answer.code == "version-mismatch")
      #expect(answer.etag == present.etag)
    }
    #expect(try await service.ask("GET /v1/goals").body == present.body)
  }

  @Test("that is no entity tag, or empty, is refused", arguments: writes)
  func noTag(_ write: String) async throws {
    let service = try await service()
    for field in ["3.00", "\"", "*, \"a\"", "w/\"a\"", "\"a b\"", "\"a\"b\"", ""] {
      let answer = try await service.ask(write.with("If-Match: \(field)"))
      #expect(answer.status == 422, "\(field)")
      #expect(answer.pointers == ["/If-Match"])
    }
    #expect(try await service.version() == "3")
  }

  @Test("of before midnight still holds")
  func midnight() async throws {
    let service = try await service()
    let tag = try #require(try await service.ask("GET /v1/goals").etag)
    service.clock.advance(bySeconds: 24 * 3600)
    #expect(try await service.ask("GET /v1/goals").etag != tag)
    let answer = try await service.ask("POST /v1/goals/\(a)/bump\nIf-Match: \(tag)")
    #expect(answer.status == 200)
  }

  @Test("of another history of as many edits does not hold")
  func otherHistory() async throws {
    let other = try TestService()
    for title in ["A", "B", "C"] {
      _ = try await other.ask("POST /v1/goals\n\n{\"title\":\"\(title)\"}")
    }
    let tag = try #require(try await other.ask("GET /v1/goals").etag)
    #expect(tag.hasPrefix("\"3."))
    let service = try await service()
    let answer = try await service.ask("POST /v1/goals/\(a)/bump\nIf-Match: \(tag)")
    #expect(answer.status == 412)
  }

  private static let idle: [(String, Int)] = [
    ("PUT /v1/goals/\(a)\n\n{\"title\":\"A\",\"frequency\":2}", 200),
    ("PATCH /v1/goals/\(a)\n\n{\"active\":true}", 200),
    ("POST /v1/goals/\(b)/move\n\n{\"before\":null}", 200),
    ("PATCH /v1/account\n\n{\"weekStart\":\"monday\"}", 200),
    ("DELETE /v1/goals/\(TestService.id(9))", 404),
    ("POST /v1/goals/\(a)/bump\n\n{\"by\":-1}", 409),
    ("POST /v1/edits/\(TestService.id(9))/undo", 404),
    ("PATCH /v1/goals/\(TestService.id(9))\n\n{\"title\":\"B\",\"active\":true}", 404),
  ]

  @Test("is looked at only where something would be recorded", arguments: idle)
  func isIdle(_ request: String, _ status: Int) async throws {
    let service = try await service()
    let answer = try await service.ask(request.with("If-Match: \"0.0~0\""))
    #expect(answer.status == status)
    #expect(try await service.version() == "3")
  }

  @Test("* asks for nothing")
  func any() async throws {
    let service = try await service()
    #expect(try await service.ask("POST /v1/goals/\(a)/bump\nIf-Match: *").status == 200)
  }
}

@Suite("A request that is sent again with its Idempotency-Key") struct RetryTests {
  private static let key = "0A1B2C3D-0000-7000-8000-000000000001"

  @Test("is answered like the first time, and recorded once", arguments: writes)
  func retry(_ write: String) async throws {
    let service = try TestService()
    try await service.addGoals(2)
    let request = write.with("Idempotency-Key: \(Self.key)")
    let first = try await service.ask(request)
    let version = try await service.version()
    // A retry may come late, and say what it has seen before.
    service.clock.advance(bySeconds: 60)
    let second = try await service.ask(request.with("If-Match: \"0.0~0\""))
    #expect((200...204).contains(first.status))
    #expect(second.status == first.status)
    #expect(second.field("Location") == first.field("Location"))
    #expect(second["/status"] == (first["/status"] == nil ? nil : "\"duplicate\""))
    #expect(first["/status"] != nil || second.body == first.body)
    #expect(try await service.version() == version)
    let log = try await service.ask("GET /v1/edits")
    #expect(log.list("/edits", "/id").contains(Self.key.lowercased()))
  }

  @Test("is shown the goal as it is now")
  func presentState() async throws {
    let service = try TestService()
    try await service.addGoals(1)
    let request = "POST /v1/goals/\(a)/bump\nIdempotency-Key: \(Self.key)"
    #expect(try await service.ask(request)["/progress"] == "1")
    _ = try await service.ask("POST /v1/goals/\(a)/bump\n\n{\"by\":4}")
    #expect(try await service.ask(request)["/progress"] == "5")
  }

  @Test(
    "does not find a goal that is gone since",
    arguments: [
      "POST /v1/goals/\(a)/bump\n\n{}", "PATCH /v1/goals/\(a)\n\n{\"title\":\"New\"}",
      "PUT /v1/goals/\(a)\n\n{\"title\":\"New\"}",
      "POST /v1/goals\n\n{\"id\":\"\(TestService.id(5))\",\"title\":\"New\"}",
    ])
  func goneSince(_ write: String) async throws {
    let service = try TestService()
    try await service.addGoals(1)
    let request = write.with("Idempotency-Key: \(Self.key)")
    #expect((200...201).contains(try await service.ask(request).status))
    for id in [a, TestService.id(5)] { _ = try await service.ask("DELETE /v1/goals/\(id)") }
    let answer = try await service.ask(request)
    #expect(answer.status == 404)
    #expect(answer.code == "unknown-goal")
  }

  @Test("makes both edits of a PATCH once, the second's id made of the first's")
  func patchOfTwo() async throws {
    let service = try TestService()
    try await service.addGoals(1)
    let request =
      "PATCH /v1/goals/\(a)\nIdempotency-Key: \(Self.key)\n\n{\"title\":\"New\",\"active\":false}"
    let first = try await service.ask(request)
    let second = try await service.ask(request)
    #expect(second.body == first.body)
    let log = try await service.ask("GET /v1/edits")
    #expect(log["/version"] == "4")
    let ids = log.list("/edits", "/id").suffix(2)
    // The second is a UUIDv8 of the SHA-256 of "goals/second-edit\n" and the first's sixteen bytes.
    #expect(ids == [Self.key.lowercased(), "fd8b0d1f-b9c7-8fc6-b321-5c31a3391b49"])
  }

  private static let halves: [(patch: String, other: String)] = [
    // The title is A already, and goal 1 is active already.
    ("{\"title\":\"A\",\"active\":false}", "{\"title\":\"Other\"}"),
    ("{\"title\":\"New\",\"active\":true}", "{\"active\":false}"),
  ]

  @Test("leaves alone what it did not change the first time", arguments: halves)
  func patchOfHalf(_ patch: String, _ other: String) async throws {
    let service = try TestService()
    try await service.addGoals(1)
    let tag = try #require(try await service.ask("GET /v1/goals").etag)
    let request = "PATCH /v1/goals/\(a)\nIdempotency-Key: \(Self.key)"
    #expect(try await service.ask("\(request)\nIf-Match: \(tag)\n\n\(patch)").status == 200)
    #expect(try await service.version() == "3")
    let present = try await service.ask("PATCH /v1/goals/\(a)\n\n\(other)")
    for field in ["", "\nIf-Match: \(tag)"] {
      let again = try await service.ask("\(request)\(field)\n\n\(patch)")
      #expect(again.status == 200)
      #expect(again.body == present.body)
    }
    #expect(try await service.version() == "4")
  }

  @Test("records neither edit of a PATCH where one of them is refused")
  func patchOfTwoRefused() async throws {
    let service = try TestService()
    try await service.addGoals(1)
    // The id that the second edit would have is taken.
    _ = try await service.ask(
      "POST /v1/goals/\(a)/bump\nIdempotency-Key: fd8b0d1f-b9c7-8fc6-b321-5c31a3391b49")
    let before = try await service.ask("GET /v1/goals")
    let answer = try await service.ask(
      "PATCH /v1/goals/\(a)\nIdempotency-Key: \(Self.key)\n\n{\"title\":\"New\",\"active\":false}")
    #expect(answer.status == 409)
    #expect(answer.code == "id-conflict")
    #expect(try await service.ask("GET /v1/goals").body == before.body)
  }

  @Test(
    "and other content is a conflict",
    arguments: [
      "POST /v1/goals/\(a)/bump\n\n{\"by\":2}", "POST /v1/goals/\(b)/bump\n\n{}",
      "DELETE /v1/goals/\(a)", "POST /v1/goals\n\n{\"title\":\"A\"}",
      "PUT /v1/goals/\(a)\n\n{\"title\":\"B\"}", "PATCH /v1/account\n\n{}",
      "POST /v1/goals/\(a)/bump\n\n{\"at\":\"2026-11-20T11:59:59Z\"}",
    ])
  func conflict(_ write: String) async throws {
    let service = try TestService()
    try await service.addGoals(2)
    let first = try await service.ask("POST /v1/goals/\(a)/bump\nIdempotency-Key: \(Self.key)")
    #expect(first.status == 200)
    let answer = try await service.ask(write.with("Idempotency-Key: \(Self.key)"))
    #expect(answer.status == 409)
    #expect(answer.code == "id-conflict")
    #expect(try await service.version() == "4")
  }

  @Test("is refused where that is no UUID, or there twice", arguments: writes)
  func noUUID(_ write: String) async throws {
    let service = try TestService()
    try await service.addGoals(2)
    let twice = "Idempotency-Key: \(Self.key)\nIdempotency-Key: \(Self.key)"
    for field in ["Idempotency-Key: 1", "Idempotency-Key:", twice] {
      let answer = try await service.ask(write.with(field))
      #expect(answer.status == 422)
      #expect(answer.pointers == ["/Idempotency-Key"])
    }
    #expect(try await service.version() == "3")
  }
}
