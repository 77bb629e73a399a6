import ChangePropagation
import TestSupport
import GoalsCore
import Testing

@testable import GoalsService
@testable import GoalsStore

@Suite("A token made over HTTP") struct MadeTokenTests {
  @Test("is shown once, and opens what its scope says")
  func add() async throws {
    let service = try TestService()
    let made = try await service.ask("POST /v1/tokens\n\n{\"name\":\" phone \",\"scope\":\"read\"}")
    #expect(made.status == 201)
    let maker = try #require(try await service.ask("GET /v1/token")["/id"])
    let id = try #require(made.string("/id"))
    let text = try #require(made.string("/token"))
    #expect(made.field("Location") == "/v1/tokens/\(id)")
    #expect(
      made.body == """
        {"id":"\(id)","name":"phone","scope":"read","goal":null,"madeBy":\(maker),\
        "createdAt":"2026-11-20T12:00:00.000Z","lastUsedAt":null,"expiresAt":null,"token":"\(text)"}
        """)
    #expect(try await service.ask("GET /v1/goals", as: text).status == 200)
    let add = "POST /v1/goals\n\n{\"title\":\"Run\"}"
    #expect(try await service.ask(add, as: text).code == "forbidden")
    let listed = try await service.ask("GET /v1/tokens")
    #expect(listed.list("/tokens", "/name") == ["first token", "phone"])
    #expect(!listed.body.contains("goals_"))
    #expect(listed.field("Cache-Control") == "no-store")
  }

  @Test("may write where no scope is named, and never expires where null is the expiry")
  func defaults() async throws {
    let service = try TestService()
    for more in ["", ",\"goal\":null,\"expiresAt\":null"] {
      let made = try await service.ask("POST /v1/tokens\n\n{\"name\":\"phone\"\(more)}")
      #expect(made.string("/scope") == "write")
      #expect(made["/expiresAt"] == "null")
    }
  }

  @Test("to bump is for one goal of the account")
  func bump() async throws {
    let service = try TestService()
    try await service.addGoals(2)
    let ask = { (goal: String) in
      "POST /v1/tokens\n\n{\"name\":\"button\",\"scope\":\"bump\",\"goal\":\"\(goal)\"}"
    }
    let text = try #require(
      try await service.ask(ask(TestService.id(1).uppercased())).string("/token"))
    let bump = { (goal: Int, body: String) in
      "POST /v1/goals/\(TestService.id(goal))/bump\n\n\(body)"
    }
    #expect(try await service.ask(bump(1, "{\"by\":1}"), as: text).status == 200)
    #expect(try await service.ask(bump(1, "{\"by\":-1}"), as: text).code == "forbidden")
    #expect(try await service.ask(bump(2, "{\"by\":1}"), as: text).code == "forbidden")
    let unknown = try await service.ask(ask(TestService.id(9)))
    #expect(unknown.status == 422)
    #expect(unknown.pointers == ["/goal"])
  }

  @Test("says what it may do, whose it is and until when; so does a session that it opened")
  func own() async throws {
    let service = try TestService()
    try await service.addGoals(1)
    let (goal, expires) = (TestService.id(1), "2026-11-20T13:00:00.000Z")
    let (id, text) = try service.token("bump", goal: goal, expires: expires)
    let answer = try await service.ask("GET /v1/token", as: text)
    #expect(answer.status == 200 && answer.field("Cache-Control") == "no-store")
    #expect(
      answer.body == """
        {"id":"\(id)","name":"bump","scope":"bump","goal":"\(goal)","expiresAt":"\(expires)",\
        "account":"\(service.me.id)"}
        """)
    let (_, reader) = try service.token("read")
    let own = try await service.ask("GET /v1/token", as: reader)
    let cookie = try await service.signIn(as: reader)
    let session = try await service.ask("GET /v1/token\nCookie: \(cookie)", as: nil)
    #expect(own.status == 200 && own["/goal"] == "null" && own["/expiresAt"] == "null")
    #expect(session.body == own.body)
    #expect(try await service.ask("GET /v1/token", as: nil).status == 401)
    #expect(try await service.ask("GET /v1/token?x=1", as: reader).status == 422)
  }

  @Test("is listed with its last use, before the store knows it")
  func lastUse() async throws {
    let service = try TestService()
    let (_, text) = try service.token("read")
    service.clock.advance(bySeconds: 7)
    _ = try await service.ask("GET /v1/goals", as: text)
    let listed = try await service.ask("GET /v1/tokens")
    #expect(
      listed.list("/tokens", "/lastUsedAt")
        == ["2026-11-20T12:00:07.000Z", "2026-11-20T12:00:07.000Z"])
  }

  @Test("is refused with every fault", arguments: faulty)
  func refuses(_ body: String, _ pointers: [String]) async throws {
    let service = try TestService()
    let refused = try await service.ask("POST /v1/tokens\n\n\(body)")
    #expect(refused.status == 422)
    #expect(refused.code == "invalid")
    #expect(refused.pointers == pointers)
    #expect(try await service.ask("GET /v1/tokens").list("/tokens", "/id").count == 1)
  }

  private static let faulty: [(String, [String])] = [
    ("{}", ["/name"]), ("[]", [""]),
    ("{\"name\":\"\"}", ["/name"]), ("{\"name\":7}", ["/name"]), ("{\"name\":null}", ["/name"]),
    ("{\"name\":\"a\\u0000\"}", ["/name"]),
    ("{\"name\":\"\(String(repeating: "a", count: 201))\"}", ["/name"]),
    ("{\"name\":\"a\",\"scope\":\"admin\"}", ["/scope"]),
    ("{\"name\":\"a\",\"scope\":null}", ["/scope"]),
    ("{\"name\":\"a\",\"scope\":\"bump\"}", ["/goal"]),
    ("{\"name\":\"a\",\"scope\":\"bump\",\"goal\":null}", ["/goal"]),
    ("{\"name\":\"a\",\"scope\":\"read\",\"goal\":\"\(TestService.id(1))\"}", ["/goal"]),
    ("{\"name\":\"a\",\"scope\":\"bump\",\"goal\":\"x\"}", ["/goal"]),
    ("{\"name\":\"a\",\"expiresAt\":\"2026-11-20T12:00:00Z\"}", ["/expiresAt"]),
    ("{\"name\":\"a\",\"expiresAt\":\"tomorrow\"}", ["/expiresAt"]),
    ("{\"name\":\"a\",\"expiresAt\":1795176001}", ["/expiresAt"]),
    ("{\"name\":\"a\",\"secret\":1,\"id\":\"\(TestService.id(1))\"}", ["/secret", "/id"]),
    (
      "{\"name\":\"\",\"scope\":\"all\",\"goal\":1,\"expiresAt\":1,\"x\":1}",
      ["/name", "/scope", "/goal", "/expiresAt", "/x"]
    ),
  ]

  @Test("is one of at most a thousand, revoked ones not counted")
  func limit() async throws {
    let service = try TestService()
    let account = try #require(Account.ID(service.me.id))
    for number in 1..<UInt64(TokenCount.maximumInUse) {
      let token = TokenRecord(
        id: TokenRecord.ID(high: 0, low: number), account: account, name: "t", scope: .read,
        secret: Token { number }.secret, createdAt: service.clock.now)
      #expect(try service.store.book.addToken(token, nil))
    }
    let add = "POST /v1/tokens\n\n{\"name\":\"one more\"}"
    let refused = try await service.ask(add)
    #expect(refused.status == 409)
    #expect(refused.code == "limit-reached")
    #expect(
      service.administration.perform(
        .addToken(.init(account: "me", name: "x", scope: "read", goal: nil, expires: nil)))
        == .failed("The account has as many tokens as it may have."))
    let last = TokenRecord.ID(high: 0, low: 1)
    #expect(try await service.ask("DELETE /v1/tokens/\(last)").status == 204)
    #expect(try await service.ask(add).status == 201)
  }
}

