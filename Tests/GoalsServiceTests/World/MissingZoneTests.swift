import GoalsCore
import HTTP
import Testing

@testable import GoalsService

private let goal = TestService.id(1)

private let lookups: [ZoneLookup] = [.unknown, .unavailable]
private let bump = "{\"id\":\"\(TestService.id(50))\",\"type\":\"bump\",\"goal\":\"\(goal)\"}"
private let retitle = """
  {"id":"\(TestService.id(51))","type":"alter","goal":"\(goal)","changes":{"title":"New"}}
  """

@Suite("An account whose zone can't be had") struct MissingZoneTests {
  private let tokyo = Tokyo()

  /// It is 2026-11-20 in the account's zone, with a goal that was counted once.
  private func service() async throws -> TestService {
    let service = try TestService(timeZone: "Asia/Tokyo", tokyo: tokyo)
    try await service.addGoals(1)
    #expect(try await service.ask("POST /v1/goals/\(goal)/bump").status == 200)
    return service
  }

  private static let needing = [
    "GET /v1/goals", "GET /v1/goals?version=1", "GET /v1/goals/\(goal)",
    "GET /v1/goals/\(goal)/history", "GET /v1/goals/\(goal)/history.svg",
    "POST /v1/goals/\(goal)/bump", "POST /v1/goals/\(goal)/skip",
    "POST /v1/goals\n\n{\"title\":\"B\"}", "PATCH /v1/goals/\(goal)\n\n{\"title\":\"B\"}",
    "PUT /v1/activity\n\n{\"activity\":{\"\(goal)\":false}}",
    "POST /v1/edits\n\n{\"edits\":[\(retitle),\(bump)]}",
    "POST /v1/edits?dryRun=true\n\n{\"edits\":[\(bump)]}",
    "POST /v1/edits\n\n{\"atomic\":true,\"edits\":[\(bump),\(retitle)]}",
    "POST /v1/sync\n\n{\"edits\":[\(retitle),\(bump)]}",
  ]

