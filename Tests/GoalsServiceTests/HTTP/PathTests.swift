import Testing

@testable import GoalsService

private let a = TestService.id(1)

@Suite("A path") struct PathTests {
  private static let unknown = [
    "/v1", "/v1/", "/index.html", "/v1/goals/", "/v2/goals", "/v1/Goals", "/v1/goals/\(a)/",
    "/docs/",
    "/v1/goals/\(a)/bumps", "/v1/edits/\(a)/redo", "/favicon.ico",
  ]

  @Test("that is not there is not found, with a token or without", arguments: unknown)
  func notFound(_ path: String) async throws {
    let service = try TestService()
    for token in [nil, service.me.token] {
      let answer = try await service.ask("GET \(path)", as: token)
      #expect(answer.status == 404)
      #expect(answer.code == "not-found")
    }
  }

  private static let methods: [(String, String, String)] = [
    ("/v1/goals", "DELETE", "GET, HEAD, POST, OPTIONS"),
    ("/v1/goals/\(a)", "POST", "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"),
    ("/v1/goals/\(a)/bump", "GET", "POST, OPTIONS"),
    ("/v1/goals/\(a)/skip", "HEAD", "POST, OPTIONS"),
    ("/v1/goals/\(a)/move", "PUT", "POST, OPTIONS"),
    ("/v1/activity", "GET", "PUT, OPTIONS"),
    ("/v1/edits", "PUT", "GET, HEAD, POST, OPTIONS"),
    ("/v1/edits/\(a)", "DELETE", "GET, HEAD, OPTIONS"),
    ("/v1/edits/\(a)/undo", "GET", "POST, OPTIONS"),
    ("/v1/account", "POST", "GET, HEAD, PATCH, OPTIONS"),
    ("/", "PUT", "GET, HEAD, OPTIONS"),
    ("/openapi.yaml", "POST", "GET, HEAD, OPTIONS"),
    ("/healthz", "DELETE", "GET, HEAD, OPTIONS"),
    ("/readyz", "POST", "GET, HEAD, OPTIONS"),
    ("/healthz", "TRACE", "GET, HEAD, OPTIONS"),
  ]

  @Test("says which methods it has", arguments: methods)
  func methodNotAllowed(_ path: String, _ method: String, _ allowed: String) async throws {
    let service = try TestService()
    let answer = try await service.ask("\(method) \(path)")
    #expect(answer.status == 405)
    #expect(method == "HEAD" || answer.code == "method-not-allowed")
    #expect(answer.field("Allow") == allowed)
    for request in ["OPTIONS \(path)", "OPTIONS \(path)\n\n{}"] {
      let options = try await service.ask(request, as: nil)
      #expect(options.status == 204)
      #expect(options.field("Allow") == allowed)
    }
  }

  @Test(
    "whose id is no UUID names nothing",
    arguments: [
      ("GET /v1/goals/x", "unknown-goal"), ("DELETE /v1/goals/x", "unknown-goal"),
      ("PUT /v1/goals/x\n\n{\"title\":\"A\"}", "unknown-goal"),
      ("PATCH /v1/goals/x\n\n{}", "unknown-goal"), ("POST /v1/goals/x/bump", "unknown-goal"),
      ("POST /v1/goals/%00000000-0000-0000-0000-000000000001x/skip", "unknown-goal"),
      ("POST /v1/goals/x/move\n\n{\"before\":null}", "unknown-goal"),
      ("GET /v1/edits/x", "unknown-edit"), ("POST /v1/edits/x/undo", "unknown-edit"),
    ])
  func noUUID(_ request: String, _ code: String) async throws {
    let service = try TestService()
    guard !request.contains("%00") else {
      await #expect(throws: Answer.Unexpected.self) { try await service.ask(request) }
      return
    }
    let answer = try await service.ask(request)
    #expect(answer.status == 404)
    #expect(answer.code == code)
  }

  @Test(
    "that takes no query refuses one",
    arguments: [
      "GET /v1/goals/\(a)?active=true", "POST /v1/goals/\(a)/bump?by=1", "GET /v1/account?x",
      "GET /v1/edits/\(a)?x=1", "DELETE /v1/goals/\(a)?x=", "GET /healthz?x=1", "GET /readyz?x=1",
      "GET /openapi.yaml?x=1", "GET /v1/export?x=1",
      "POST /v1/edits?atomic=true\n\n{\"edits\":[1]}",
    ])
  func unknownQuery(_ request: String) async throws {
    let answer = try await TestService().ask(request)
    #expect(answer.status == 422)
    #expect(answer.pointers.count == 1)
  }
}
