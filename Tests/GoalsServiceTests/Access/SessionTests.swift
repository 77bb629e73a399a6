import ChangePropagation
import TestSupport
import GoalsCore
import Testing

@testable import GoalsService
@testable import GoalsStore

private let write = "POST /v1/goals\n\n{\"title\":\"Run\"}"

extension TestService {
  /// The cookie of a new session, `goals_session=…`.
  func signIn(as token: String? = nil) async throws -> String {
    let answer = try await ask("POST /v1/session", as: token ?? me.token)
    guard answer.status == 204, let cookie = answer.field("Set-Cookie")?.split(separator: ";").first
    else { throw Answer.Unexpected("\(answer.status) \(answer.head)") }
    return String(cookie)
  }

  fileprivate func ask(_ request: String, cookie: String) async throws -> Answer {
    try await ask(request.with("Cookie: \(cookie)"), as: nil)
  }
}

@Suite("A session") struct SessionTests {
  private static let own = "Origin: http://goals.example"

  @Test("is opened with a token, by a cookie that scripts can't read")
  func begin() async throws {
    let service = try TestService()
    let answer = try await service.ask("POST /v1/session")
    #expect(answer.status == 204)
    #expect(answer.body == "")
    #expect(answer.field("Clear-Site-Data") == nil)
    let cookie = try #require(answer.field("Set-Cookie"))
    let parts = cookie.split(separator: "; ")
    #expect(parts[0].hasPrefix("goals_session="))
    #expect(SessionKey(parts[0].dropFirst(14)) != nil)
    #expect(parts.dropFirst() == ["Path=/", "Max-Age=7776000", "HttpOnly", "SameSite=Strict"])
    #expect(try await service.ask("GET /v1/goals", cookie: String(parts[0])).status == 200)
  }

  @Test("has a secure cookie where a proxy that is trusted says HTTPS")
  func secure() async throws {
    var policy = AccessPolicy.unlimited
    for trusts in [true, false] {
      policy.trustsProxy = trusts
      let service = try TestService(policy: policy)
      let answer = try await service.ask("POST /v1/session\nX-Forwarded-Proto: https")
      #expect(answer.field("Set-Cookie")?.hasSuffix("; Secure") == trusts)
    }
  }

