import Dispatch
import TestSupport
import GoalsCore
import HTTP
import HTTPServer
import Testing

@testable import GoalsService
@testable import GoalsStore

/// What takes long is done in portions, which a test counts by the pages of the log that are
/// folded.
@Suite("A request that takes long") struct LongWorkTests {
  /// The pages that were folded, by their accounts. The next can be held up.
  private final class Pages: Sendable {
    let folded = Locked<[Account.ID]>([])
    private let gate = Locked<DispatchSemaphore?>(nil)

    /// Holds up the next page, until what it answers is called.
    func holdUp() -> @Sendable () -> Void {
      let semaphore = DispatchSemaphore(value: 0)
      gate.change { $0 = semaphore }
      return { semaphore.signal() }
    }

    func counting(_ store: Store) -> Store {
      let log = store.log
      return store.with(
        log: Store.Log(
          page: log.page, search: log.search, entry: log.entry,
          advance: { [self] account, version, earlier throws(StoreError) in
            count(account)
            return try log.advance(account, version, earlier)
          }))
    }

    /// Counts the pages that are read for streams instead.
    func countingStreams(_ store: Store) -> Store {
      let log = store.log
      return store.with(
        log: Store.Log(
          page: { [self] account, version, limit throws(StoreError) in
            if limit == 100 { count(account) }
            return try log.page(account, version, limit)
          }, search: log.search, entry: log.entry, advance: log.advance))
    }

    private func count(_ account: Account.ID) {
      folded.change { $0.append(account) }
      let semaphore = gate.change { gate in
        defer { gate = nil }
        return gate
      }
      semaphore?.wait()
    }
  }

  private func account(_ service: TestService) throws -> Account.ID {
    try #require(Account.ID(service.me.id))
  }

  /// Adds so many bumps, a thousand a request.
  private func addBumps(_ count: Int, to service: TestService) async throws {
    try await service.addGoals(1)
    for number in 0..<count / 1000 { try await service.addBumps(1000, from: 1000 * (number + 1)) }
  }

  /// Sends a request; the client waits as `isAwaited` says whenever that is asked.
  private func ask(
    _ text: String, type: String = "application/json", of service: TestService, as token: String,
    isAwaited: @escaping @Sendable () -> Bool,
    _ tell: @escaping @Sendable (Reply) -> Void
  ) throws {
    let bytes = TestService.bytes(of: text, token: token, type: type)
    service.gateway.handler.respond(
      to: try TestService.request(bytes), by: Responder(isAwaited: isAwaited, deliver: tell))
  }

  /// The status of its answer.
  private func status(
    _ text: String, type: String = "application/json", of service: TestService,
    as token: String? = nil, isAwaited: @escaping @Sendable () -> Bool
  ) async throws -> Int? {
    let (answers, sink) = AsyncStream.makeStream(of: Reply.self)
    try ask(
      text, type: type, of: service, as: token ?? service.me.token, isAwaited: isAwaited
    ) { sink.yield($0) }
    for await case .whole(let response) in answers { return response.status.code }
    return nil
  }

  @Test("costs nothing where the client is gone before its turn")
  func gone() async throws {
    let pages = Pages()
    let service = try TestService(spoil: pages.counting)
    try await addBumps(2000, to: service)
    for _ in 0..<40 {
      let status = try await status(
        "GET /v1/goals?version=2000", of: service, isAwaited: { false })
      #expect(status == 400)
    }
    #expect(pages.folded.value == [])
  }

  @Test("is ended after the portion in which the client goes", arguments: [1, 3])
  func going(_ portions: Int) async throws {
    let pages = Pages()
    let service = try TestService(spoil: pages.counting)
    try await addBumps(3000, to: service)
    let status = try await status(
      "GET /v1/goals?version=3000", of: service,
      isAwaited: { pages.folded.value.count < portions })
    #expect(status == 400)
    #expect(pages.folded.value.count == portions)
    // Waited for, it takes a page for each 500 edits.
    let answer = try await service.ask("GET /v1/goals?version=3000")
    #expect(answer["/version"] == "3000")
    #expect(pages.folded.value.count == portions + 6)
  }

