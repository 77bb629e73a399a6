import Testing

@testable import GoalsService

private let a = TestService.id(1)

@Suite("A request without a valid token") struct UnauthenticatedTests {
  @Test("is told so, and by which scheme to come in")
  func noToken() async throws {
    let answer = try await TestService().ask("GET /v1/goals", as: nil)
    #expect(answer.status == 401)
    #expect(answer.field("Content-Type") == "application/problem+json")
    #expect(answer.field("Cache-Control") == "no-store")
    #expect(answer.field("X-Content-Type-Options") == "nosniff")
    #expect(
      answer.body == """
        {"type":"/docs#unauthenticated","title":"Unauthorized","status":401,\
        "detail":"A valid token is needed: Authorization: Bearer …","code":"unauthenticated"}
        """)
  }

  @Test("is not one whose scheme is written in another case, or with more spaces")
  func scheme() async throws {
    let service = try TestService()
    for scheme in ["bearer", "BEARER", "Bearer  "] {
      let answer = try await service.ask(
        "GET /v1/goals\nAuthorization: \(scheme) \(service.me.token)", as: nil)
      #expect(answer.status == 200)
    }
  }

  @Test("learns neither what is wrong with its body nor what there is")
  func learnsNothing() async throws {
    let service = try TestService()
    try await service.addGoals(1)
    for request in [
      "GET /v1/goals/\(a)", "GET /v1/goals/\(TestService.id(9))", "GET /v1/goals?x=1",
      "POST /v1/goals\n\n{", "PUT /v1/goals/x\n\n[]",
    ] {
      #expect(try await service.ask(request, as: nil).status == 401, "\(request)")
    }
    #expect(
      try await service.ask("POST /v1/goals\n\n{}", as: nil, type: "text/plain").status == 401)
  }
}

@Suite("A token of the scope bump") struct BumpScopeTests {
  @Test("knows its goal by an id in upper case")
  func upperCase() async throws {
    let service = try TestService()
    try await service.addGoals(1)
    let (_, token) = try service.token("bump", goal: a)
    let answer = try await service.ask("POST /v1/goals/\(a.uppercased())/bump", as: token)
    #expect(answer.status == 200)
  }

  private static let bodies: [(String, Int)] = [
    ("{\"by\":1}", 200), ("{\"by\":1000000}", 200), ("{}", 200), ("{\"by\":-1}", 403),
    ("{\"by\":0}", 422), ("{\"by\":2,\"note\":\"button\"}", 403),
  ]

  @Test("may count up only, and write no note", arguments: bodies)
  func by(_ body: String, _ status: Int) async throws {
    let service = try TestService()
    try await service.addGoals(1)
    _ = try await service.ask("POST /v1/goals/\(a)/bump")
    let (_, token) = try service.token("bump", goal: a)
    let answer = try await service.ask("POST /v1/goals/\(a)/bump\n\n\(body)", as: token)
    #expect(answer.status == status)
    let challenge = answer.field("WWW-Authenticate")
    #expect(challenge?.hasSuffix("scope=\"count\"") == (status == 403 ? true : nil))
  }

  @Test("is told the name of its token in the log")
  func device() async throws {
    let service = try TestService()
    try await service.addGoals(1)
    let (_, token) = try service.token("bump", goal: a)
    _ = try await service.ask("POST /v1/goals/\(a)/bump", as: token)
    let log = try await service.ask("GET /v1/edits")
    #expect(log.list("/edits", "/device") == ["first token", "first token", "bump"])
  }
}
