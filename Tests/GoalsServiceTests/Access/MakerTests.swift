import ChangePropagation
import GoalsCore
import TestSupport
import Testing

@testable import GoalsService
@testable import GoalsStore

extension TestService {
  /// Makes a token with another.
  ///
  /// - Parameter members: more than the name `child`, each after a comma.
  fileprivate func make(
    _ members: String = "", by token: String
  ) async throws -> (id: String, text: String) {
    let made = try await ask("POST /v1/tokens\n\n{\"name\":\"child\"\(members)}", as: token)
    return (try #require(made.string("/id")), try #require(made.string("/token")))
  }

  /// What is listed of a token.
  fileprivate func listed(_ id: String, _ pointer: String) async throws -> String? {
    let list = try await ask("GET /v1/tokens")
    let ids = list.list("/tokens", "/id")
    return ids.firstIndex(of: id).map { list.list("/tokens", pointer)[$0] }
  }
}

@Suite("A token that a token made") struct MakerTests {
  @Test(
    "expires no later than its maker",
    arguments: [
      (nil, "2026-11-20T13:00:00.000Z"), ("null", "2026-11-20T13:00:00.000Z"),
      ("\"2026-11-20T13:00:00.001Z\"", "2026-11-20T13:00:00.000Z"),
      ("\"2027-01-01T00:00:00Z\"", "2026-11-20T13:00:00.000Z"),
      ("\"2026-11-20T12:59:59.999Z\"", "2026-11-20T12:59:59.999Z"),
    ])
  func expiry(_ asked: String?, _ expected: String) async throws {
    let service = try TestService()
    let maker = try service.token("write", expires: "2026-11-20T13:00:00Z")
    let members = asked.map { ",\"expiresAt\":\($0)" } ?? ""
    let child = try await service.make(members, by: maker.text)
    #expect(try await service.listed(child.id, "/expiresAt") == expected)
    let linked = try await service.use(try await service.link(members, as: maker.text))
    #expect(linked.string("/expiresAt") == expected)
    let grandchild = try await service.make(by: child.text)
    #expect(try await service.listed(grandchild.id, "/expiresAt") == expected)
  }

  @Test("is listed with its maker, be it a session's, and has none where an operator made it")
  func madeBy() async throws {
    let service = try TestService()
    let (id, text) = try service.token("write")
    let child = try await service.make(by: text)
    let cookie = try await service.signIn(as: text)
    let made = try await service.ask(
      "POST /v1/tokens\nCookie: \(cookie)\nOrigin: http://goals.example\n\n{\"name\":\"x\"}",
      as: nil)
    #expect(made.string("/madeBy") == id)
    let list = try await service.ask("GET /v1/tokens")
    #expect(list.list("/tokens", "/madeBy") == ["null", "null", id, id])
    let reply = service.administration.perform(.listTokens(account: "me"))
    guard case .tokens(let tokens) = reply else { throw Answer.Unexpected("\(reply)") }
    #expect(tokens.map(\.madeBy) == [nil, nil, id, id])
    #expect(tokens[2].id == child.id)
  }

