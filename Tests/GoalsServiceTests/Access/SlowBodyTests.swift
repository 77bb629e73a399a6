import GoalsCore
import GoalsStore
import HTTP
import HTTPServer
import TestSupport
import Testing

@testable import GoalsService

@Suite("A request whose body comes late") struct SlowBodyTests {
  /// What a request is answered with that was let in by its head, when its body is whole;
  /// `meanwhile` happens in between.
  private func answer(
    _ service: TestService, _ bytes: [UInt8], meanwhile: () throws -> Void
  ) async throws -> Answer {
    let request = try TestService.request(bytes)
    guard case .accept(_, let respond) = service.gateway.handler.admit(request.head, Visitor(.unix))
    else {
      throw Answer.Unexpected("a refusal by the head")
    }
    try meanwhile()
    let reply = await handedOver { respond(request, Responder(deliver: $0)) }
    guard case .whole(let response) = reply else { throw Answer.Unexpected("a stream") }
    return try Answer(response, to: request.method)
  }

  private func bytes(_ text: String, token: String?) -> [UInt8] {
    TestService.bytes(of: text, token: token, type: "application/json")
  }

  @Test(
    "does nothing once its token is revoked",
    arguments: [
      "POST /v1/tokens\n\n{\"name\":\"button\",\"scope\":\"read\"}",
      "POST /v1/goals\n\n{\"title\":\"Yoga\"}", "POST /v1/edits\n\n{\"edits\":[7]}",
    ])
  func revoked(text: String) async throws {
    let service = try TestService()
    let (id, token) = try service.token("write")
    let answer = try await answer(service, bytes(text, token: token)) {
      _ = service.administration.perform(.revokeToken(id))
    }
    #expect(answer.code == "unauthenticated")
    #expect(try await service.ask("GET /v1/account")["/version"] == "0")
    let tokens = try await service.ask("GET /v1/tokens")
    #expect(!tokens.body.contains("button"))
  }

  @Test("does nothing once its token has expired")
  func expired() async throws {
    let service = try TestService()
    let (_, token) = try service.token("write", expires: "2026-11-20T13:00:00Z")
    let request = bytes("POST /v1/goals\n\n{\"title\":\"Yoga\"}", token: token)
    let answer = try await answer(service, request) { service.clock.advance(bySeconds: 3600) }
    #expect(answer.code == "unauthenticated")
  }

  @Test("renews its session when it is whole, and says so")
  func renewal() async throws {
    let service = try TestService()
    let cookie = try await service.signIn()
    service.clock.advance(bySeconds: 86_399)
    let fields = "Origin: http://goals.example\nCookie: \(cookie)"
    let request = bytes("POST /v1/goals\n\(fields)\n\n{\"title\":\"Yoga\"}", token: nil)
    let answer = try await answer(service, request) { service.clock.advance(bySeconds: 1) }
    #expect(answer.status == 201)
    #expect(answer.field("Set-Cookie")?.hasPrefix(cookie) == true)
  }
}
