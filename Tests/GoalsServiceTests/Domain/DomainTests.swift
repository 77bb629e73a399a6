import GoalsCore
import Testing

@testable import GoalsService
@testable import GoalsStore

@Suite("The domain") struct DomainTests {
  private static func caller(of account: UInt64) -> Caller {
    Caller(
      token: TokenRecord(
        id: .init(high: 2, low: account), account: .init(high: 1, low: account), name: "",
        scope: .write, secret: [UInt8(account)], createdAt: Instant(seconds: 0)))
  }

  private static let messages: [(Message, String)] = [
    (.goals(.list(.init(high: 1, low: 1))), "list"),
    (.goals(.read(.init(high: 1, low: 1), .init(high: 0, low: 9))), "unknownGoal"),
    (.edits(.page(.init(high: 1, low: 1), after: nil, limit: 1)), "page"),
    (.edits(.read(.init(high: 1, low: 1), .init(high: 0, low: 9))), "unknownEdit"),
    (
      .edits(
        .submit(
          .init(account: .init(high: 1, low: 1), batch: Batch(device: "", proposals: [])))),
      "ruled"
    ),
    (.account(.read(.init(high: 1, low: 1))), "account"),
    (.account(.read(.init(high: 1, low: 2))), "unknownAccount"),
    (
      .account(
        .configure(
          .init(account: .init(high: 1, low: 1), batch: Batch(device: "", proposals: [])))),
      "configured"
    ),
    (.tokens(.list(.init(high: 1, low: 1))), "tokens"),
    (.tokens(.revoke(.init(high: 2, low: 9), by: caller(of: 1))), "unknownToken"),
    (.tokens(.revoke(.init(high: 2, low: 1), by: caller(of: 2))), "unknownAccount"),
    (.archive(.export(.init(high: 1, low: 1))), "archive"),
    (.archive(.counts(.init(high: 1, low: 2))), "unknownAccount"),
    (.archive(.take(caller(of: 2), [])), "unknownAccount"),
    (.sessions(.end([])), "endedSession"), (.sessions(.end(nil)), "endedSession"),
    (.health(.readiness), "ready"),
  ]

  @Test(
    "has one feature answer a message, once, and every receiver hear of it", arguments: messages)
  func answers(_ message: Message, _ name: String) async throws {
    let world = World.mock()
    let store = Store.memory(
      environment: StoreEnvironment(now: world.now, zone: world.zone, track: { _ in }))
    try store.book.addAccount(
      AccountRecord(
        id: .init(high: 1, low: 1), name: "me", createdAt: world.now(), initialCalendar: .initial),
      Self.caller(of: 1).token)
    let heard = Locked<[String]>([])
    let access = Access(
      store: store, world: world, authenticator: Authenticator(store: store, now: world.now))
    let domain = makeDomain(
      access, queues: Queues(), hub: ChangeHub(access),
      receivers: ["first", "second"].map { receiver in
        { asked, reply in heard.change { $0.append("\(receiver) \(asked.name) \(reply.name)") } }
      })
    let replies = Locked<[String]>([])
    await withCheckedContinuation { continuation in
      domain(message) { reply in
        replies.change { $0.append(reply.name) }
        continuation.resume()
      }
    }
    store.destroy()
    #expect(replies.value == [name])
    #expect(heard.value == ["first \(message.name) \(name)", "second \(message.name) \(name)"])
  }
}

extension Message {
  fileprivate var name: String {
    switch self {
    case .goals: "goals"
    case .edits: "edits"
    case .account: "account"
    case .tokens: "tokens"
    case .changes: "changes"
    case .archive: "archive"
    case .sessions: "sessions"
    case .health: "health"
    }
  }
}

extension GoalsService.Reply {
  fileprivate var name: String {
    switch self {
    case .list: "list"
    case .goal: "goal"
    case .history: "history"
    case .ruled: "ruled"
    case .page: "page"
    case .synced: "synced"
    case .edit: "edit"
    case .account: "account"
    case .configured: "configured"
    case .tokens: "tokens"
    case .addedToken: "addedToken"
    case .addedAccount: "addedAccount"
    case .revokedToken: "revokedToken"
    case .following: "following"
    case .archive: "archive"
    case .imported: "imported"
    case .session: "session"
    case .endedSession: "endedSession"
    case .ready: "ready"
    case .failed(let failure): "\(failure)"
    }
  }
}

@Suite("What is recorded") struct CommitRecorderTests {
  @Test("is tracked without what it says")
  func tracks() async throws {
    let service = try TestService()
    let recorder = CommitRecorder(service.store.updated, in: service.world)
    defer { withExtendedLifetime(recorder) {} }
    try await service.addGoals(2)
    let bump = "POST /v1/goals/\(TestService.id(1))/bump"
    _ = try await service.ask("\(bump)\n\n{\"note\":\"secret\"}")
    _ = try await service.ask("\(bump)\n\n{\"by\":-9}")
    // Commits are announced after they are answered, before the writer does anything else.
    _ = try service.stranger()
    let me = try #require(Account.ID(service.me.id))
    let recorded = service.happenings.all.filter { happening in
      if case .recorded = happening { true } else { false }
    }
    #expect(
      recorded == [
        .recorded(me, edits: 3, version: Version(3)), .recorded(me, edits: 1, version: Version(4)),
      ])
    #expect(!"\(service.happenings.all)".contains("secret"))
  }

  @Test("is nothing where edits are only read, refused or repeated")
  func readsDrawNothing() async throws {
    let service = try TestService()
    try await service.addGoals(1)
    let drawn = service.world.random()
    let happened = service.happenings.beyondAnswers.count
    for request in [
      "GET /v1/goals", "GET /v1/goals/\(TestService.id(1))", "GET /v1/edits", "GET /v1/account",
      "GET /v1/goals?x=1", "GET /v1/edits?after=x", "POST /v1/goals\n\n{\"title\":1,\"id\":1}",
    ] {
      _ = try await service.ask(request)
    }
    #expect(service.world.random() == drawn + 1)
    #expect(service.happenings.beyondAnswers.count == happened)
  }
}
