import GoalsCore
import GoalsStore
import HTTP
import HTTPServer
import TestSupport
import Testing

@testable import GoalsService

@Suite("A connection that stays open") struct VisitorTests {
  let service: TestService
  let visitor = Visitor(.unix)

  init() throws { service = try TestService() }

  /// What a request is answered with that comes over the connection.
  private func ask(
    _ text: String, as token: String?, type: String = "application/json"
  ) async throws -> Answer {
    let bytes = TestService.bytes(of: text, token: token, type: type)
    let request = try TestService.request(bytes)
    let reply: Reply
    switch service.gateway.handler.admit(request.head, visitor) {
    case .lookUp: throw Answer.Unexpected("a look at a store far away")
    case .refuse(let refusal): reply = .whole(refusal)
    case .accept(_, let respond):
      reply = await handedOver { respond(request, Responder(deliver: $0)) }
    }
    guard case .whole(let response) = reply else { throw Answer.Unexpected("a stream") }
    return try Answer(response, to: request.method)
  }

  @Test("serves whoever each request is by, not who came before")
  func turns() async throws {
    let other = try service.administration.addAccountWithToken("other", timeZone: nil)
    for _ in 1...3 {
      #expect(try await ask("GET /v1/account", as: service.me.token)["/name"] == "\"me\"")
      #expect(try await ask("GET /v1/account", as: other.token)["/name"] == "\"other\"")
      #expect(try await ask("GET /v1/account", as: nil).code == "unauthenticated")
    }
  }

  @Test(
    "lets in by what a token is, not by what it looks like",
    arguments: ["goals_", "", "Goals", "x"])
  func wrong(_ end: String) async throws {
    #expect(try await ask("GET /v1/account", as: service.me.token).status == 200)
    let answer = try await ask("GET /v1/account", as: service.me.token + end + "0")
    #expect(answer.code == "unauthenticated")
    let cut = try await ask("GET /v1/account", as: String(service.me.token.dropLast()))
    #expect(cut.code == "unauthenticated")
    #expect(try await ask("GET /v1/account", as: service.me.token).status == 200)
  }

  @Test("is no way in for a request that shows a second field or a cookie beside the token")
  func second() async throws {
    let field = "Authorization: Bearer \(service.me.token)"
    for _ in 1...2 {
      let twice = try await ask("GET /v1/account\n\(field)", as: service.me.token)
      #expect(twice.code == "unauthenticated")
      let other = try await ask("GET /v1/account\nAuthorization: x", as: service.me.token)
      #expect(other.code == "unauthenticated")
      #expect(try await ask("GET /v1/account", as: service.me.token).status == 200)
    }
  }

  @Test("serves a session by its cookie alone, and a token beside it by the token")
  func session() async throws {
    let other = try service.administration.addAccountWithToken("other", timeZone: nil)
    let cookie = try await service.signIn()
    for _ in 1...2 {
      let both = try await ask("GET /v1/account\nCookie: \(cookie)", as: other.token)
      #expect(both["/name"] == "\"other\"")
      #expect(try await ask("GET /v1/account\nCookie: \(cookie)", as: nil)["/name"] == "\"me\"")
    }
  }

  @Test("remembers no longer field than a token needs", arguments: [1, 54, 55, 10_000])
  func long(_ spaces: Int) async throws {
    let field = "Bearer" + String(repeating: " ", count: spaces) + service.me.token
    for _ in 1...2 {
      let answer = try await ask("GET /v1/account\nAuthorization: \(field)", as: nil)
      #expect(answer.status == 200)
      #expect((visitor.attachment != nil) == (field.utf8.count <= 128))
    }
  }

  @Test("is of no use once its token is revoked, nor is another's with a revoked token")
  func revoked() async throws {
    let (id, token) = try service.token("write")
    #expect(try await ask("GET /v1/account", as: token).status == 200)
    #expect(try await ask("GET /v1/account", as: token).status == 200)
    _ = service.administration.perform(.revokeToken(id))
    #expect(try await ask("GET /v1/account", as: token).code == "unauthenticated")
    #expect(try await ask("GET /v1/account", as: token).code == "unauthenticated")
    #expect(try await ask("GET /v1/account", as: service.me.token).status == 200)
  }

