import GoalsCore
import Testing

@testable import GoalsService

@Suite("The end of a period") struct ElapseTests {
  /// 2026-11-20T12:00Z, a Friday.
  private func service(_ timeZone: String? = nil) async throws -> TestService {
    let service = try TestService(timeZone: timeZone)
    let goals = [("daily", 1), ("weekly", 2), ("monthly", 3)].map { interval, number in
      """
      {"id":"\(TestService.id(100 + number))","type":"add","goal":{"id":"\(TestService.id(number))",\
      "title":"\(interval)","interval":"\(interval)"}}
      """
    }
    _ = try await service.ask("POST /v1/edits\n\n{\"edits\":[\(goals.joined(separator: ","))]}")
    return service
  }

  private func activate(_ numbers: Int..., in service: TestService) async throws {
    let activity = numbers.map { "\"\(TestService.id($0))\":true" }.joined(separator: ",")
    let answer = try await service.ask("PUT /v1/activity\n\n{\"activity\":{\(activity)}}")
    #expect(answer.status == 200)
  }

  /// Moves the clock once the hub rests: what it told last was not the last that it did.
  private func set(_ service: TestService, _ instant: String) throws {
    service.hub.queue.sync {}
    service.clock.set(to: try #require(Instant(instant)))
  }

  private func goals(_ numbers: Int...) -> String {
    let ids = numbers.map { "\"\(TestService.id($0))\"" }.joined(separator: ",")
    return "{\"goals\":[\(ids)]}"
  }

  @Test("is told, with the active goals of that interval, and without a position")
  func told() async throws {
    let service = try await service()
    // Each is added first in the list.
    try await activate(1, 2, 3, in: service)
    let listener = try await service.listen()
    _ = await listener.next()
    try set(service, "2026-11-21T00:00:00Z")
    #expect(await listener.nextEvent() == .init(type: "elapse", data: goals(1)))
    try set(service, "2026-11-22T00:00:00Z")
    #expect(await listener.nextEvent() == .init(type: "elapse", data: goals(1)))
    try set(service, "2026-11-23T00:00:00Z")
    #expect(await listener.nextEvent() == .init(type: "elapse", data: goals(2, 1)))
    // Days that nobody was there to see end together.
    try set(service, "2026-12-02T09:00:00Z")
    #expect(await listener.nextEvent() == .init(type: "elapse", data: goals(3, 2, 1)))
  }

  @Test("is that of the account's zone and day start, also when they change")
  func zone() async throws {
    let service = try await service("Asia/Tokyo")
    try await activate(1, in: service)
    let listener = try await service.listen()
    _ = await listener.next()
    try set(service, "2026-11-20T14:59:59Z")
    try set(service, "2026-11-20T15:00:00Z")
    #expect(await listener.nextEvent()?.type == "elapse")
    _ = try await service.ask("PATCH /v1/account\n\n{\"dayStart\":\"03:00\"}")
    #expect(await listener.nextEvent()?.type == "edit")
    // The day began anew by the change: it is still the 20th, until 3 in the morning.
    try set(service, "2026-11-20T17:00:00Z")
    service.hub.queue.sync {}
    try set(service, "2026-11-20T18:00:00Z")
    #expect(await listener.nextEvent() == .init(type: "elapse", data: goals(1)))
  }

  @Test("is told anew where the clock was ahead and was set back")
  func setBack() async throws {
    let service = try await service()
    try await activate(1, in: service)
    let listener = try await service.listen()
    _ = await listener.next()
    try set(service, "2026-11-25T12:00:00Z")
    #expect(await listener.nextEvent()?.type == "elapse")
    try set(service, "2026-11-20T12:00:10Z")
    service.clock.advance(bySeconds: 15)
    service.hub.queue.sync {}
    try set(service, "2026-11-21T00:00:00Z")
    #expect(await listener.nextEvent() == .init(type: "elapse", data: goals(1)))
  }

  @Test("is told to nobody where no goal is active")
  func inactive() async throws {
    let service = try await service()
    try await activate(2, in: service)
    let listener = try await service.listen()
    _ = await listener.next()
    try set(service, "2026-11-21T00:00:00Z")
    service.hub.queue.sync {}
    try set(service, "2026-11-23T00:00:00Z")
    #expect(await listener.nextEvent() == .init(type: "elapse", data: goals(2)))
  }
}

@Suite("A request that waits for an edit") struct WaitTests {
  private let bump = "POST /v1/goals/\(TestService.id(1))/bump"

  @Test("is answered at once where there is one, and where the position is of another history")
  func atOnce() async throws {
    let service = try TestService()
    try await service.addGoals(1)
    let answer = try await service.ask("GET /v1/edits?wait=30")
    #expect(answer.list("/edits", "/version") == ["1", "2"])
    #expect(try await service.ask("GET /v1/edits?wait=30&after=1.0123456789abcdef").status == 410)
  }

  @Test("is answered when there is one")
  func held() async throws {
    let service = try TestService()
    try await service.addGoals(1)
    let head = try #require(try await service.ask("GET /v1/goals").string("/cursor"))
    async let waiting = service.ask("GET /v1/edits?wait=30&after=\(head)")
    try await service.untilSomebodyWaits()
    _ = try await service.ask(bump)
    #expect(try await waiting.list("/edits", "/version") == ["3"])
  }

  @Test(
    "is answered with nothing when its time is over, or the server stops", arguments: [true, false])
  func timeout(_ stops: Bool) async throws {
    let service = try TestService()
    async let waiting = service.ask("GET /v1/edits?wait=5")
    try await service.untilSomebodyWaits()
    if stops { service.hub.close() } else { service.clock.advance(bySeconds: 5) }
    let answer = try await waiting
    #expect(answer.status == 200)
    #expect(answer["/edits"] == "[]")
  }

  @Test("is answered in time whatever the clock is set to meanwhile")
  func clockSetBack() async throws {
    let service = try TestService()
    async let waiting = service.ask("GET /v1/edits?wait=5")
    try await service.untilSomebodyWaits()
    service.clock.set(to: service.clock.now.adding(milliseconds: -3_600_000))
    service.clock.advance(bySeconds: 5)
    #expect(try await waiting["/edits"] == "[]")
  }

  @Test("is refused when its token expires")
  func expired() async throws {
    let service = try TestService()
    let token = try service.token(
      "read", expires: service.clock.now.adding(milliseconds: 2000).description)
    async let waiting = service.ask("GET /v1/edits?wait=30", as: token.text)
    try await service.untilSomebodyWaits()
    service.clock.advance(bySeconds: 2)
    #expect(try await waiting.status == 401)
  }

  @Test("is refused when its token is revoked")
  func revoked() async throws {
    let service = try TestService()
    let token = try service.token("read")
    async let waiting = service.ask("GET /v1/edits?wait=5", as: token.text)
    try await service.untilSomebodyWaits()
    _ = service.administration.perform(.revokeToken(token.id))
    #expect(try await waiting.status == 401)
  }

  @Test("waits 1 to 30 seconds", arguments: ["0", "31", "1.5", "", "-1", "x"])
  func limits(_ wait: String) async throws {
    let answer = try await TestService().ask("GET /v1/edits?wait=\(wait)")
    #expect(answer.status == 422)
    #expect(answer["/errors/0/pointer"] == "\"/wait\"")
  }
}

extension TestService {
  fileprivate func untilSomebodyWaits() async throws {
    try await until("somebody waits") { hub in
      hub.rooms.values.contains { !$0.waiters.isEmpty }
    }
  }
}
