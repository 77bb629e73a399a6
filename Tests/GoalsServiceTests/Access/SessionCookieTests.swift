import Testing

@testable import GoalsService

private let nobody = String(repeating: "0", count: 64)

@Suite("The cookie of a session") struct SessionCookieTests {
  private func service(_ url: String) throws -> TestService {
    var policy = AccessPolicy.unlimited
    policy.publicURL = Origin(url)
    policy.failedSignIns = 1
    return try TestService(policy: policy)
  }

  private func list(_ service: TestService, _ cookie: String) async throws -> Answer {
    try await service.ask("GET /v1/goals\nCookie: \(cookie)", as: nil)
  }

  @Test(
    "is this host's alone where people come by https",
    arguments: [
      ("https://goals.example", "__Host-goals_session="),
      ("http://goals.example", "goals_session="),
    ])
  func name(_ url: String, _ name: String) async throws {
    let service = try service(url)
    let set = try #require(try await service.ask("POST /v1/session").field("Set-Cookie"))
    #expect(set.hasPrefix(name))
    // What browsers ask of such a name: Secure, Path=/ and no Domain.
    #expect(set.contains("; Path=/;"))
    #expect(!set.lowercased().contains("domain"))
    #expect(set.hasSuffix("; Secure") == url.hasPrefix("https"))
    let cookie = try await service.signIn()
    #expect(try await list(service, cookie).status == 200)
    let closed = try await service.ask(
      "DELETE /v1/session\nOrigin: \(url)\nCookie: \(cookie)", as: nil)
    let isTaken = "\(name); Path=/; Max-Age=0;"
    #expect(closed.field("Set-Cookie")?.hasPrefix(isTaken) == true)
    // What ended the session may be lost with a database: no browser keeps the cookie.
    let again = try await service.ask(
      "DELETE /v1/session\nOrigin: \(url)\nCookie: \(cookie)", as: nil)
    #expect(again.status == 401)
    #expect(again.field("Set-Cookie")?.hasPrefix(isTaken) == true)
    #expect(try await list(service, cookie).field("Set-Cookie") == nil)
  }

  @Test(
    "opens nothing under the name that it does not have here, and is no attempt",
    arguments: ["https://goals.example", "http://goals.example"])
  func otherName(_ url: String) async throws {
    let service = try service(url)
    let cookie = try await service.signIn()
    let other =
      cookie.hasPrefix("__Host-") ? String(cookie.dropFirst(7)) : "__Host-" + cookie
    for _ in 1...3 {
      let answer = try await list(service, other)
      #expect(answer.code == "unauthenticated")
      #expect(answer.field("WWW-Authenticate") == "Bearer")
    }
  }

  @Test(
    "is refused beside another, and that is no failed sign-in",
    arguments: ["https://goals.example", "http://goals.example"])
  func several(_ url: String) async throws {
    let service = try service(url)
    let cookie = try await service.signIn()
    let two = [
      "\(cookie); \(cookie)", "\(cookie)\nCookie: \(cookie)",
      "goals_session=\(nobody); \(cookie)", "__Host-goals_session=\(nobody); \(cookie)",
      "goals_session=; __Host-goals_session=", "goals_session=\(nobody); goals_session=x",
    ]
    for value in two {
      for _ in 1...3 {
        let answer = try await list(service, value)
        #expect(answer.status == 401, "\(value)")
        #expect(answer.code == "unauthenticated")
        #expect(answer.body.contains("several session cookies"))
      }
      // With a token nobody looks at them.
      let answer = try await service.ask("GET /v1/goals\nCookie: \(value)")
      #expect(answer.status == 200)
    }
    let own = cookie.prefix { $0 != "=" }
    for status in [401, 429] {
      #expect(try await list(service, "\(own)=\(nobody)").status == status)
    }
  }

  @Test("of the other name is taken away with a new one, so that a browser shows one again")
  func takenAway() async throws {
    let service = try service("https://goals.example")
    let answer = try await service.ask("POST /v1/session\nCookie: goals_session=\(nobody)")
    let set = answer.fields("Set-Cookie")
    #expect(set.map { $0.prefix { $0 != "=" } } == ["__Host-goals_session", "goals_session"])
    #expect(
      set.last == "goals_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure")
    #expect(try await service.ask("POST /v1/session").fields("Set-Cookie").count == 1)
  }
}

@Suite("A challenge") struct ChallengeTests {
  private static let shown: [(String, String)] = [
    ("GET /v1/goals", "Bearer"), ("GET /v1/goals\nCookie: a=b", "Bearer"),
    ("GET /v1/goals\nCookie: goals_session=\(nobody)", "Bearer"),
    ("GET /v1/goals\nCookie: goals_session=x", "Bearer"),
    ("GET /v1/goals\nAuthorization: Basic bWU6bWU=", "Bearer"),
    ("GET /v1/goals\nAuthorization: ", "Bearer"), ("GET /v1/goals\nAuthorization: x", "Bearer"),
    ("GET /v1/goals\nAuthorization: Bearer", "Bearer"),
    ("GET /v1/goals\nAuthorization: bearer x", "Bearer"),
    ("GET /v1/goals\nAuthorization: Bearer eyJhbGciOiJub25lIn0.e30.", "Bearer"),
    ("GET /v1/goals\nAuthorization: Negotiate YII=", "Bearer"),
    ("GET /v1/goals\nAuthorization: bearer goals_x", #"Bearer error="invalid_token""#),
    ("GET /v1/goals\nAuthorization: Bearer goals_", #"Bearer error="invalid_token""#),
    ("GET /v1/goals\nAuthorization: Bearer goals_\(nobody) x", #"Bearer error="invalid_token""#),
    ("GET /v1/goals\nAuthorization: goals_\(nobody)", "Bearer"),
    ("GET /v1/goals\nAuthorization: Bearer a b", "Bearer"),
    ("GET /v1/goals\nAuthorization: Bearer goals_\(nobody)", #"Bearer error="invalid_token""#),
    (
      "POST /v1/goals\nAuthorization: Bearer goals_\(nobody)\n\n{}",
      #"Bearer error="invalid_token""#
    ),
  ]

  /// RFC 6750 §3: "If the request lacks any authentication information (e.g., the client was
  /// unaware that authentication is necessary or attempted using an unsupported authentication
  /// method), the resource server SHOULD NOT include an error code or other error information."
  @Test("says what is wrong with a token, and nothing where none was shown", arguments: shown)
  func unauthenticated(_ request: String, _ challenge: String) async throws {
    let answer = try await TestService().ask(request, as: nil)
    #expect(answer.status == 401)
    #expect(answer.code == "unauthenticated")
    #expect(answer.field("WWW-Authenticate") == challenge)
  }

  @Test("says that a token was valid once no more than that it never was")
  func revoked() async throws {
    let service = try TestService()
    let (id, text) = try service.token("read")
    _ = service.administration.perform(.revokeToken(id))
    let (revoked, unknown) = try await (
      service.ask("GET /v1/goals", as: text), service.ask("GET /v1/goals", as: "goals_" + nobody)
    )
    #expect(revoked.field("WWW-Authenticate") == #"Bearer error="invalid_token""#)
    #expect(revoked.body == unknown.body)
  }

  @Test("is none where another page sends the request")
  func crossOrigin() async throws {
    let service = try TestService()
    let crossOrigin = try await service.ask(
      "POST /v1/goals\nCookie: \(try await service.signIn())\n\n{}", as: nil)
    #expect(crossOrigin.code == "cross-origin")
    #expect(crossOrigin.field("WWW-Authenticate") == nil)
  }
}
