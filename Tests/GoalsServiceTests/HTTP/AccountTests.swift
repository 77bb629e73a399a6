import Testing

@testable import GoalsService

private let a = TestService.id(1)

@Suite("The account") struct AccountTests {
  @Test("reads as it was made")
  func reads() async throws {
    let service = try TestService(timeZone: "Europe/Berlin")
    let answer = try await service.ask("GET /v1/account")
    let cursor = try await service.ask("GET /v1/goals").string("/cursor")
    #expect(answer.status == 200)
    #expect(
      answer.body == """
        {"id":"\(service.me.id)","name":"me","timeZone":"Europe/Berlin","timeZoneChosen":true,"weekStart":"monday",\
        "dayStart":"00:00","version":0,"cursor":"\(cursor ?? "")",\
        "createdAt":"2026-11-20T12:00:00.000Z"}
        """)
  }

  private static let patches: [(String, [String], String)] = [
    ("{}", ["UTC", "monday", "00:00"], "0"),
    ("{\"timeZone\":\"Asia/Tokyo\"}", ["Asia/Tokyo", "monday", "00:00"], "1"),
    ("{\"weekStart\":\"sunday\",\"dayStart\":\"03:00\"}", ["UTC", "sunday", "03:00"], "1"),
    ("{\"timeZone\":null,\"weekStart\":null,\"dayStart\":null}", ["UTC", "monday", "00:00"], "0"),
    (
      "{\"name\":\"me\",\"version\":0,\"createdAt\":\"2026-11-20T13:00:00+01:00\"}",
      ["UTC", "monday", "00:00"], "0"
    ),
  ]

  @Test("has its calendar changed by a merge patch", arguments: patches)
  func isPatched(_ patch: String, _ settings: [String], _ version: String) async throws {
    let service = try TestService()
    let answer = try await service.ask(
      "PATCH /v1/account\n\n\(patch)", type: "application/merge-patch+json")
    #expect(answer.status == 200)
    #expect(
      ["/timeZone", "/weekStart", "/dayStart"].map { answer.string($0) ?? "-" } == settings)
    #expect(answer["/version"] == version)
    #expect(try await service.ask("GET /v1/account").body == answer.body)
  }

  @Test("is sent back as it was read, with other settings")
  func isSentBack() async throws {
    let service = try TestService()
    let read = try await service.ask("GET /v1/account").body
    let patch = read.replacing("\"monday\"", with: "\"sunday\"")
    let key = "PATCH /v1/account\nIdempotency-Key: \(TestService.id(500))\n\n"
    let answer = try await service.ask(key + patch)
    #expect(answer.status == 200 && answer.string("/weekStart") == "sunday")
    // A retry repeats the version from before.
    let again = try await service.ask(key + patch)
    #expect(again.status == 200 && again.body == answer.body)
    #expect(try await service.version() == "1")
  }

  private static let others: [(String, [String])] = [
    ("{\"name\":\"x\"}", ["/name"]), ("{\"name\":null}", ["/name"]),
    ("{\"id\":\"00000000-0000-0000-0000-000000000001\"}", ["/id"]), ("{\"id\":1}", ["/id"]),
    ("{\"version\":1,\"weekStart\":\"sunday\"}", ["/version"]),
    ("{\"cursor\":\"0.0000000000000000\"}", ["/cursor"]),
    ("{\"createdAt\":\"2026-11-20T12:00:00.001Z\"}", ["/createdAt"]),
    ("{\"name\":\"x\",\"version\":7,\"weekStart\":\"sunday\"}", ["/name", "/version"]),
  ]

  @Test("has no other fields changed by a patch, which says so", arguments: others)
  func keepsOthers(_ patch: String, _ pointers: [String]) async throws {
    let service = try TestService()
    let answer = try await service.ask("PATCH /v1/account\n\n\(patch)")
    #expect(answer.status == 422 && answer.code == "invalid")
    #expect(answer.pointers == pointers)
    #expect(try await service.version() == "0")
  }

  @Test("goes back to its defaults by null")
  func defaults() async throws {
    let service = try TestService(timeZone: "Europe/Berlin")
    _ = try await service.ask("PATCH /v1/account\n\n{\"dayStart\":\"03:00\"}")
    let answer = try await service.ask("PATCH /v1/account\n\n{\"timeZone\":null,\"dayStart\":null}")
    #expect(answer.string("/timeZone") == "UTC")
    #expect(answer.string("/dayStart") == "00:00")
    #expect(answer["/version"] == "2")
  }

  private static let refused: [(String, Int, String, [String])] = [
    ("{\"timeZone\":\"Mars/Olympus\"}", 422, "unknown-time-zone", ["/timeZone"]),
    ("{\"timeZone\":\"../../etc/passwd\"}", 422, "unknown-time-zone", ["/timeZone"]),
    ("{\"timeZone\":\"\"}", 422, "unknown-time-zone", ["/timeZone"]),
    (
      "{\"timeZone\":1,\"weekStart\":\"Monday\",\"dayStart\":\"12:01\",\"zone\":1}", 422, "invalid",
      ["/timeZone", "/weekStart", "/dayStart", "/zone"]
    ),
    ("{\"timeZone\":\"Mars/Olympus\",\"zone\":1}", 422, "invalid", ["/zone", "/timeZone"]),
    ("{\"timeZone\":\"../x\",\"name\":\"x\"}", 422, "invalid", ["/timeZone", "/name"]),
    ("{\"timeZone\":\"Mars/Olympus\",\"name\":\"x\"}", 422, "invalid", ["/timeZone", "/name"]),
    (
      "{\"dayStart\":\"12:01\",\"timeZone\":\"Mars/X\",\"version\":7,\"zone\":1}", 422, "invalid",
      ["/dayStart", "/zone", "/timeZone", "/version"]
    ),
    ("{\"weekStart\":1,\"name\":\"x\"}", 422, "invalid", ["/weekStart", "/name"]),
    ("[]", 422, "invalid", [""]),
  ]

  @Test("refuses what no calendar has", arguments: refused)
  func isRefused(_ patch: String, _ status: Int, _ code: String, _ pointers: [String]) async throws
  {
    let service = try TestService()
    let answer = try await service.ask("PATCH /v1/account\n\n\(patch)")
    #expect(answer.status == status)
    #expect(answer.code == code)
    #expect(answer.pointers == pointers)
    #expect(try await service.version() == "0")
  }

  @Test("decides by its zone and day start which day it is")
  func today() async throws {
    let service = try TestService()
    try await service.addGoals(1)
    // In Auckland it is 01:00 of the next day.
    let bumps = [
      "{\"timeZone\":\"Pacific/Auckland\"}", "{\"dayStart\":\"02:00\"}",
      "{\"timeZone\":\"America/New_York\",\"dayStart\":\"07:01\"}",
    ]
    for patch in bumps {
      _ = try await service.ask("PATCH /v1/account\n\n\(patch)")
      _ = try await service.ask("POST /v1/goals/\(a)/bump")
    }
    let log = try await service.ask("GET /v1/edits")
    #expect(
      log.list("/edits", "/day").filter { $0 != "-" } == ["2026-11-21", "2026-11-20", "2026-11-19"])
  }
}

@Suite("Another account") struct IsolationTests {
  @Test("may use the same ids, and sees nothing of this one")
  func sameIDs() async throws {
    let service = try TestService()
    try await service.addGoals(2)
    let stranger = try service.stranger()
    let before = try await service.ask("GET /v1/goals")
    let add = "PUT /v1/goals/\(a)\nIdempotency-Key: \(TestService.id(100))\n\n{\"title\":\"S\"}"
    let answer = try await service.ask(add, as: stranger)
    #expect(answer.status == 201)
    #expect(try await service.ask("GET /v1/goals", as: stranger).list("/goals", "/title") == ["S"])
    #expect(try await service.ask("GET /v1/edits", as: stranger)["/version"] == "1")
    #expect(try await service.ask("GET /v1/goals").body == before.body)
  }
}
