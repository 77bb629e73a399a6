import Testing

@testable import GoalsService

private let a = TestService.id(1)

@Suite("What a browser is told with every answer") struct BrowserFieldTests {
  @Test("has it ask by https only, where people type https", arguments: ["https", "http", nil])
  func strictTransport(_ scheme: String?) async throws {
    var policy = AccessPolicy.unlimited
    policy.publicURL = scheme.flatMap { Origin("\($0)://goals.example") }
    let service = try TestService(policy: policy)
    for request in ["GET /", "GET /docs", "GET /v1/goals", "GET /none", "OPTIONS /v1/goals"] {
      let answer = try await service.ask(request)
      #expect(
        answer.field("Strict-Transport-Security")
          == (scheme == "https" ? "max-age=31536000" : nil), "\(request)")
    }
  }

  @Test("keeps what it can show out of other pages' frames")
  func frames() async throws {
    let service = try TestService()
    try await service.addGoals(1)
    for request in [
      "GET /", "GET /docs", "GET /openapi.yaml", "GET /client/icon.svg", "GET /client/worker.js",
      "GET /v1/goals", "GET /v1/goals/\(a)/history.svg", "GET /v1/account", "GET /none",
      "POST /v1/goals\n\n{",
    ] {
      var answer = try await service.ask(request)
      if let location = answer.field("Location") {
        answer = try await service.ask("GET \(location)")
      }
      let policy = answer.field("Content-Security-Policy") ?? ""
      #expect(policy.contains("frame-ancestors 'none'"), "\(request)")
    }
  }

  @Test("takes no policy from what it keeps")
  func notModified() async throws {
    let service = try TestService()
    let tag = try await service.ask("GET /").etag ?? ""
    let answer = try await service.ask("GET /\nIf-None-Match: \(tag)")
    #expect(answer.status == 304)
    #expect(answer.field("Content-Security-Policy") == nil)
  }
}