  @Test(
    "is answered 503 where that is needed, and nothing is recorded", arguments: needing, lookups)
  func refused(_ request: String, _ lookup: ZoneLookup) async throws {
    let service = try await service()
    let before = try await service.ask("GET /v1/edits").body
    // What was listed before holds until the day ends.
    service.clock.set(to: try #require(Instant("2026-11-20T18:00:00Z")))
    tokyo.become(lookup)
    let answer = try await service.ask(request)
    #expect(answer.status == 503)
    #expect(answer.code == "store-unavailable")
    #expect(answer.field("Retry-After") == "1")
    #expect(try await service.ask("GET /v1/edits").body == before)
    tokyo.become(nil)
    #expect(try await service.ask(request).status / 100 == 2)
  }

  private static let notNeeding = [
    "GET /v1/account", "GET /v1/edits", "PATCH /v1/account\n\n{\"weekStart\":\"sunday\"}",
    "DELETE /v1/goals/\(goal)", "POST /v1/edits\n\n{\"edits\":[\(retitle)]}",
    "POST /v1/sync\n\n{\"edits\":[\(retitle)]}", "POST /v1/edits/\(TestService.id(100))/undo",
  ]

  @Test("is served in all else", arguments: notNeeding, lookups)
  func served(_ request: String, _ lookup: ZoneLookup) async throws {
    let service = try await service()
    tokyo.become(lookup)
    #expect(try await service.ask(request).status / 100 == 2)
  }

  @Test("is exported, in a file without a day in its name", arguments: ["ndjson", "csv"])
  func exported(_ suffix: String) async throws {
    let service = try await service()
    tokyo.become(.unavailable)
    let file = try await service.file(suffix == "csv" ? "/v1/export.csv" : "/v1/export")
    #expect(file.field("Content-Disposition") == "attachment; filename=\"goals.\(suffix)\"")
  }

  @Test("can leave it", arguments: lookups)
  func leaving(_ lookup: ZoneLookup) async throws {
    let service = try await service()
    tokyo.become(lookup)
    let moved = try await service.ask("PATCH /v1/account\n\n{\"timeZone\":\"Europe/Berlin\"}")
    #expect(moved.string("/timeZone") == "Europe/Berlin")
    #expect(try await service.ask("POST /v1/goals/\(goal)/bump").status == 200)
  }

  @Test("counts on its own days once it can be had", arguments: lookups)
  func back(_ lookup: ZoneLookup) async throws {
    let service = try await service()
    service.clock.set(to: try #require(Instant("2026-11-20T18:00:00Z")))
    tokyo.become(lookup)
    #expect(try await service.ask("POST /v1/goals/\(goal)/bump").status == 503)
    tokyo.become(nil)
    #expect(try await service.ask("POST /v1/goals/\(goal)/bump").status == 200)
    let days = try await service.ask("GET /v1/edits").list("/edits", "/day")
    #expect(days.last == "2026-11-21")
  }

  @Test("hears of the end of a day later")
  func elapse() async throws {
    let service = try await service()
    let listener = try await service.listen()
    _ = await listener.next()
    tokyo.become(.unavailable)
    service.clock.set(to: try #require(Instant("2026-11-20T15:00:00Z")))
    service.hub.queue.sync {}
    // However often the clock is looked at meanwhile, the zone is asked for after a minute.
    tokyo.become(nil)
    service.clock.advance(bySeconds: 60)
    #expect(
      await listener.nextEvent() == .init(type: "elapse", data: "{\"goals\":[\"\(goal)\"]}"))
  }
}

@Suite("A zone that can't be read") struct UnreadableZoneTests {
  private let tokyo = Tokyo()

  @Test("is not said to be unknown")
  func configure() async throws {
    let service = try TestService(tokyo: tokyo)
    for (lookup, status) in [(ZoneLookup.unavailable, 503), (.unknown, 422), (nil, 200)] {
      tokyo.become(lookup)
      let answer = try await service.ask("PATCH /v1/account\n\n{\"timeZone\":\"Asia/Tokyo\"}")
      #expect(answer.status == status)
      #expect(
        answer.code == [503: "store-unavailable", 422: "unknown-time-zone"][status])
    }
  }

  @Test("is no new account's")
  func signUp() async throws {
    let service = try TestService(policy: .signUpOpen, tokyo: tokyo)
    tokyo.become(.unavailable)
    let body = "{\"name\":\"Ann\",\"timeZone\":\"Asia/Tokyo\"}"
    let answer = try await service.ask("POST /v1/accounts\n\n\(body)", as: nil)
    #expect(answer.code == "store-unavailable")
    #expect(
      service.administration.perform(.addAccount(name: "Ann", timeZone: "Asia/Tokyo"))
        == .failed("The time zone Asia/Tokyo can't be read at the moment."))
    #expect(try service.store.book.accounts().count == 1)
    tokyo.become(.unknown)
    let unknown = try await service.ask("POST /v1/accounts\n\n\(body)", as: nil)
    #expect(unknown.pointers == ["/timeZone"])
  }

  @Test("is in no history that is taken in")
  func imported() async throws {
    let service = try TestService(tokyo: tokyo)
    for zone in ["Europe/Berlin", "Asia/Tokyo", "UTC"] {
      _ = try await service.ask("PATCH /v1/account\n\n{\"timeZone\":\"\(zone)\"}")
    }
    let export = try await service.file("/v1/export").body
    let other = try service.stranger()
    tokyo.become(.unknown)
    let unknown = try await service.ask(
      "POST /v1/import\n\n\(export)", as: other, type: "application/x-ndjson")
    #expect(unknown.status == 422)
    #expect(
      unknown.string("/detail")
        == "Line 3: this server has no time zone Asia/Tokyo. Nothing was imported.")
    #expect(unknown.pointers == ["/3"])
    tokyo.become(.unavailable)
    let unavailable = try await service.ask(
      "POST /v1/import\n\n\(export)", as: other, type: "application/x-ndjson")
    #expect(unavailable.code == "store-unavailable")
    tokyo.become(nil)
    let taken = try await service.ask(
      "POST /v1/import\n\n\(export)", as: other, type: "application/x-ndjson")
    #expect(taken.status == 201)
  }
}
