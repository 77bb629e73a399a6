import Dispatch
import GoalsCore
import StoreTestSupport
import TestSupport
import Testing

@testable import GoalsService
@testable import GoalsStore

/// One account that asks for much waits for itself. Another one waits for one piece of that at
/// most.
@Suite("What one account asks for") struct TurnsTests {
  /// A use case that some account asks for.
  struct Asked: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let message: @Sendable (TokenRecord, _ tell: @escaping @Sendable () -> Void) -> Message

    init<Response>(
      _ name: String,
      _ message: @escaping @Sendable (TokenRecord, @escaping Completion<Response>) -> Message
    ) {
      testDescription = name
      self.message = { token, tell in message(token) { _ in tell() } }
    }
  }

  private static let world = World.mock()
  private let queues = Queues()
  private let domain: Domain
  private let told = Locked<[String]>([])

  /// - Parameter inMemory: whether states are there without the disk.
  private init(inMemory: Bool) throws {
    let world = Self.world
    let store = Store.memory(
      environment: StoreEnvironment(now: world.now, zone: world.zone, track: { _ in }))
    for number in 1...2 as ClosedRange<UInt64> {
      let token = Self.token(number)
      try store.book.addAccount(
        AccountRecord(
          id: token.account, name: "\(number)", createdAt: world.now(), initialCalendar: .initial),
        token)
      // It is in memory once it was read.
      if inMemory { _ = try store.state(token.account) }
    }
    let access = Access(
      store: inMemory ? store : store.with(stateInMemory: { _ in nil }), world: world,
      authenticator: Authenticator(store: store, in: world))
    domain = makeDomain(access, queues: queues, waitingBy: ChangeHub(access).wait)
  }

  init() throws { try self.init(inMemory: false) }

  private static func token(_ number: UInt64) -> TokenRecord {
    TokenRecord(
      id: .init(high: 2, low: number), account: .init(high: 1, low: number), name: "",
      scope: .write, secret: [UInt8(number)], createdAt: Instant(seconds: 0))
  }

  private static let reads = [
    Asked("list") { .goals(.list(of: $0.account, at: nil, for: .patient, $1)) },
    Asked("goal") { .goals(.read(.init(high: 0, low: 9), of: $0.account, for: .patient, $1)) },
    Asked("account") { .account(.read($0.account, at: nil, for: .patient, $1)) },
    Asked("follow") { .changes(.follow(by: Caller(token: $0), after: nil, $1)) },
    Asked("export") { .archive(.export($0.account, $1)) },
    Asked("counts") { .archive(.counts($0.account, $1)) },
    Asked("log") { .edits(.log(AskedLog(limit: 1), of: $0.account, for: .patient, $1)) },
    Asked("tokens") { .tokens(.list(of: $0.account, for: .patient, $1)) },
  ]

  @Test("of its past lets others go on", arguments: reads)
  func past(_ asked: Asked) async {
    let gate = DispatchSemaphore(value: 0)
    queues.pages.finish(of: Self.token(1).account) { _ in
      gate.wait()
      return true
    }
    // More than there are threads.
    for _ in 0..<100 { domain(asked.message(Self.token(1)) { told.change { $0.append("one") } }) }
    await withCheckedContinuation { continuation in
      domain(asked.message(Self.token(2)) { continuation.resume() })
    }
    queues.reads.sync(flags: .barrier) {}
    #expect(told.value.isEmpty)
    gate.signal()
    await until { told.value.count >= 100 }
  }

  private static let changes = [
    Asked("token") {
      .tokens(
        .add(
          AskedToken(name: .of("x"), scope: .read, goal: nil, expiresAt: nil, isLink: false),
          to: $0.account,
          by: nil,
          $1))
    },
    Asked("revoke") { .tokens(.revoke(.init(high: 9, low: 9), of: $0.account, by: nil, $1)) },
    Asked("session") { .sessions(.begin(.token($0), replacing: nil, $1)) },
    Asked("end of a session") { .sessions(.end([], by: $0.account, $1)) },
    Asked("name") { .account(.rename($0.account, .of("me"), $1)) },
  ]

  @Test("of the writer leaves turns to others", arguments: changes)
  func turns(_ asked: Asked) async throws {
    let known = try TurnsTests(inMemory: true)
    let (queue, told) = (known.queues.access.queue, known.told)
    queue.suspend()
    for name in ["one", "one again", "one once more"] {
      known.domain(asked.message(Self.token(1)) { told.change { $0.append(name) } })
    }
    known.domain(asked.message(Self.token(2)) { told.change { $0.append("another") } })
    queue.resume()
    await until { told.value.count >= 4 }
    #expect(told.value == ["one", "another", "one again", "one once more"])
  }
}