@Suite("Managing tokens") struct TokenManagementTests {
  @Test("revokes a token at once, and once")
  func revoke() async throws {
    let service = try TestService()
    let (id, text) = try service.token("write")
    #expect(try await service.ask("GET /v1/goals", as: text).status == 200)
    #expect(try await service.ask("DELETE /v1/tokens/\(id.uppercased())").status == 204)
    #expect(try await service.ask("GET /v1/goals", as: text).status == 401)
    #expect(try await service.ask("DELETE /v1/tokens/\(id)").code == "not-found")
    #expect(try await service.ask("GET /v1/tokens").list("/tokens", "/id").count == 1)
  }

  @Test("lets a token revoke itself")
  func itself() async throws {
    let service = try TestService()
    let (id, text) = try service.token("write")
    #expect(try await service.ask("DELETE /v1/tokens/\(id)", as: text).status == 204)
    #expect(try await service.ask("DELETE /v1/tokens/\(id)", as: text).status == 401)
  }

  @Test("knows nothing of another account's tokens")
  func otherAccount() async throws {
    let service = try TestService()
    let (id, text) = try service.token("write")
    let stranger = try service.stranger()
    var unlike: [String] = []
    for path in [id, TestService.id(9), "x"] {
      unlike.append(try await service.ask("DELETE /v1/tokens/\(path)", as: stranger).body)
    }
    #expect(Set(unlike).count == 1)
    #expect(unlike[0].contains("\"not-found\""))
    #expect(try await service.ask("GET /v1/goals", as: text).status == 200)
    let listed = try await service.ask("GET /v1/tokens", as: stranger)
    #expect(listed.list("/tokens", "/name") == ["first token"])
  }

