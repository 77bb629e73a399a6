import GoalsCore
import HTTP
import Testing

@testable import GoalsService
@testable import GoalsStore

@Suite("A stream of changes") struct ChangesTests {
  private let bump = "POST /v1/goals/\(TestService.id(1))/bump"

  private func cursor(_ service: TestService) async throws -> String {
    try #require(try await service.ask("GET /v1/goals").string("/cursor"))
  }

  @Test("is an event stream that nobody keeps or holds back")
  func head() async throws {
    let service = try TestService()
    let listener = try await service.listen()
    #expect(listener.head.status == .ok)
    #expect(listener.head.fields.values(.contentType) == ["text/event-stream"])
    #expect(listener.head.fields.values("Cache-Control") == ["no-store"])
    #expect(listener.head.fields.values("X-Accel-Buffering") == ["no"])
  }

  @Test("starts now, where no position is said, and tells where that is")
  func start() async throws {
    let service = try TestService()
    try await service.addGoals(1)
    let listener = try await service.listen()
    #expect(await listener.next() == .init(data: "", id: try await cursor(service)))
    let answer = try await service.ask("\(bump)\n\n{\"note\":\"x\\ny\"}")
    #expect(answer.status == 200)
    let event = await listener.nextEvent()
    #expect(event?.type == "edit")
    #expect(event?.id == (try await cursor(service)))
    #expect(event?.data == (try await service.ask("GET /v1/edits")["/edits/2"]))
  }

  @Test("goes on from a position, with everything since, and then with what comes")
  func resume() async throws {
    let service = try TestService()
    let beginning = try await cursor(service)
    try await service.addGoals(5)
    for _ in 1...120 { _ = try await service.ask(bump) }
    let log = try await service.ask("GET /v1/edits?limit=1000").list("/edits", "/version")
    let listener = try await service.listen("GET /v1/changes?after=\(beginning)")
    #expect(await listener.next()?.id == beginning)
    for version in log {
      #expect(await listener.nextEvent()?.id?.hasPrefix("\(version).") == true)
    }
    _ = try await service.ask(bump)
    #expect(await listener.nextEvent()?.id == (try await cursor(service)))
  }

  @Test("goes on from Last-Event-ID, whatever the query says")
  func lastEventID() async throws {
    let service = try TestService()
    let beginning = try await cursor(service)
    try await service.addGoals(1)
    let head = try await cursor(service)
    let listener = try await service.listen(
      "GET /v1/changes?after=\(beginning)\nLast-Event-ID: \(head)")
    #expect(await listener.next()?.id == head)
    let third = try await service.listen("GET /v1/changes?after=x\nLast-Event-ID: \(head)")
    #expect(await third.next()?.id == head)
    let other = try await service.listen("GET /v1/changes?after=\(beginning)\nLast-Event-ID:")
    #expect(await other.next()?.id == beginning)
  }

