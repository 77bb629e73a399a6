import GoalsCore
import HTTPServer
import TestSupport
import Testing

@testable import GoalsService
@testable import GoalsStore

extension TestService {
  /// The code of a new link.
  ///
  /// - Parameter members: more than the name `phone`, each after a comma.
  func link(_ members: String = "", as token: String? = nil) async throws -> String {
    let answer = try await ask(
      "POST /v1/tokens\n\n{\"name\":\"phone\",\"link\":true\(members)}", as: token ?? me.token)
    guard answer.status == 201, let code = answer.string("/link")?.split(separator: "=").last else {
      throw Answer.Unexpected("\(answer.status) \(answer.body)")
    }
    return String(code)
  }

  /// Makes a token by a code, as somebody does who has none.
  ///
  /// - Parameter members: more than the code, each after a comma.
  func use(
    _ code: String, _ members: String = "", from peer: Peer = .unix
  ) async throws -> Answer {
    let text = "POST /v1/tokens\n\n{\"code\":\"\(code)\"\(members)}"
    return try await ask(
      bytes: Self.bytes(of: text, token: nil, type: "application/json"), from: peer)
  }

  /// The names of the listed tokens.
  func names() async throws -> [String] {
    try await ask("GET /v1/tokens").list("/tokens", "/name")
  }
}

@Suite("A sign-in link") struct LinkTests {
  private static let wrong = "00000000000000000000000000000000"