  @Test("ends at once when it is closed, with its streams")
  func end() async throws {
    final class Listener: Sendable { let heard = Locked<[Ended]>([]) }
    let service = try TestService()
    let listener = Listener()
    service.authenticator.ended.observe(withContext: listener) { listener, ended in
      listener.heard.change { $0.append(ended) }
    }
    let (cookie, other) = (try await service.signIn(), try await service.signIn())
    #expect(try await service.ask("GET /v1/goals", cookie: cookie).status == 200)
    let refused = try await service.ask(
      "DELETE /v1/session".with(Self.own, "Cookie: \(cookie)"), as: "goals_x")
    #expect(refused.status == 401)
    #expect(refused.field("Set-Cookie") == nil, "the token was refused, not the cookie")
    let closed = try await service.ask("DELETE /v1/session".with(Self.own), cookie: cookie)
    #expect(closed.status == 204)
    #expect(
      closed.field("Set-Cookie")
        == "goals_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict")
    #expect(
      closed.field("Clear-Site-Data") == "\"cache\"", "not what pages store: edits wait there")
    let again = try await service.ask("DELETE /v1/session".with(Self.own), cookie: cookie)
    #expect(again.status == 401)
    #expect(again.field("Clear-Site-Data") == "\"cache\"", "the first answer may have been lost")
    #expect(try await service.ask("GET /v1/goals", cookie: cookie).status == 401)
    #expect(try await service.ask("GET /v1/goals", cookie: other).status == 200)
    service.authenticator.ended.network.settle()
    let key = try #require(SessionKey(cookie.dropFirst("goals_session=".utf8.count)))
    #expect(listener.heard.value == [.session(key.secret)])
  }

  @Test("ends with its token", arguments: ["revoked", "expired", "removed"])
  func endsWithToken(_ how: String) async throws {
    let service = try TestService()
    let expires = how == "expired" ? "2026-11-20T13:00:00Z" : nil
    let (id, text) = try service.token("write", expires: expires)
    let cookie = try await service.signIn(as: text)
    #expect(try await service.ask("GET /v1/goals", cookie: cookie).status == 200)
    switch how {
    case "revoked": _ = service.administration.perform(.revokeToken(id))
    case "expired": service.clock.advance(bySeconds: 3600)
    default: _ = service.administration.perform(.removeAccount("me"))
    }
    #expect(try await service.ask("GET /v1/goals", cookie: cookie).status == 401)
  }

  @Test("lasts for 90 days after a use, and says so to the browser once a day")
  func renewal() async throws {
    let service = try TestService()
    let cookie = try await service.signIn()
    let day: Int64 = 86_400
    service.clock.advance(bySeconds: day - 1)
    #expect(try await service.ask("GET /v1/goals", cookie: cookie).field("Set-Cookie") == nil)
    service.clock.advance(bySeconds: 1)
    let renewed = try await service.ask("GET /v1/goals", cookie: cookie)
    #expect(
      renewed.field("Set-Cookie")
        == "\(cookie); Path=/; Max-Age=7776000; HttpOnly; SameSite=Strict")
    #expect(try await service.ask("GET /v1/goals", cookie: cookie).field("Set-Cookie") == nil)
    try service.authenticator.recordUses()
    service.clock.advance(bySeconds: 90 * day - 1)
    let last = try await service.ask(write.with(Self.own), cookie: cookie)
    #expect(last.status == 201)
    #expect(last.field("Set-Cookie") != nil, "a request with a body renews it, too")
    service.clock.advance(bySeconds: 90 * day)
    #expect(try await service.ask("GET /v1/goals", cookie: cookie).status == 401)
  }

  @Test("is renewed in the store, too, once that is told")
  func recorded() async throws {
    let service = try TestService()
    let cookie = try await service.signIn()
    let key = try #require(SessionKey(cookie.dropFirst("goals_session=".utf8.count)))
    let stored = { try service.store.book.session(key.secret)?.0.renewedAt }
    let begun = service.clock.now
    service.clock.advance(bySeconds: 86_400)
    _ = try await service.ask("GET /v1/goals", cookie: cookie)
    #expect(try stored() == begun)
    // A session that was forgotten meanwhile is not renewed again.
    service.authenticator.end(.token(TokenRecord.ID(high: 0, low: 0)))
    try service.authenticator.recordUses()
    #expect(try stored() == service.clock.now)
  }

  @Test("makes room for another where a token has a hundred")
  func limit() async throws {
    let service = try TestService()
    let first = try await service.signIn()
    #expect(try await service.ask("GET /v1/goals", cookie: first).status == 200)
    let listener = try await service.listen("GET /v1/changes\nCookie: \(first)")
    #expect(await listener.next()?.data == "")
    service.clock.advance(bySeconds: 1)
    for _ in 0..<SessionRecord.maximumPerToken { _ = try await service.signIn() }
    #expect(try await service.ask("GET /v1/goals", cookie: first).status == 401)
    #expect(await listener.nextEvent() == nil)
  }

  @Test("ends with its streams when it was not used for 90 days")
  func lapse() async throws {
    let service = try TestService()
    let cookie = try await service.signIn()
    let (kept, lost) = (
      try await service.listen("GET /v1/changes\nCookie: \(cookie)"),
      try await service.listen(
        "GET /v1/changes\nCookie: \(try await service.signIn())")
    )
    #expect(await lost.next()?.data == "")
    service.clock.advance(bySeconds: 80 * 86_400)
    #expect(try await service.ask("GET /v1/goals", cookie: cookie).status == 200)
    service.clock.advance(bySeconds: 11 * 86_400)
    #expect(await lost.nextEvent() == nil)
    service.hub.queue.sync {}
    #expect(kept.isOpen)
  }

  @Test(
    "holds beside what a proxy or a gateway shows in Authorization",
    arguments: [
      "Basic bWU6bWU=", "Negotiate YII=", "Bearer eyJhbGciOiJub25lIn0.e30.", "Bearer x", "Bearer",
      "", "goals_\(String(repeating: "0", count: 64))",
    ])
  func anothersAuthorization(_ value: String) async throws {
    let service = try TestService()
    let cookie = try await service.signIn()
    let field = "Authorization: \(value)"
    #expect(try await service.ask("GET /v1/goals".with(field), cookie: cookie).status == 200)
    let added = try await service.ask(write.with(field, Self.own), cookie: cookie)
    #expect(added.status == 201)
    let ended = try await service.ask("DELETE /v1/session".with(field, Self.own), cookie: cookie)
    #expect(ended.status == 204)
  }

  @Test("counts for nothing beside a token, whatever that opens")
  func tokenWins() async throws {
    let service = try TestService()
    let cookie = try await service.signIn()
    let wrong = "Authorization: Bearer goals_x"
    for field in [wrong, "Authorization: Basic eDp5\n" + wrong] {
      #expect(try await service.ask("GET /v1/goals".with(field), cookie: cookie).status == 401)
    }
    let (_, reader) = try service.token("read")
    let asReader = try await service.ask(write.with("Cookie: \(cookie)"), as: reader)
    #expect(asReader.code == "forbidden")
  }

  @Test("is found among other cookies, and only under its name")
  func cookies() async throws {
    let service = try TestService()
    let cookie = try await service.signIn()
    let key = cookie.dropFirst("goals_session=".utf8.count)
    let other = try await service.signIn()
    let found: [(String, Int)] = [
      ("a=b; \(cookie); c=d", 200), ("\(cookie);", 200), ("a=b;\(cookie)", 200),
      ("a; =; \(cookie)", 200), ("\(cookie)\nCookie: a=b", 200), ("a=b\nCookie: \(cookie)", 200),
      ("Goals_session=\(key)", 401), ("xgoals_session=\(key)", 401), ("goals_session", 401),
      ("goals_session=", 401), ("goals_session=\"\(key)\"", 401), ("\(cookie)0", 401),
      ("goals_session=\(key.uppercased())", 401), ("a=\(cookie)", 401), ("\(cookie), x=y", 401),
      ("\(cookie); \(cookie)", 401), ("\(cookie)\nCookie: \(other)", 401), ("", 401),
    ]
    for (value, status) in found {
      let answer = try await service.ask("GET /v1/goals", cookie: value)
      #expect(answer.status == status, "Cookie: \(value)")
    }
  }
}

