import GoalsCore
import TestSupport
import StoreTestSupport
import Testing

@testable import GoalsService
@testable import GoalsStore

@Suite("The domain") struct DomainTests {
  /// A use case, and what it comes to.
  struct Asked: Sendable {
    let name: String
    let expected: String
    /// Makes the message, whose completion tells what came of it.
    let message: @Sendable (_ tell: @escaping @Sendable (String) -> Void) -> Message

    init<Response>(
      _ name: String, _ expected: String = "done",
      _ message: @escaping @Sendable (@escaping Completion<Response>) -> Message
    ) {
      self.name = name
      self.expected = expected
      self.message = { tell in
        message { result in
          switch result {
          case .success: tell("done")
          case .failure(let failure): tell("\(failure)")
          }
        }
      }
    }
  }

  private static let mine = Account.ID(high: 1, low: 1)
  private static let other = Account.ID(high: 1, low: 2)
  private static let goal = Goal.ID(high: 0, low: 9)
  private static let sent = Store.SentBatch(
    account: mine, batch: Batch(device: "", proposals: []))

  private static func caller(of account: Account.ID) -> Caller {
    Caller(
      token: TokenRecord(
        id: .init(high: 2, low: account.low), account: account, name: "", scope: .write,
        secret: [UInt8(account.low)], createdAt: Instant(seconds: 0)))
  }

  private static let asked = [
    Asked("list") { .goals(.list(of: mine, at: nil, for: .patient, $0)) },
    Asked("past list", "unknownVersion") {
      .goals(.list(of: mine, at: Version(9), for: .patient, $0))
    },
    Asked("goal", "unknownGoal") { .goals(.read(goal, of: mine, for: .patient, $0)) },
    Asked("log") { .edits(.log(AskedLog(limit: 1), of: mine, for: .patient, $0)) },
    Asked("edit", "unknownEdit") { .edits(.read(.init(high: 0, low: 9), of: mine, $0)) },
    Asked("submit") { .edits(.submit(sent, $0)) },
    Asked("sync") { .edits(.sync(sent, AskedLog(limit: 1), for: .patient, list: nil, $0)) },
    Asked("account") { .account(.read(mine, at: nil, for: .patient, $0)) },
    Asked("past account") { .account(.read(mine, at: Version(0), for: .patient, $0)) },
    Asked("no such past", "unknownVersion") {
      .account(.read(mine, at: Version(900), for: .patient, $0))
    },
    Asked("another account", "unknownAccount") {
      .account(.read(other, at: nil, for: .patient, $0))
    },
    Asked("configure") { .account(.configure(.init(account: mine, sent: .valid(sent)), $0)) },
    Asked("accounts") { .account(.list($0)) },
    Asked("find") { .account(.find("me", isToGo: false, $0)) },
    Asked("find nobody", "unknownAccount") { .account(.find("you", isToGo: true, $0)) },
    Asked("remove nobody", "unknownAccount") { .account(.remove(other, $0)) },
    Asked("tokens") { .tokens(.list(of: mine, for: .patient, $0)) },
    Asked("revoke", "unknownToken") {
      .tokens(.revoke(.init(high: 2, low: 9), of: mine, by: caller(of: mine), $0))
    },
    Asked("revoke after the end", "unknownAccount") {
      .tokens(.revoke(.init(high: 2, low: 1), of: other, by: caller(of: other), $0))
    },
    Asked("follow") { .changes(.follow(by: caller(of: mine), after: nil, $0)) },
    Asked("export") { .archive(.export(mine, $0)) },
    Asked("counts", "unknownAccount") { .archive(.counts(other, $0)) },
    Asked("import", "unknownAccount") {
      .archive(.take([], into: other, by: nil, for: .patient, $0))
    },
    Asked("end a session") { .sessions(.end([], by: mine, $0)) },
    Asked("end no session") { .sessions(.end(nil, by: mine, $0)) },
    Asked("readiness") { .health(.readiness($0)) },
    Asked("verify") { .health(.verify($0)) },
    Asked("back up", "noBackup") { .health(.backUp(path: "/x", $0)) },
  ]

  @Test("completes each use case once", arguments: asked)
  func completes(_ asked: Asked) async throws {
    let domain = try Self.domain()
    let told = Locked<[String]>([])
    await withCheckedContinuation { continuation in
      domain(
        asked.message { result in
          told.change { $0.append(result) }
          continuation.resume()
        })
    }
    #expect(told.value.count == 1)
    #expect(told.value[0].hasPrefix(asked.expected))
  }

  @Test("has every receiver hear what became of edits, whichever use case sent them")
  func receivers() async throws {
    let heard = Locked<[String]>([])
    let domain = try Self.domain(
      receivers: ["first", "second"].map { receiver in
        { _, outcomes in heard.change { $0.append("\(receiver) \(outcomes.count)") } }
      })
    for name in ["submit", "sync", "configure", "list"] {
      let asked = try #require(Self.asked.first { $0.name == name })
      await withCheckedContinuation { continuation in
        domain(asked.message { _ in continuation.resume() })
      }
    }
    // A sync without edits decides nothing.
    #expect(heard.value == ["first 0", "second 0", "first 0", "second 0"])
  }

  private static func domain(receivers: [Receiver] = []) throws -> Domain {
    let world = World.mock()
    let store = Store.memory(
      environment: StoreEnvironment(now: world.now, zone: world.zone, track: { _ in }))
    try store.book.addAccount(
      AccountRecord(id: mine, name: "me", createdAt: world.now(), initialCalendar: .initial),
      caller(of: mine).token)
    let access = Access(
      store: store, world: world, authenticator: Authenticator(store: store, in: world))
    return makeDomain(
      access, queues: Queues(), waitingBy: ChangeHub(access).wait, receivers: receivers)
  }
}

@Suite("What is recorded") struct RecordedCommitTests {
  @Test("is tracked without what it says")
  func tracks() async throws {
    let service = try TestService()
    service.recordCommits()
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
