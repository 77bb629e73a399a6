import Testing

@testable import GoalsService

@Suite("The account as it was at a version") struct PastAccountTests {
  private static let patches = [
    "{\"timeZone\":\"Asia/Tokyo\"}", "{\"weekStart\":\"sunday\",\"dayStart\":\"03:00\"}",
    "{\"timeZone\":\"Europe/Berlin\"}",
  ]

  @Test("has the calendar, the version and the cursor of then")
  func asThen() async throws {
    let service = try TestService()
    var then = [try await service.ask("GET /v1/account")]
    for patch in Self.patches {
      _ = try await service.ask("PATCH /v1/account\n\n\(patch)")
      then.append(try await service.ask("GET /v1/account"))
    }
    // Forwards and backwards: a state that is kept misleads nobody.
    for version in [0, 1, 2, 3, 3, 1, 0, 2] {
      let past = try await service.ask("GET /v1/account?version=\(version)")
      #expect(past.status == 200)
      for member in ["/id", "/name", "/timeZone", "/weekStart", "/dayStart", "/version", "/cursor"]
      {
        #expect(past[member] == then[version][member], "\(member) of version \(version)")
      }
      // What the log does not tell is as it is now.
      #expect(past["/timeZoneChosen"] == "true")
    }
  }

  @Test("goes on from its cursor, as the list of that version does")
  func cursor() async throws {
    let service = try TestService()
    try await service.addGoals(2)
    let account = try await service.ask("GET /v1/account?version=2")
    let list = try await service.ask("GET /v1/goals?version=2")
    #expect(account["/cursor"] == list["/cursor"])
  }

  @Test(
    "beyond the log, or of what is no version, is refused",
    arguments: ["4", "9223372036854775807", "9223372036854775808", "-1", "x", "", "1.0"])
  func refused(_ version: String) async throws {
    let service = try TestService()
    for patch in Self.patches { _ = try await service.ask("PATCH /v1/account\n\n\(patch)") }
    let answer = try await service.ask("GET /v1/account?version=\(version)")
    #expect(answer.status == 422)
    #expect(answer.code == "invalid")
    #expect(answer.pointers == ["/version"])
  }

  @Test("is the asker's own")
  func own() async throws {
    let service = try TestService()
    let stranger = try service.stranger()
    for patch in Self.patches { _ = try await service.ask("PATCH /v1/account\n\n\(patch)") }
    #expect(try await service.ask("GET /v1/account?version=3")["/version"] == "3")
    #expect(try await service.ask("GET /v1/account?version=3", as: stranger).status == 422)
    let start = try await service.ask("GET /v1/account?version=0", as: stranger)
    #expect(start.string("/timeZone") == "UTC")
  }
}