  @Test("is not possible while nothing can be recorded, and revokes nothing then")
  func storeFails() async throws {
    let service = try TestService(spoil: { store in
      store.with(
        book: store.book.with(
          addToken: { _, _ throws(StoreError) in throw .full("disk") },
          revokeToken: { _, _, _ throws(StoreError) in throw .full("disk") }))
    })
    let (id, text) = try service.token("write")
    let add = "POST /v1/tokens\n\n{\"name\":\"a\"}"
    #expect(try await service.ask(add).code == "store-unavailable")
    #expect(try await service.ask("DELETE /v1/tokens/\(id)").code == "store-unavailable")
    #expect(try await service.ask("GET /v1/goals", as: text).status == 200)
  }
}

@Suite("What opens nothing any more") struct EndedTests {
  private final class Listener: Sendable {
    let heard = Locked<[Ended]>([])
  }

  @Test("is told once, after it is refused")
  func told() async throws {
    let service = try TestService()
    let listener = Listener()
    let authenticator = service.authenticator
    let (id, text) = try service.token("read")
    let token = try #require(Token(text))
    let caller = try #require(try authenticator.caller(.token(token)))
    let isAdmittedThen = Locked<Bool?>(nil)
    authenticator.ended.observe(withContext: listener) { listener, ended in
      listener.heard.change { $0.append(ended) }
      isAdmittedThen.change { $0 = try? authenticator.admits(caller) }
    }
    #expect(try authenticator.admits(caller))
    #expect(try await service.ask("DELETE /v1/tokens/\(id)").status == 204)
    _ = try await service.ask("DELETE /v1/tokens/\(id)")
    authenticator.ended.network.settle()
    #expect(listener.heard.value == [.token(caller.token.id)])
    #expect(isAdmittedThen.value == false)
  }

  @Test("is an account with all its tokens, where it is removed")
  func account() async throws {
    let service = try TestService()
    let listener = Listener()
    service.authenticator.ended.observe(withContext: listener) { listener, ended in
      listener.heard.change { $0.append(ended) }
    }
    let stranger = try service.stranger()
    #expect(try await service.ask("GET /v1/goals", as: stranger).status == 200)
    let reply = service.administration.perform(.removeAccount("stranger"))
    guard case .removedAccount(let removed) = reply else { throw Answer.Unexpected("\(reply)") }
    #expect(try await service.ask("GET /v1/goals", as: stranger).status == 401)
    service.authenticator.ended.network.settle()
    #expect(listener.heard.value == [.account(try #require(Account.ID(removed.id)))])
  }
}