  @Test(
    "keeps another account waiting for one portion, however many there are",
    arguments: [true, false])
  func interleaved(_ isAbandoned: Bool) async throws {
    let pages = Pages()
    let service = try TestService(spoil: pages.counting)
    try await addBumps(2000, to: service)
    let other = try service.administration.addAccountWithToken("other", timeZone: nil)
    let goal = "{\"id\":\"\(TestService.id(1))\",\"title\":\"A\"}"
    _ = try await service.ask("POST /v1/goals\n\n\(goal)", as: other.token)
    let goOn = pages.holdUp()
    let isGone = Locked(false)
    let (answers, sink) = AsyncStream.makeStream(of: Int.self)
    for _ in 0..<40 {
      try ask(
        "GET /v1/goals?version=2000", of: service, as: service.me.token,
        isAwaited: { !isGone.value }
      ) { _ in sink.yield(1) }
    }
    try ask("GET /v1/goals?version=1", of: service, as: other.token, isAwaited: { true }) { _ in
      sink.yield(2)
    }
    isGone.change { $0 = isAbandoned }
    goOn()
    var order: [Int] = []
    for await answer in answers {
      order.append(answer)
      if order.count == 41 { break }
    }
    let (mine, others) = (try account(service), try #require(Account.ID(other.id)))
    #expect(pages.folded.value.prefix(2) == [mine, others])
    if isAbandoned {
      #expect(pages.folded.value == [mine, others])
    } else {
      #expect(order.first == 2)
    }
  }

  @Test("and goes on for a stream that is behind takes turns between accounts")
  func streams() async throws {
    let pages = Pages()
    let service = try TestService(spoil: pages.countingStreams)
    try await service.addGoals(1)
    let other = try service.administration.addAccountWithToken("other", timeZone: nil)
    let goal = "{\"id\":\"\(TestService.id(1))\",\"title\":\"A\"}"
    _ = try await service.ask("POST /v1/goals\n\n\(goal)", as: other.token)
    let goOn = pages.holdUp()
    let ended = Locked(0)
    let open = { (token: String) throws in
      let cursor = Cursor(.none, ChainMaker.start(.initial)).description
      try ask(
        "GET /v1/changes?after=\(cursor)", of: service, as: token, isAwaited: { true }
      ) { reply in
        if case .whole = reply { ended.change { $0 += 1 } }
      }
    }
    for _ in 0..<20 { try open(service.me.token) }
    let hub = service.gateway.hub
    await until { hub.callers.count >= 20 || ended.value != 0 }
    try open(other.token)
    await until { hub.callers.count >= 21 || ended.value != 0 }
    #expect(ended.value == 0)
    goOn()
    await until { pages.folded.value.count >= 21 }
    let (mine, others) = (try account(service), try #require(Account.ID(other.id)))
    #expect(pages.folded.value.prefix(3) == [mine, others, mine])
  }

  @Test("and imports something is ended before it writes, and leaves nothing")
  func abandonedImport() async throws {
    let service = try TestService()
    try await addBumps(1000, to: service)
    let export = try await service.file("/v1/export").body
    let take = { (portions: Int, token: String) async throws -> (Int?, Int) in
      let asked = Locked(0)
      let answered = try await status(
        "POST /v1/import\n\n\(export)", type: "application/x-ndjson", of: service, as: token,
        isAwaited: {
          asked.change {
            $0 += 1
            return $0 <= portions
          }
        })
      return (answered, asked.value)
    }
    let (whole, portions) = try await take(
      .max, service.administration.addAccountWithToken("whole", timeZone: nil).token)
    #expect(whole == 201)
    #expect(portions > 5)
    let other = try service.administration.addAccountWithToken("other", timeZone: nil).token
    for early in [0, 1, portions - 2, portions - 1] {
      let (refused, asked) = try await take(early, other)
      #expect(refused == 400)
      #expect(asked == early + 1)
      #expect(try await service.ask("GET /v1/account", as: other)["/version"] == "0")
    }
    let (last, _) = try await take(portions, other)
    #expect(last == 201)
  }

  @Test("is refused beyond a maximum of an account's at once")
  func tooMany() async throws {
    let service = try TestService()
    try await service.addGoals(1)
    // They go on until all have come.
    let areThere = Locked(false)
    let (results, sink) = AsyncStream.makeStream(of: Result<Int, Failure>.self)
    let maximum = FairSchedule<Int>.maximum
    for _ in 0...maximum {
      service.queues.folds.run(
        of: .init(high: 1, low: 1), for: .patient, in: service.world,
        { _ in areThere.value ? 1 : nil }
      ) { sink.yield($0) }
    }
    areThere.change { $0 = true }
    var found: [Result<Int, Failure>] = []
    for await result in results {
      found.append(result)
      if found.count == maximum + 1 { break }
    }
    #expect(found.first == .failure(.tooManyAtOnce))
    #expect(found.dropFirst().allSatisfy { $0 == .success(1) })
    #expect(Problem(Failure.tooManyAtOnce, ofRead: true)?.status == .tooManyRequests)
  }
}
