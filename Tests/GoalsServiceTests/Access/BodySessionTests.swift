import TestSupport
import Testing

@testable import GoalsService

extension TestService {
  /// Begins a session by what the body shows.
  func begin(_ body: String, _ fields: String..., as token: String? = nil) async throws -> Answer {
    let head = (["POST /v1/session"] + fields).joined(separator: "\n")
    return try await ask("\(head)\n\n\(body)", as: token)
  }

  /// The status of a read by a cookie.
  fileprivate func status(by cookie: String) async throws -> Int {
    try await ask("GET /v1/goals\nCookie: \(cookie)", as: nil).status
  }
}

extension Answer {
  /// The cookie that it sets, `goals_session=…`.
  fileprivate var cookie: String? {
    field("Set-Cookie")?.split(separator: ";").first.map(String.init)
  }
}

@Suite("A session that the body begins") struct BodySessionTests {
  private static let own = "Origin: http://goals.example"
  private static let stale = "Cookie: goals_session=" + String(repeating: "0", count: 64)

  @Test("by a code has a token of the link's name and maker")
  func code() async throws {
    let service = try TestService()
    let maker = try #require(try await service.ask("GET /v1/token").string("/id"))
    let body = "{\"code\":\"\(try await service.link())\"}"
    let begun = try await service.begin(body)
    #expect(begun.status == 204)
    let cookie = try #require(begun.cookie)
    let token = try await service.ask("GET /v1/token\nCookie: \(cookie)", as: nil)
    #expect(token.string("/name") == "phone" && token.string("/scope") == "write")
    let listed = try await service.ask("GET /v1/tokens")
    #expect(listed.list("/tokens", "/name") == ["first token", "phone"])
    #expect(listed.string("/tokens/1/madeBy") == maker)
    #expect(try await service.begin(body).status == 401)
    #expect(try await service.status(by: cookie) == 200)
  }

  @Test("by a token makes none")
  func token() async throws {
    let service = try TestService()
    let begun = try await service.begin("{\"token\":\"\(service.me.token)\"}")
    #expect(begun.status == 204)
    #expect(try await service.status(by: try #require(begun.cookie)) == 200)
    #expect(try await service.names() == ["first token"])
  }

  @Test("takes the place of the one that the browser had", arguments: [true, false])
  func replaces(_ isCode: Bool) async throws {
    let service = try TestService()
    let (old, other) = (try await service.signIn(), try await service.signIn())
    let listener = try await service.listen("GET /v1/changes\nCookie: \(old)")
    #expect(await listener.next()?.data == "")
    let body =
      isCode
      ? "{\"code\":\"\(try await service.link())\"}" : "{\"token\":\"\(service.me.token)\"}"
    let begun = try await service.begin(body, "Cookie: \(old)", Self.own)
    #expect(begun.status == 204)
    #expect(try await service.status(by: old) == 401)
    #expect(await listener.nextEvent() == nil)
    #expect(try await service.status(by: other) == 200)
    #expect(try await service.status(by: try #require(begun.cookie)) == 200)
  }

  @Test("is begun beside the cookie of a session that is over", arguments: [true, false])
  func stale(_ isCode: Bool) async throws {
    let service = try TestService()
    let body =
      isCode
      ? "{\"code\":\"\(try await service.link())\"}" : "{\"token\":\"\(service.me.token)\"}"
    #expect(try await service.begin(body, Self.stale).status == 204)
  }

  @Test("is refused to a page of another origin, which uses nothing up", arguments: [true, false])
  func crossOrigin(_ isSignedIn: Bool) async throws {
    let service = try TestService()
    let bodies = [
      "{\"code\":\"\(try await service.link())\"}", "{\"token\":\"\(service.me.token)\"}",
    ]
    for body in bodies {
      let cookie = isSignedIn ? "Cookie: \(try await service.signIn())" : Self.stale
      for origin in [
        "http://evil.example", "null", "http://goals.example\nSec-Fetch-Site: cross-site",
      ] {
        let answer = try await service.begin(body, cookie, "Origin: \(origin)")
        #expect(answer.status == 403 && answer.code == "cross-origin", "\(origin)")
      }
      // Without a session a request without an origin is no page's.
      #expect(try await service.begin(body, cookie).status == (isSignedIn ? 403 : 204))
      if isSignedIn { #expect(try await service.begin(body, cookie, Self.own).status == 204) }
    }
  }

  @Test("by a token that opens nothing is a failed sign-in")
  func failed() async throws {
    var policy = AccessPolicy.unlimited
    policy.failedSignIns = 3
    let service = try TestService(policy: policy)
    let (id, revoked) = try service.token("read")
    _ = service.administration.perform(.revokeToken(id))
    for token in [revoked, "goals_x", ""] {
      let answer = try await service.begin("{\"token\":\"\(token)\"}")
      #expect(answer.status == 401 && answer.code == "unauthenticated")
    }
    #expect(try await service.begin("{\"token\":\"x\"}").status == 429)
    #expect(try await service.begin("{\"token\":\"\(service.me.token)\"}").status == 204)
  }

  @Test("needs one credential", arguments: ["{}", ""])
  func none(_ body: String) async throws {
    let service = try TestService()
    #expect(try await service.begin(body).status == 401)
    let cookie = "Cookie: \(try await service.signIn())"
    #expect(try await service.begin(body, cookie, Self.own).status == 401)
    #expect(try await service.begin(body, as: service.me.token).status == 204)
  }

  @Test("takes no second credential")
  func several() async throws {
    let service = try TestService()
    let (code, token) = (try await service.link(), service.me.token)
    let both = try await service.begin("{\"token\":\"\(token)\",\"code\":\"\(code)\"}")
    #expect(both.status == 422 && both.pointers == ["/code"])
    #expect(try await service.begin("{\"token\":\"\(token)\"}", as: token).status == 422)
    #expect(try await service.use(code).status == 201)
  }

  @Test("is none for a token that may only bump, which uses no link up")
  func button() async throws {
    let service = try TestService()
    try await service.addGoals(1)
    let goal = TestService.id(1)
    let code = try await service.link(",\"scope\":\"bump\",\"goal\":\"\(goal)\"")
    let token = try service.token("bump", goal: goal).text
    for body in ["{\"token\":\"\(token)\"}", "{\"code\":\"\(code)\"}"] {
      let answer = try await service.begin(body)
      #expect(answer.status == 403 && answer.code == "forbidden", "\(body)")
    }
    #expect(try await service.use(code).status == 201)
  }
}
