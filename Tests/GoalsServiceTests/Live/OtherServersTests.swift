import GoalsCore
import TestSupport
import Testing

@testable import GoalsService
@testable import GoalsStore

@Suite("Servers that share a log", .timeLimit(.minutes(5)))
struct OtherServersTests {
  private let one: TestService
  private let other: TestService
  private let watch: OtherServers
  private let bump = "POST /v1/goals/\(TestService.id(1))/bump"

  init() throws {
    one = try TestService(isLogShared: true)
    other = try TestService(beside: one)
    let access = Access(
      store: other.store, world: other.world, authenticator: other.authenticator)
    watch = try #require(OtherServers(access, other.hub))
  }

  /// Lets the time of twenty looks pass while `body` runs, which is over before them. No stream is
  /// told of anything else in that time, and no request that waits is answered.
  private func passing<Value: Sendable>(
    _ body: @Sendable () async throws -> Value
  ) async rethrows
    -> Value
  {
    let clock = one.clock
    let ticking = Task {
      for _ in 0..<20 {
        while !clock.advance(toCallWithin: OtherServers.interval) {
          try await Task.sleep(for: .milliseconds(1))
        }
      }
    }
    defer { ticking.cancel() }
    return try await body()
  }

  private func cursor(_ service: TestService) async throws -> String {
    try #require(try await service.ask("GET /v1/goals").string("/cursor"))
  }