  @Test(
    "is revoked with it, and so is what it made, with sessions and streams",
    arguments: [true, false])
  func family(_ isByOperator: Bool) async throws {
    let service = try TestService()
    let maker = try service.token("write")
    let child = try await service.make(by: maker.text)
    let grandchild = try await service.make(by: child.text)
    let linked = try await service.use(try await service.link(as: grandchild.text))
    let texts = [
      maker.text, child.text, grandchild.text, try #require(linked.string("/token")),
    ]
    var cookies: [String] = []
    var listeners: [Listener] = []
    for text in texts {
      let cookie = try await service.signIn(as: text)
      cookies.append(cookie)
      listeners.append(try await service.listen(as: text))
      listeners.append(try await service.listen("GET /v1/changes\nCookie: \(cookie)"))
    }
    for listener in listeners { #expect(await listener.next()?.data == "") }
    let kept = try await service.listen()
    if isByOperator {
      _ = service.administration.perform(.revokeToken(maker.id))
    } else {
      #expect(try await service.ask("DELETE /v1/tokens/\(maker.id)").status == 204)
    }
    for text in texts { #expect(try await service.ask("GET /v1/goals", as: text).status == 401) }
    for cookie in cookies {
      #expect(try await service.ask("GET /v1/goals\nCookie: \(cookie)", as: nil).status == 401)
    }
    for listener in listeners { #expect(await listener.nextEvent() == nil) }
    #expect(kept.isOpen)
    #expect(try await service.names() == ["first token"])
  }

  @Test("is revoked alone, and its maker goes on")
  func alone() async throws {
    let service = try TestService()
    let maker = try service.token("write")
    let (child, sibling) = (
      try await service.make(by: maker.text), try await service.make(by: maker.text)
    )
    let path = "DELETE /v1/tokens/\(child.id)"
    #expect(try await service.ask(path, as: maker.text).status == 204)
    for (text, status) in [(maker.text, 200), (sibling.text, 200), (child.text, 401)] {
      #expect(try await service.ask("GET /v1/goals", as: text).status == status)
    }
  }
}

@Suite("What is tracked of who may come in") struct AccessHappeningTests {
  /// What was tracked since the last time of tokens, accounts and sessions.
  private func tracked(_ service: TestService) -> [Happening] {
    defer { service.happenings.forget() }
    return service.happenings.all.filter { happening in
      switch happening {
      case .tokenMade, .tokenRevoked, .accountRemoved, .sessionBegun: true
      case .store, .recorded, .imported, .backedUp, .zoneFailed, .lackingZone, .failed, .answered,
        .signInFailed, .turnedAway, .minutePassed, .started, .measuring, .draining, .stopped:
        false
      }
    }
  }

  private func id(_ text: String?) throws -> TokenRecord.ID {
    try #require(text.flatMap { TokenRecord.ID($0) })
  }

  @Test("is each token that was made, by which")
  func made() async throws {
    let service = try TestService()
    let account = try #require(Account.ID(service.me.id))
    let me = try id(try await service.ask("GET /v1/token").string("/id"))
    let made = try await service.ask("POST /v1/tokens\n\n{\"name\":\"secret name\"}")
    #expect(tracked(service) == [.tokenMade(try id(made.string("/id")), of: account, by: me)])
    let (operators, _) = try service.token("read")
    #expect(tracked(service) == [.tokenMade(try id(operators), of: account, by: nil)])
    let code = try await service.link()
    #expect(tracked(service) == [])
    let used = try await service.use(code)
    #expect(tracked(service) == [.tokenMade(try id(used.string("/id")), of: account, by: me)])
    _ = try await service.use(code)
    #expect(tracked(service) == [])
  }

  @Test("is each token that was revoked with another")
  func revoked() async throws {
    let service = try TestService()
    let account = try #require(Account.ID(service.me.id))
    let me = try id(try await service.ask("GET /v1/token").string("/id"))
    for isByOperator in [true, false] {
      let maker = try service.token("write")
      let child = try await service.make(by: maker.text)
      _ = tracked(service)
      if isByOperator {
        _ = service.administration.perform(.revokeToken(maker.id))
      } else {
        _ = try await service.ask("DELETE /v1/tokens/\(maker.id)")
      }
      let asker = isByOperator ? nil : me
      #expect(
        tracked(service) == [
          .tokenRevoked(try id(maker.id), of: account, by: asker),
          .tokenRevoked(try id(child.id), of: account, by: asker),
        ])
      _ = try await service.ask("DELETE /v1/tokens/\(maker.id)")
      #expect(tracked(service) == [])
    }
  }

  @Test("is each session that was begun, and each account that was removed")
  func others() async throws {
    let service = try TestService()
    let account = try #require(Account.ID(service.me.id))
    let me = try id(try await service.ask("GET /v1/token").string("/id"))
    _ = try await service.signIn()
    #expect(tracked(service) == [.sessionBegun(of: account, by: me)])
    let code = try await service.link()
    _ = try await service.begin("{\"code\":\"\(code)\"}")
    let phone = try id(try await service.ask("GET /v1/tokens").string("/tokens/1/id"))
    #expect(
      tracked(service) == [
        .tokenMade(phone, of: account, by: me), .sessionBegun(of: account, by: phone),
      ])
    _ = try await service.begin("{\"code\":\"\(code)\"}")
    #expect(tracked(service) == [])
    _ = service.administration.perform(.removeAccount("me"))
    #expect(tracked(service) == [.accountRemoved(account)])
  }

  @Test("has no name, token, code or cookie in it")
  func idsOnly() async throws {
    let service = try TestService()
    let made = try await service.ask("POST /v1/tokens\n\n{\"name\":\"secret name\"}")
    let code = try await service.link()
    let cookie = try await service.signIn()
    _ = try await service.use(code)
    _ = try await service.ask("DELETE /v1/tokens/\(try #require(made.string("/id")))")
    _ = service.administration.perform(.removeAccount("me"))
    let text = "\(service.happenings.all)"
    let key = String(cookie.split(separator: "=")[1])
    for secret in ["secret name", "goals_", "phone", "\"me\"", code, key] {
      #expect(!text.contains(secret), "\(secret)")
    }
  }
}