  @Test("has a code, and is no token yet")
  func made() async throws {
    let service = try TestService()
    let maker = try #require(try await service.ask("GET /v1/token")["/id"])
    let made = try await service.ask(
      "POST /v1/tokens\n\n{\"name\":\" phone \",\"scope\":\"count\",\"link\":true}")
    #expect(made.status == 201)
    let link = try #require(made.string("/link"))
    let code = try #require(link.split(separator: "=").last)
    #expect(link == "http://goals.example/#code=\(code)")
    #expect(code.utf8.count == 32 && UInt64(code.prefix(16), radix: 16) != nil)
    #expect(
      made.body == """
        {"name":"phone","scope":"count","goal":null,"madeBy":\(maker),"expiresAt":null,\
        "link":"\(link)","linkExpiresAt":"2026-11-20T12:15:00.000Z"}
        """)
    #expect(try await service.names() == ["first token"])
  }

  @Test("leads to where people reach the server, where that is said")
  func publicURL() async throws {
    var policy = AccessPolicy.unlimited
    policy.publicURL = Origin("https://goals.example:8443")
    let made = try await TestService(policy: policy).ask(
      "POST /v1/tokens\n\n{\"name\":\"phone\",\"link\":true}")
    #expect(made.string("/link")?.hasPrefix("https://goals.example:8443/#code=") == true)
  }

  @Test("makes one token, which is called as the link says, or as is asked")
  func makesToken() async throws {
    let service = try TestService()
    let maker = try #require(try await service.ask("GET /v1/token").string("/id"))
    for (members, name) in [("", "phone"), (",\"name\":\" tablet \"", "tablet")] {
      let code = try await service.link()
      let made = try await service.use(code, members)
      #expect(made.status == 201)
      #expect(made.string("/name") == name && made.string("/madeBy") == maker)
      let text = try #require(made.string("/token"))
      #expect(try await service.ask("GET /v1/goals", as: text).status == 200)
      let again = try await service.use(code, members)
      #expect(again.status == 401 && again.code == "unauthenticated")
      #expect(again.field("WWW-Authenticate") == #"Bearer error="invalid_token""#)
    }
    #expect(try await service.names() == ["first token", "phone", "tablet"])
  }

  @Test("makes a token that may do what the link says, until then")
  func rights() async throws {
    let service = try TestService()
    try await service.addGoals(1)
    let (goal, expires) = (TestService.id(1), "2026-11-21T00:00:00.000Z")
    let code = try await service.link(
      ",\"scope\":\"bump\",\"goal\":\"\(goal)\",\"expiresAt\":\"\(expires)\"")
    let made = try await service.use(code)
    #expect(made.string("/scope") == "bump" && made.string("/goal") == goal)
    #expect(made.string("/expiresAt") == expires)
    let text = try #require(made.string("/token"))
    #expect(try await service.ask("POST /v1/goals/\(goal)/bump", as: text).status == 200)
    #expect(try await service.ask("GET /v1/goals", as: text).status == 403)
  }

  @Test("makes one token for all who use it at once")
  func atOnce() async throws {
    let service = try TestService()
    let code = try await service.link()
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 1...16 { group.addTask { try await service.use(code).status } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses.sorted() == [201] + [Int](repeating: 401, count: 15))
    #expect(try await service.names() == ["first token", "phone"])
  }

  @Test("works for 15 minutes, and no longer than its maker or its token")
  func end() async throws {
    for (members, expires, minutes) in [
      ("", nil, 15), ("", "2026-11-20T12:10:00Z", 10),
      (",\"expiresAt\":\"2026-11-20T12:05:00Z\"", nil, 5),
    ] as [(String, String?, Int64)] {
      for late in [false, true] {
        let service = try TestService()
        let maker = try service.token("write", expires: expires)
        let code = try await service.link(members, as: maker.text)
        let end = service.clock.now.adding(milliseconds: minutes * 60_000)
        service.clock.set(to: late ? end : end.adding(milliseconds: -1))
        #expect(try await service.use(code).status == (late ? 401 : 201), "\(minutes)")
      }
    }
  }

  @Test("that opens nothing is a failed sign-in")
  func failed() async throws {
    var policy = AccessPolicy.unlimited
    policy.failedSignIns = 10
    let service = try TestService(policy: policy)
    let (peer, code) = (Peer.internet(address: "192.0.2.1", port: 1), try await service.link())
    for number in 1...10 {
      let answer =
        number.isMultiple(of: 2)
        ? try await service.use(Self.wrong, from: peer)
        : try await service.ask(
          bytes: TestService.bytes(
            of: "POST /v1/session\n\n{\"code\":\"x\"}", token: nil, type: "application/json"),
          from: peer)
      #expect(answer.status == 401)
    }
    let refused = try await service.use(Self.wrong, from: peer)
    #expect(refused.status == 429 && refused.field("Retry-After") == "60")
    let failures = service.happenings.all.count { happening in
      if case .signInFailed(let client) = happening { client == "192.0.2.1" } else { false }
    }
    #expect(failures == 10)
    // Whoever has a link is let in all the same.
    #expect(try await service.use(code, from: peer).status == 201)
  }

  @Test(
    "is not used up by a request that is refused otherwise",
    arguments: [
      (",\"name\":\"\"", "", 422), (",\"name\":7", "", 422), (",\"x\":1", "", 422),
      (",\"link\":true", "", 422), (",\"scope\":\"read\"", "", 422), (",", "", 400),
      ("", "Content-Encoding: gzip", 415),
    ])
  func keeps(_ members: String, _ field: String, _ status: Int) async throws {
    let service = try TestService()
    let code = try await service.link()
    for target in ["/v1/tokens", "/v1/session"] {
      let head = field.isEmpty ? "POST \(target)" : "POST \(target)\n\(field)"
      let answer = try await service.ask(
        "\(head)\n\n{\"code\":\"\(code)\"\(members)}", as: nil)
      #expect(answer.status == status, "\(target): \(answer.body)")
    }
    #expect(try await service.use(code).status == 201)
  }

  @Test("is not looked at beside a token in Authorization")
  func besideToken() async throws {
    let service = try TestService()
    let (code, token) = (try await service.link(), try service.token("read").text)
    let body = "{\"code\":\"\(code)\"}"
    let made = try await service.ask("POST /v1/tokens\n\n\(body)")
    #expect(made.status == 422 && made.pointers == ["/code"])
    for token in [token, service.me.token] {
      #expect(try await service.begin(body, as: token).status == 422)
    }
    #expect(try await service.ask("POST /v1/tokens\n\n\(body)", as: "goals_x").status == 401)
    #expect(try await service.begin(body, as: "goals_x").status == 401)
    let field = "Authorization: Bearer eyJhbGciOiJub25lIn0.e30."
    #expect(try await service.ask("POST /v1/tokens\n\(field)\n\n\(body)", as: nil).status == 201)
  }

  @Test("goes with the token that made it, and with its account", arguments: [true, false])
  func goes(_ isRevoked: Bool) async throws {
    let service = try TestService()
    let maker = try service.token("write")
    let code = try await service.link(as: maker.text)
    if isRevoked {
      #expect(try await service.ask("DELETE /v1/tokens/\(maker.id)").status == 204)
    } else {
      _ = service.administration.perform(.removeAccount("me"))
    }
    #expect(try await service.use(code).status == 401)
    #expect(try await service.begin("{\"code\":\"\(code)\"}").status == 401)
  }

  @Test("is one of at most a hundred that wait")
  func limit() async throws {
    let service = try TestService()
    let first = try await service.link()
    for _ in 2...LinkRecord.maximumPerAccount { _ = try await service.link() }
    let add = "POST /v1/tokens\n\n{\"name\":\"phone\",\"link\":true}"
    let refused = try await service.ask(add)
    #expect(refused.status == 409 && refused.code == "limit-reached")
    #expect(
      service.administration.perform(
        .addToken(
          .init(account: "me", name: "x", scope: "read", goal: nil, expires: nil, link: true)))
        == .failed("The account has as many links as it may have. They end by themselves."))
    #expect(try await service.use(first).status == 201)
    #expect(try await service.ask(add).status == 201)
    #expect(try await service.ask(add).status == 409)
    service.clock.advance(bySeconds: 15 * 60)
    #expect(try await service.ask(add).status == 201)
  }

  @Test("stays where the account has as many tokens as it may")
  func fullOfTokens() async throws {
    let service = try TestService()
    let code = try await service.link()
    let account = try #require(Account.ID(service.me.id))
    for number in 1..<UInt64(TokenCount.maximumInUse) {
      let token = TokenRecord(
        id: TokenRecord.ID(high: 0, low: number), account: account, name: "t", scope: .read,
        secret: Token { number }.secret, createdAt: service.clock.now)
      #expect(try service.store.book.addToken(token, nil))
    }
    for answer in [
      try await service.use(code), try await service.begin("{\"code\":\"\(code)\"}"),
    ] {
      #expect(answer.status == 409 && answer.code == "limit-reached")
    }
    let last = TokenRecord.ID(high: 0, low: 1)
    #expect(try await service.ask("DELETE /v1/tokens/\(last)").status == 204)
    #expect(try await service.use(code).status == 201)
  }

  @Test("is made by who may write only", arguments: ["read", "count", "bump"])
  func scope(_ scope: String) async throws {
    let service = try TestService()
    try await service.addGoals(1)
    let (_, text) = try service.token(scope, goal: scope == "bump" ? TestService.id(1) : nil)
    let answer = try await service.ask(
      "POST /v1/tokens\n\n{\"name\":\"x\",\"link\":true}", as: text)
    #expect(answer.code == "forbidden")
  }

  @Test("of an operator works for a day, and names no maker")
  func operators() async throws {
    let service = try TestService()
    let reply = service.administration.perform(.addAccount(name: "Ann", timeZone: nil, link: true))
    guard case .addedAccount(let ann) = reply, let link = ann.link else {
      throw Answer.Unexpected("\(reply)")
    }
    #expect(ann.token == nil)
    #expect(link.endsAt == "2026-11-21T12:00:00.000Z")
    service.clock.advance(bySeconds: 86_399)
    let made = try await service.use(link.code)
    #expect(made.status == 201 && made["/madeBy"] == "null")
    let account = try await service.ask("GET /v1/account", as: made.string("/token"))
    #expect(account.string("/id") == ann.id)
    let added = service.administration.perform(
      .addToken(
        .init(account: "Ann", name: "pad", scope: "read", goal: nil, expires: nil, link: true)))
    guard case .addedLink(let pad) = added else { throw Answer.Unexpected("\(added)") }
    #expect(pad.name == "pad" && pad.scope == "read" && pad.expiresAt == nil)
    #expect(try await service.use(pad.code).string("/name") == "pad")
  }

  @Test("lets a device that may only count choose no other's name")
  func takenName() async throws {
    let service = try TestService()
    _ = try service.token("write", name: "laptop")
    let code = try await service.link(",\"scope\":\"count\"")
    let refused = try await service.use(code, ",\"name\":\"laptop\"")
    #expect(refused.status == 422 && refused.pointers == ["/name"])
    #expect(try await service.use(code, ",\"name\":\"watch\"").string("/name") == "watch")
    let writer = try await service.link()
    #expect(try await service.use(writer, ",\"name\":\"laptop\"").status == 201)
  }

  @Test("is asked for no more often from an address than a token may ask")
  func strangers() async throws {
    var policy = AccessPolicy()
    (policy.rateLimit, policy.rateBurst, policy.failedSignIns) = (1, 2, 0)
    let service = try TestService(policy: policy)
    let peer = Peer.internet(address: "192.0.2.7", port: 1)
    for status in [401, 401, 429] {
      #expect(try await service.use("00", from: peer).status == status)
    }
    service.clock.advance(bySeconds: 1)
    #expect(try await service.use("00", from: peer).status == 401)
  }
}
