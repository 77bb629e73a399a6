import GoalsCore
import TestSupport
import Testing

@testable import GoalsService
@testable import GoalsStore

private let a = TestService.id(1)

@Suite("While the store fails") struct FailureTests {
  private static let error = StoreError.inputOutput("SQLITE_IOERR in /var/lib/goals.sqlite")

  private func expectUnavailable(_ answer: Answer, _ detail: String) {
    #expect(answer.status == 503)
    #expect(answer.field("Retry-After") == "1")
    #expect(answer.field("Content-Type") == "application/problem+json")
    #expect(
      answer.body == """
        {"type":"/docs#store-unavailable","title":"Service Unavailable","status":503,\
        "detail":"\(detail)","code":"store-unavailable"}
        """)
  }

  private static let written = """
    The database can't be used at the moment. Whether what was sent is recorded is left open: send it again \
    with the same ids, and it counts once.
    """
  private static let read =
    "The database can't be used at the moment. Nothing was recorded: ask again."

  private static let writes =
    Operation.edits.map(\.row.request) + [Operation.submitEdits.row.request]

  @Test("a write that the disk does not take is to be tried again", arguments: writes)
  func diskFails(_ write: String) async throws {
    let service = try TestService { $0.with(submit: { _, answer in answer(.unavailable) }) }
    expectUnavailable(try await service.ask(write), Self.written)
    #expect(try await service.ask("GET /v1/goals").status == 200)
  }

  @Test("a write that fails unforeseen says no more than an id to look up", arguments: writes)
  func unforeseen(_ write: String) async throws {
    let service = try TestService { $0.with(submit: { _, answer in answer(.failed) }) }
    let answer = try await service.ask(write)
    let id = try #require(answer.string("/requestId"))
    #expect(answer.status == 500)
    #expect(answer.field("Retry-After") == nil)
    #expect(
      answer.body == """
        {"type":"/docs#internal","title":"Internal Server Error","status":500,\
        "detail":"Something went wrong here. The log knows it by the id.","code":"internal",\
        "requestId":"\(id)"}
        """)
    let operation = try #require(
      Operation.allCases.first { operation in
        service.happenings.all.contains(
          .failed(requestID: id, operation: operation.rawValue))
      })
    #expect(write.hasPrefix(operation.endpoint.method.rawValue))
  }

  @Test("an account that is gone by then is nobody's", arguments: writes)
  func accountGone(_ write: String) async throws {
    let service = try TestService { $0.with(submit: { _, answer in answer(.unknownAccount) }) }
    let answer = try await service.ask(write)
    #expect(answer.status == 401)
    #expect(answer.code == "unauthenticated")
  }

  @Test("reads of states in memory go on")
  func readsGoOn() async throws {
    let isBroken = Locked(false)
    let service = try TestService { store in
      store.with(state: { account throws(StoreError) in
        if isBroken.value { throw Self.error }
        return try store.state(account)
      })
    }
    try await service.addGoals(1)
    isBroken.change { $0 = true }
    #expect(try await service.ask("GET /v1/goals").status == 200)
    #expect(try await service.ask("GET /v1/goals/\(a)").status == 200)
  }

  @Test(
    "reads that the disk does not answer are to be tried again",
    arguments: [
      "GET /v1/goals", "GET /v1/goals/\(a)", "GET /v1/edits", "GET /v1/edits/\(a)",
      "GET /v1/account", "GET /v1/goals?version=1", "GET /v1/goals/\(a)/history",
      "GET /v1/history", "GET /v1/edits?goal=\(a)", "GET /v1/edits?order=newest",
      "POST /v1/sync\n\n{\"after\":null,\"edits\":[]}",
    ])
  func readsFail(_ request: String) async throws {
    let service = try TestService { store in
      store.with(
        state: { _ throws(StoreError) in throw Self.error }, stateInMemory: { _ in nil },
        log: .init(
          page: { _, _, _ throws(StoreError) in throw Self.error },
          search: { _, _, _, _ throws(StoreError) in throw Self.error },
          entry: { _, _ throws(StoreError) in throw Self.error },
          advance: { _, _, _ throws(StoreError) in throw Self.error }))
    }
    let answer = try await service.ask(request)
    expectUnavailable(answer, request.hasPrefix("GET") ? Self.read : Self.written)
    #expect(service.happenings.beyondAnswers == [.store(.failed(Self.error))])
  }

  /// A service whose store can be written, and read until edits are decided.
  private static func readableBefore() throws -> TestService {
    let isBroken = Locked(false)
    return try TestService { store in
      store.with(
        submit: { sent, answer in
          store.submit(sent) {
            isBroken.change { $0 = true }
            answer($0)
          }
        },
        log: .init(
          page: { account, version, limit throws(StoreError) in
            if isBroken.value { throw Self.error }
            return try store.log.page(account, version, limit)
          },
          search: store.log.search, entry: store.log.entry, advance: store.log.advance),
        book: store.book.with(recordChoiceOfZone: { _ throws(StoreError) in throw Self.error }))
    }
  }

  @Test(
    "what is read after edits were recorded is not told as if nothing was",
    arguments: [
      "POST /v1/sync\n\n{\"after\":null,\"edits\":[EDIT]}",
      "POST /v1/edits\n\n{\"edits\":[EDIT,ZONE]}",
    ])
  func readsFailAfterwards(_ request: String) async throws {
    let service = try Self.readableBefore()
    let (one, another) = (TestService.id(2), TestService.id(3))
    let edit = "{\"type\":\"add\",\"id\":\"\(one)\",\"goal\":{\"id\":\"\(a)\",\"title\":\"Run\"}}"
    let zone = "{\"type\":\"configure\",\"id\":\"\(another)\",\"timeZone\":\"UTC\"}"
    let answer = try await service.ask(
      request.replacing("EDIT", with: edit).replacing("ZONE", with: zone))
    #expect(answer.status == 503)
    #expect(answer.string("/detail") == Self.written)
    #expect(try await service.ask("GET /v1/goals").list("/goals", "/title") == ["Run"])
  }

  @Test("an account is configured, and made, without a read that could fail afterwards")
  func accountsAreNotReadAfterwards() async throws {
    let service = try Self.readableBefore()
    let configured = try await service.ask("PATCH /v1/account\n\n{\"weekStart\":\"sunday\"}")
    #expect(configured.status == 200)
    #expect(configured.string("/weekStart") == "sunday")
    let open = try TestService(policy: .signUpOpen) {
      $0.with(state: { _ throws(StoreError) in throw Self.error })
    }
    let made = try await open.ask("POST /v1/accounts\n\n{\"name\":\"Ann\"}", as: nil)
    #expect(made.status == 201)
  }

  @Test("a token that can't be looked up is not called invalid")
  func tokenUnknown() async throws {
    let service = try TestService { store in
      store.with(book: store.book.with { _ throws(StoreError) in throw Self.error })
    }
    for request in ["GET /v1/goals", "POST /v1/goals\n\n{\"title\":\"Run\"}"] {
      expectUnavailable(try await service.ask(request), Self.read)
    }
    #expect(try await service.ask("GET /v1/goals", as: nil).status == 401)
  }

  @Test("nothing internal is told in any answer", arguments: writes)
  func tellsNothing(_ write: String) async throws {
    let service = try TestService { store in
      store.with(
        state: { _ throws(StoreError) in throw Self.error },
        submit: { sent, answer in answer(.failed) },
        log: .init(
          page: { _, _, _ throws(StoreError) in throw .corrupt("SELECT") },
          search: { _, _, _, _ throws(StoreError) in throw .corrupt("SELECT") },
          entry: { _, _ throws(StoreError) in throw .other("SELECT") },
          advance: { _, _, _ throws(StoreError) in throw .other("SELECT") }))
    }
    for request in [write, "GET /v1/edits", "GET /v1/account", "GET /v1/edits/\(a)"] {
      let answer = try await service.ask(request)
      for word in ["SQL", "SELECT", "/var", "goals.sqlite", "StoreError"] {
        #expect(!answer.body.contains(word))
      }
    }
  }
}