  @Test("begins anew where the position is of another history")
  func diverged() async throws {
    let service = try TestService()
    try await service.addGoals(1)
    let listener = try await service.listen("GET /v1/changes?after=1.0123456789abcdef")
    #expect(
      await listener.next()
        == .init(type: "reset", data: "{}", id: try await cursor(service)))
    _ = try await service.ask(bump)
    #expect(await listener.nextEvent()?.type == "edit")
  }

  @Test(
    "is refused where the position is none",
    arguments: [
      "?after=x", "?since=0", "\nLast-Event-ID: x", "\nLast-Event-ID: a\nLast-Event-ID: b",
    ])
  func noPlace(_ rest: String) async throws {
    let answer = try await TestService().ask("GET /v1/changes\(rest)")
    #expect(answer.status == 422)
    #expect(answer.code == "invalid")
  }

  @Test("is one of several, of which some come and go between two edits", .timeLimit(.minutes(10)))
  func several() async throws {
    let service = try TestService()
    try await service.addGoals(1)
    var listeners: [Listener] = []
    for _ in 0..<3 {
      let listener = try await service.listen()
      #expect(await listener.next()?.data == "")
      listeners.append(listener)
      _ = try await service.ask(bump)
      for listener in listeners {
        #expect(await listener.nextEvent()?.id == (try await cursor(service)))
      }
    }
    listeners.removeFirst().leave()
    try await service.until("one is gone") { $0.rooms.values.first?.inOrder.count == 2 }
  }

  @Test("tells nothing of another account")
  func others() async throws {
    let service = try TestService()
    try await service.addGoals(1)
    let listener = try await service.listen(as: try service.stranger())
    #expect(await listener.next()?.data == "")
    _ = try await service.ask(bump)
    service.clock.advance(bySeconds: 15)
    #expect(await listener.next()?.comment == "")
  }

  @Test("tells of a batch's edits one by one")
  func batch() async throws {
    let service = try TestService()
    let listener = try await service.listen()
    try await service.addGoals(3)
    _ = await listener.next()
    for version in 1...4 {
      #expect(await listener.next()?.id?.hasPrefix("\(version).") == true)
    }
  }

  @Test("shows every 15 seconds that it lives")
  func heartbeat() async throws {
    let service = try TestService()
    let listener = try await service.listen()
    #expect(await listener.next()?.data == "")
    for _ in 1...3 {
      // The next beat is set after the last was told.
      service.hub.queue.sync {}
      service.clock.advance(bySeconds: 15)
      #expect(await listener.next() == .init(comment: ""))
    }
  }

  @Test("is cut off where its client reads nothing, and takes up no more")
  func slow() async throws {
    let service = try TestService()
    try await service.addGoals(1)
    let listener = try await service.listen(takesAll: false)
    let note = String(repeating: "n", count: 500)
    var bumps = 0
    while listener.isOpen {
      bumps += 1
      try #require(bumps < 1000)
      _ = try await service.ask("\(bump)\n\n{\"note\":\"\(note)\"}")
      service.hub.queue.sync {}
    }
    #expect(bumps > 100)
  }

  @Test("is cut off where its client leaves a page while more is recorded than the buffer holds")
  func slowPages() async throws {
    let service = try TestService()
    try await service.addGoals(1)
    let listener = try await service.listen(takesAll: false)
    for count in 1...3 {
      try await service.addBumps(900, from: 1000 * count)
      // An edit that is announced before a page is written does not count against the client.
      try await service.until("a page is written") { hub in
        hub.rooms.values.contains { $0.members.values.contains { $0.follower.isSending } }
      }
      #expect(listener.isOpen)
    }
    service.clock.advance(bySeconds: 1)
    try await service.addBumps(1, from: 9000)
    // A commit is answered before it is announced.
    try await service.until("it is cut off") { _ in !listener.isOpen }
  }

  @Test("tells a client that reads of a commit that is larger than its buffer")
  func long() async throws {
    let service = try TestService()
    try await service.addGoals(1)
    let listener = try await service.listen()
    _ = await listener.next()
    try await service.addBumps(900, from: 1000)
    for version in 3...902 {
      let event = try #require(await listener.next())
      #expect(event.id?.hasPrefix("\(version).") == true)
    }
    #expect(listener.isOpen)
  }

  @Test("ends with what let it in", arguments: ["token", "account", "expiry", "server"])
  func ends(_ what: String) async throws {
    let service = try TestService()
    try await service.addGoals(1)
    let token = try service.token(
      "read", expires: service.clock.now.adding(milliseconds: 3_600_000).description)
    let listener = try await service.listen(as: token.text)
    #expect(await listener.next()?.data == "")
    switch what {
    case "token": _ = service.administration.perform(.revokeToken(token.id))
    case "account": _ = service.administration.perform(.removeAccount(service.me.id))
    case "expiry": service.clock.advance(bySeconds: 3600)
    default: service.hub.close()
    }
    #expect(await listener.nextEvent() == nil)
  }
}