  @Test("tell the followers of each what the others record, once and in order")
  func streams() async throws {
    try await one.addGoals(1)
    watch.start()
    let listener = try await other.listen()
    #expect(await listener.next()?.id == (try await cursor(one)))
    for count in 1...3 {
      for server in [one, other, one] { #expect(try await server.ask(bump).status == 200) }
      for place in 1...3 {
        let event = await passing { await listener.nextEvent() }
        #expect(event?.id?.hasPrefix("\(3 * count + place - 1).") == true)
      }
    }
    watch.stop()
  }

  @Test("answer a request that waits when another records an edit")
  func longPoll() async throws {
    try await one.addGoals(1)
    watch.start()
    let (other, bump) = (other, bump)
    let after = try await cursor(other)
    let waiting = Task { try await other.ask("GET /v1/edits?after=\(after)&wait=30") }
    await until { !other.hub.followedAccounts.isEmpty }
    #expect(try await one.ask(bump).status == 200)
    let answer = try await passing { try await waiting.value }
    #expect(answer.list("/edits", "/version") == ["3"])
    watch.stop()
  }

  @Test(
    "go on where another gives an empty account its first edits, and end the stream where it gives it a log of another history",
    arguments: [false, true])
  func firstEdits(_ isImport: Bool) async throws {
    watch.start()
    let listener = try await other.listen()
    #expect(await listener.next()?.id == (try await cursor(one)))
    try await other.until("the log was read") { hub in
      hub.rooms.values.contains { $0.members.values.contains { $0.follower.isLive } }
    }
    if isImport {
      let source = try TestService(timeZone: "Asia/Tokyo")
      try await source.addGoals(1)
      let export = try await source.file("/v1/export").body
      let taken = try await one.ask(
        "POST /v1/import\n\n\(export)", type: "application/x-ndjson")
      #expect(taken.status == 201)
    } else {
      try await one.addGoals(1)
    }
    let event = await passing { await listener.nextEvent() }
    #expect(event?.type == (isImport ? nil : "edit"))
    watch.stop()
  }

  @Test("end the streams and answer the requests that wait where the log has lost what they know")
  func lost() async throws {
    try await one.addGoals(1)
    let isLost = Locked(false)
    let me = try #require(Account.ID(one.me.id))
    let first = try #require(try one.store.log.page(me, .none, 0)?.chainBefore)
    let server = try TestService(beside: one) { store in
      let others = store.others
      return store.with(
        others: others.map { others in
          Store.Others(
            presentState: others.presentState,
            heads: { accounts throws(StoreError) in
              guard isLost.value else { return try others.heads(accounts) }
              return [accounts[0]: Head(version: .none, chain: first)]
            }, ended: others.ended, listen: others.listen)
        })
    }
    let access = Access(
      store: server.store, world: server.world, authenticator: server.authenticator)
    let watch = try #require(OtherServers(access, server.hub))
    watch.start()
    let listener = try await server.listen()
    _ = await listener.next()
    let after = try await cursor(server)
    let waiting = Task { try await server.ask("GET /v1/edits?after=\(after)&wait=30") }
    try await server.until("both are there") { hub in
      hub.rooms.values.contains { !$0.members.isEmpty && !$0.waiters.isEmpty }
    }
    isLost.change { $0 = true }
    #expect(await passing { await listener.nextEvent() } == nil)
    _ = try await passing { try await waiting.value }
    watch.stop()
  }

  @Test("shut out whom another has shut out, and end its streams")
  func revoked() async throws {
    watch.start()
    let phone = try await one.ask(
      "POST /v1/tokens\n\n{\"name\":\"phone\",\"scope\":\"write\"}")
    let (token, id) = (try #require(phone.string("/token")), try #require(phone.string("/id")))
    #expect(try await other.ask("GET /v1/goals", as: token).status == 200)
    let listener = try await other.listen(as: token)
    _ = await listener.next()
    #expect(try await one.ask("DELETE /v1/tokens/\(id)").status == 204)
    #expect(await passing { await listener.nextEvent() } == nil)
    #expect(try await other.ask("GET /v1/goals", as: token).status == 401)
    #expect(try await other.ask("GET /v1/goals").status == 200)
    watch.stop()
  }

  @Test("tell nobody of their own edits either who was shut out while they heard nothing")
  func deafStreams() async throws {
    try await one.addGoals(1)
    let phone = try await one.ask(
      "POST /v1/tokens\n\n{\"name\":\"phone\",\"scope\":\"write\"}")
    let (token, id) = (try #require(phone.string("/token")), try #require(phone.string("/id")))
    let (shutOut, kept) = (try await other.listen(as: token), try await other.listen())
    for listener in [shutOut, kept] { _ = await listener.next() }
    #expect(try await one.ask("DELETE /v1/tokens/\(id)").status == 204)
    one.clock.advance(bySeconds: 3)
    #expect(try await other.ask(bump).status == 200)
    #expect(await kept.nextEvent()?.type == "edit")
    #expect(await shutOut.nextEvent() == nil)
  }

  @Test("let nobody in from memory while they hear nothing of each other")
  func deaf() async throws {
    let phone = try await one.ask(
      "POST /v1/tokens\n\n{\"name\":\"phone\",\"scope\":\"write\"}")
    let (token, id) = (try #require(phone.string("/token")), try #require(phone.string("/id")))
    #expect(try await other.ask("GET /v1/goals", as: token).status == 200)
    #expect(try await one.ask("DELETE /v1/tokens/\(id)").status == 204)
    one.clock.advance(bySeconds: 2)
    #expect(try await other.ask("GET /v1/goals", as: token).status == 200)
    one.clock.advance(bySeconds: 1)
    #expect(try await other.ask("GET /v1/goals", as: token).status == 401)
    #expect(try await other.ask("GET /v1/goals").status == 200)
  }

  @Test(
    "leave open what is recorded where the database can't be had, as one server does",
    arguments: [true, false])
  func unknown(_ isLogShared: Bool) async throws {
    let failing = try TestService(isLogShared: isLogShared) {
      $0.with(submit: { _, answer in answer(.unavailable) })
    }
    let answer = try await failing.ask(bump)
    #expect(answer.status == 503)
    #expect(answer.field("Retry-After") == "1")
    #expect(try #require(answer.string("/detail")).contains("is left open"))
  }
}
