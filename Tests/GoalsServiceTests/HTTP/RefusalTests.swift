import HTTP
import Testing

@testable import GoalsService

private let a = TestService.id(1)

@Suite("A request without a valid token") struct UnauthenticatedTests {
  private static let operations = Operation.allCases.filter(\.needsCaller)

  private func request(_ operation: Operation, _ field: String = "") -> String {
    let path = operation.route.path.replacing("{id}", with: a)
    return "\(operation.route.method.rawValue) \(path)\(field)\n\n{}"
  }

  @Test("is refused wherever goals are", arguments: operations)
  func noToken(_ operation: Operation) async throws {
    let answer = try await TestService().ask(request(operation), as: nil)
    #expect(answer.status == 401)
    #expect(answer.code == "unauthenticated")
    #expect(answer.field("WWW-Authenticate") == "Bearer")
    #expect(answer.field("Content-Type") == "application/problem+json")
    #expect(answer.field("Cache-Control") == "no-store")
    #expect(answer.field("X-Content-Type-Options") == "nosniff")
    #expect(
      answer.body == """
        {"type":"/docs#unauthenticated","title":"Unauthorized","status":401,\
        "detail":"A valid token is needed: Authorization: Bearer …","code":"unauthenticated"}
        """)
  }

  private static let values = [
    "", "Bearer", "Bearer ", "Bearer goals_", "Bearer x",
    "Basic \(String(repeating: "0", count: 64))",
    "Bearer goals_\(String(repeating: "0", count: 64))",
    "Bearer goals_\(String(repeating: "0", count: 64)) x",
    "goals_\(String(repeating: "0", count: 64))",
  ]

  @Test("is refused whatever else it says", arguments: values)
  func noSuchToken(_ value: String) async throws {
    let answer = try await TestService().ask("GET /v1/goals\nAuthorization: \(value)", as: nil)
    #expect(answer.status == 401)
    #expect(answer.code == "unauthenticated")
  }

  @Test("is refused with two, even if each is valid")
  func twoTokens() async throws {
    let service = try TestService()
    let answer = try await service.ask("GET /v1/goals\nAuthorization: Bearer \(service.me.token)")
    #expect(answer.status == 401)
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

@Suite("A token of the scope read") struct ReadScopeTests {
  @Test("may read everything, and change nothing", arguments: Operation.allCases)
  func scope(_ operation: Operation) async throws {
    let service = try TestService()
    try await service.addGoals(1)
    let (_, token) = try service.token("read")
    let id = operation.route.path.hasPrefix("/v1/edits/") ? TestService.id(101) : a
    let path = operation.route.path.replacing("{id}", with: id)
    let reads = operation.route.method == .get
    let answer = try await service.ask("\(operation.route.method.rawValue) \(path)", as: token)
    #expect(answer.status == (reads ? 200 : 403))
    #expect(reads || answer.code == "forbidden")
    let head = try await service.ask("HEAD \(path)", as: token)
    let hasGet = Operation.allCases.contains { $0.route == (.get, operation.route.path) }
    #expect(head.status == (hasGet ? 200 : 405))
    #expect(try await service.version() == "2")
  }
}

@Suite("A token of the scope bump") struct BumpScopeTests {
  @Test("may bump its goal, and do nothing else", arguments: Operation.allCases)
  func scope(_ operation: Operation) async throws {
    let service = try TestService()
    try await service.addGoals(1)
    let (_, token) = try service.token("bump", goal: a)
    let path = operation.route.path.replacing("{id}", with: a)
    let answer = try await service.ask("\(operation.route.method.rawValue) \(path)", as: token)
    let isAllowed = operation == .bumpGoal || !operation.needsCaller
    #expect(answer.status == (isAllowed ? 200 : 403))
    #expect(isAllowed || answer.code == "forbidden")
  }

  @Test("may not bump another goal, whether there is one")
  func otherGoal() async throws {
    let service = try TestService()
    try await service.addGoals(2)
    let (_, token) = try service.token("bump", goal: a)
    for id in [TestService.id(2), TestService.id(9), "x"] {
      let answer = try await service.ask("POST /v1/goals/\(id)/bump", as: token)
      #expect(answer.status == 403)
    }
    let answer = try await service.ask("POST /v1/goals/\(a.uppercased())/bump", as: token)
    #expect(answer.status == 200)
  }

  private static let bodies: [(String, Int)] = [
    ("{\"by\":1}", 200), ("{\"by\":1000000}", 200), ("{}", 200), ("{\"by\":-1}", 403),
    ("{\"by\":0}", 422), ("{\"by\":2,\"note\":\"button\"}", 200),
  ]

  @Test("may count up only", arguments: bodies)
  func by(_ body: String, _ status: Int) async throws {
    let service = try TestService()
    try await service.addGoals(1)
    _ = try await service.ask("POST /v1/goals/\(a)/bump")
    let (_, token) = try service.token("bump", goal: a)
    let answer = try await service.ask("POST /v1/goals/\(a)/bump\n\n\(body)", as: token)
    #expect(answer.status == status)
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

@Suite("A path") struct PathTests {
  private static let unknown = [
    "/v1", "/v1/", "/index.html", "/v1/goals/", "/v2/goals", "/v1/Goals", "/v1/goals/\(a)/",
    "/docs",
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
      "GET /openapi.yaml?x=1", "POST /v1/edits?atomic=true\n\n{\"edits\":[1]}",
    ])
  func unknownQuery(_ request: String) async throws {
    let answer = try await TestService().ask(request)
    #expect(answer.status == 422)
    #expect(answer.pointers.count == 1)
  }
}

@Suite("A body") struct BodyTests {
  private static let writes = Operation.allCases.filter { $0.body != .none }

  private func request(_ operation: Operation, _ body: String) -> String {
    let path = operation.route.path.replacing("{id}", with: a)
    return "\(operation.route.method.rawValue) \(path)\n\n\(body)"
  }

  @Test("is JSON by its type", arguments: writes)
  func mediaType(_ operation: Operation) async throws {
    let service = try TestService()
    let refused: [String?] = [
      nil, "text/plain", "application/jsonx", "application/x-www-form-urlencoded",
      "application/json, application/json", ";application/json", "appli cation/json", "*/*",
      "application/problem+json",
    ]
    for type in refused {
      let answer = try await service.ask(request(operation, "{}"), type: type)
      #expect(answer.status == 415, "\(type ?? "none")")
      #expect(answer.code == "unsupported-media-type")
    }
    let taken = ["application/json", "Application/JSON; charset=utf-8", "application/json ;a=b"]
    for type in taken {
      #expect(try await service.ask(request(operation, "{}"), type: type).status != 415)
    }
    let patch = try await service.ask(
      request(operation, "{}"), type: "application/merge-patch+json")
    #expect((patch.status != 415) == (operation.route.method == .patch))
  }

  @Test("has one type, not two")
  func twoTypes() async throws {
    let answer = try await TestService().ask("POST /v1/goals\nContent-Type: application/json\n\n{}")
    #expect(answer.status == 415)
  }

  private static let noJSON = ["{", "{\"a\":1,}", "{} x", "\u{FEFF}{}", "nul", "'a'", "[1"]

  @Test("that is no JSON is malformed, and says where", arguments: writes)
  func malformed(_ operation: Operation) async throws {
    let service = try TestService()
    for body in Self.noJSON {
      let answer = try await service.ask(request(operation, body))
      #expect(answer.status == 400)
      #expect(answer.code == "malformed-json")
      #expect(answer.string("/detail")?.contains("at byte") == true)
    }
    let deep = String(repeating: "[", count: 65) + String(repeating: "]", count: 65)
    #expect(try await service.ask(request(operation, deep)).code == "malformed-json")
  }

  @Test("that is missing is malformed where one is needed", arguments: writes)
  func missing(_ operation: Operation) async throws {
    let answer = try await TestService().ask(request(operation, ""))
    #expect((answer.code == "malformed-json") == (operation.body == .required))
  }

  @Test("that is no object is refused at its root", arguments: writes)
  func noObject(_ operation: Operation) async throws {
    let service = try TestService()
    for body in ["[]", "null", "7", "\"{}\""] {
      let answer = try await service.ask(request(operation, body))
      #expect(answer.status == 422)
      #expect(answer.pointers == [""])
    }
  }

  @Test("may have so many bytes, and not one more")
  func limit() async throws {
    var limits = Gateway.Limits()
    limits.body = 40
    let service = try TestService(limits: limits)
    let body = "{\"title\":\"Run\",\"id\":\"\",\"unit\":null     }"
    #expect(body.utf8.count == 40)
    #expect(try await service.ask("POST /v1/goals\n\n\(body)").status == 422)
    let answer = try await service.ask("POST /v1/goals\n\n\(body) ")
    #expect(answer.status == 413)
    #expect(answer.code == "body-too-large")
  }
}