@Suite("A write with a cookie") struct SameOriginTests {
  @Test("needs the origin of this server", arguments: origins)
  func origin(_ fields: String, _ status: Int) async throws {
    let service = try TestService()
    let cookie = try await service.signIn()
    let answer = try await service.ask(
      fields.isEmpty ? write : write.with(fields), cookie: cookie)
    #expect(answer.status == status)
    #expect(status == 201 || answer.code == "cross-origin")
  }

  private static let origins: [(String, Int)] = [
    ("Origin: http://goals.example", 201), ("Origin: HTTP://Goals.Example", 201),
    ("Origin: http://goals.example:80", 201),
    ("Origin: http://goals.example\nSec-Fetch-Site: same-origin", 201),
    ("", 403), ("Origin: null", 403), ("Origin: ", 403), ("Origin: https://goals.example", 403),
    ("Origin: http://goals.example:8080", 403), ("Origin: http://evil.example", 403),
    ("Origin: http://goals.example.evil.example", 403), ("Origin: http://xgoals.example", 403),
    ("Origin: goals.example", 403), ("Origin: http://goals.example/", 403),
    ("Origin: http://goals.example http://evil.example", 403),
    ("Origin: http://goals.example\nOrigin: http://goals.example", 403),
    ("Origin: http://user@goals.example", 403), ("Referer: http://goals.example/", 403),
    ("Origin: http://goals.example\nSec-Fetch-Site: cross-site", 403),
    ("Origin: http://goals.example\nSec-Fetch-Site: same-site", 403),
    ("Sec-Fetch-Site: same-origin", 403),
    ("Origin: http://goals.example\nX-Forwarded-Proto: https", 201),
  ]

  @Test("needs the origin that people type, where that is said")
  func publicURL() async throws {
    var policy = AccessPolicy.unlimited
    policy.publicURL = Origin("https://g.example:8443")
    let service = try TestService(policy: policy)
    let cookie = try await service.signIn()
    for (origin, status) in [
      ("https://g.example:8443", 201), ("http://goals.example", 403), ("https://g.example", 403),
    ] {
      let answer = try await service.ask(write.with("Origin: \(origin)"), cookie: cookie)
      #expect(answer.status == status)
    }
  }

  @Test("needs the scheme that a trusted proxy saw")
  func proxy() async throws {
    var policy = AccessPolicy.unlimited
    policy.trustsProxy = true
    let service = try TestService(policy: policy)
    let cookie = try await service.signIn()
    for (scheme, status) in [("https", 201), ("http", 403)] {
      let answer = try await service.ask(
        write.with(
          "Origin: \(scheme)://goals.example", "X-Forwarded-Proto: http, https"),
        cookie: cookie)
      #expect(answer.status == status)
    }
  }

  @Test("with a token needs none")
  func token() async throws {
    let service = try TestService()
    let answer = try await service.ask(write.with("Origin: http://evil.example"))
    #expect(answer.status == 201)
  }
}