  @Test("is of no use once its account is gone")
  func removed() async throws {
    #expect(try await ask("GET /v1/account", as: service.me.token).status == 200)
    _ = service.administration.perform(.removeAccount("me"))
    #expect(try await ask("GET /v1/account", as: service.me.token).code == "unauthenticated")
  }

  @Test("is of no use once its token has expired")
  func expired() async throws {
    let (_, token) = try service.token("read", expires: "2026-11-20T13:00:00Z")
    #expect(try await ask("GET /v1/account", as: token).status == 200)
    service.clock.advance(bySeconds: 3600)
    #expect(try await ask("GET /v1/account", as: token).code == "unauthenticated")
    // Nobody is told what else is wrong who may not come in.
    let unreadable = try await ask("POST /v1/goals\n\n{}", as: token, type: "text/plain")
    #expect(unreadable.code == "unauthenticated")
  }

  @Test("counts every request as a use of its token")
  func uses() async throws {
    for seconds: Int64 in [0, 60, 60] {
      service.clock.advance(bySeconds: seconds)
      _ = try await ask("GET /v1/account", as: service.me.token)
      let tokens = try await ask("GET /v1/tokens", as: service.me.token)
      #expect(tokens["/tokens/0/lastUsedAt"] == "\"\(service.world.now())\"")
    }
  }

  @Test("has the rate limit of its token")
  func rate() async throws {
    var policy = AccessPolicy.unlimited
    policy.rateLimit = 1
    policy.rateBurst = 2
    let service = try TestService(policy: policy)
    let bytes = TestService.bytes(of: "GET /v1/account", token: service.me.token, type: nil)
    let isRefused = try (1...3).map { _ in
      let head = try TestService.request(bytes).head
      if case .refuse(let response) = service.gateway.handler.admit(head, visitor) {
        return response.status == .tooManyRequests
      }
      return false
    }
    #expect(isRefused == [false, false, true])
  }
}

@Suite("A caller whom only a store far away knows")
struct FarCallerTests {
  private let service: TestService
  private let visitor = Visitor(.unix)

  init() throws { service = try TestService(isLogShared: true) }

  /// What is decided of a request by its head; what was looked up for that.
  private func admit(_ token: String) async throws -> (Admission, lookUps: Int) {
    let request = try TestService.request(
      TestService.bytes(of: "GET /v1/account", token: token, type: nil))
    var lookUps = 0
    var admission = service.gateway.handler.admit(request.head, visitor)
    while case .lookUp(let look) = admission {
      lookUps += 1
      visitor.attachment = await handedOver { look($0) }
      if lookUps == 1 { meanwhile() }
      admission = service.gateway.handler.admit(request.head, visitor)
    }
    return (admission, lookUps)
  }

  /// What happens once the caller is found.
  private var meanwhile: () -> Void = {}

  @Test("is looked up once, and then known")
  func once() async throws {
    let (_, token) = try service.token("write")
    for lookUps in [1, 0, 0] {
      let (admission, count) = try await admit(token)
      guard case .accept = admission else { throw Answer.Unexpected("a refusal") }
      #expect(count == lookUps)
    }
  }

  @Test("is not let in by what was found before it was shut out")
  mutating func shutOut() async throws {
    let (id, token) = try service.token("write")
    let administration = service.administration
    meanwhile = { _ = administration.perform(.revokeToken(id)) }
    let (admission, count) = try await admit(token)
    guard case .refuse(let response) = admission else { throw Answer.Unexpected("an admission") }
    #expect(response.status == .unauthorized)
    #expect(count == 2)
  }

  @Test("is refused at once for what can be no token")
  func unknown() async throws {
    let (admission, count) = try await admit("goals_nobody")
    guard case .refuse(let response) = admission else { throw Answer.Unexpected("an admission") }
    #expect(response.status == .unauthorized)
    #expect(count == 0)
  }
}
