import Testing

@testable import GoalsService

private let a = TestService.id(1)

@Suite("A body") struct BodyTests {
  private static let writes = Operation.allCases.filter {
    $0.endpoint.body.mediaTypes.contains("application/json")
  }

  private func request(_ operation: Operation, _ body: String) -> String {
    let path = operation.endpoint.path.replacing("{id}", with: a)
    return "\(operation.endpoint.method.rawValue) \(path)\n\n\(body)"
  }

  @Test("is JSON by its type", arguments: writes)
  func mediaType(_ operation: Operation) async throws {
    let service = try TestService(policy: .signUpOpen)
    let refused: [String?] = [
      nil, "text/plain", "application/jsonx", "application/x-www-form-urlencoded",
      "application/json, application/json", ";application/json", "appli cation/json", "*/*",
      "application/problem+json", "application/json; charset=utf-16",
      "application/json; charset=utf-8; charset=latin1", "application/json; charset",
      "application/json; charset=\"\"",
    ]
    for type in refused {
      let answer = try await service.ask(request(operation, "{}"), type: type)
      #expect(answer.status == 415, "\(type ?? "none")")
      #expect(answer.code == "unsupported-media-type")
    }
    let taken = [
      "application/json", "Application/JSON; charset=utf-8", "application/json ;a=b",
      "application/json;Charset=\"UTF-8\"", "application/json;a=\"charset=x\"",
    ]
    for type in taken {
      #expect(try await service.ask(request(operation, "{}"), type: type).status != 415)
    }
    let patch = try await service.ask(
      request(operation, "{}"), type: "application/merge-patch+json")
    #expect((patch.status != 415) == (operation.endpoint.method == .patch))
  }

  @Test("has one type, not two")
  func twoTypes() async throws {
    let answer = try await TestService(policy: .signUpOpen).ask(
      "POST /v1/goals\nContent-Type: application/json\n\n{}")
    #expect(answer.status == 415)
  }

  /// RFC 9110 §15.5.16: "If the problem was caused by an unsupported content coding, the
  /// Accept-Encoding response header field ought to be used to indicate which (if any) content
  /// codings would have been accepted in the request."
  @Test("is not encoded, and the answer says that it is this", arguments: writes)
  func contentEncoding(_ operation: Operation) async throws {
    let service = try TestService(policy: .signUpOpen)
    func ask(_ coding: String) async throws -> Answer {
      let request = request(operation, "{}")
      return try await service.ask(
        request.replacing("\n\n", with: "\nContent-Encoding: \(coding)\n\n"))
    }
    for coding in ["gzip", "identity, br", "x", ",deflate"] {
      let answer = try await ask(coding)
      #expect(answer.status == 415)
      #expect(answer.code == "unsupported-media-type")
      #expect(answer.string("/detail")?.contains("Content-Encoding") == true)
      #expect(answer.field("Accept-Encoding") == "identity")
    }
    for coding in ["identity", "Identity, ,", ""] {
      #expect(try await ask(coding).status != 415, "\(coding)")
    }
    let type = try await service.ask(request(operation, "{}"), type: "text/plain")
    #expect(type.field("Accept-Encoding") == nil)
    #expect(type.string("/detail")?.contains("Content-Type") == true)
  }

  /// RFC 9110 §14.5: "An origin server SHOULD respond with a 400 (Bad Request) status code if it
  /// receives Content-Range on a PUT for a target resource that does not support partial PUT
  /// requests."; §14.4 has it ignored with every other method.
  @Test("is not a part of one, put with Content-Range", arguments: writes)
  func contentRange(_ operation: Operation) async throws {
    let service = try TestService(policy: .signUpOpen)
    try await service.addGoals(1)
    let version = try await service.version()
    let answer = try await service.ask(
      request(operation, "{}").replacing("\n\n", with: "\nContent-Range: bytes 0-1/9\n\n"))
    let isPut = operation.endpoint.method == .put
    #expect((answer.code == "malformed-request") == isPut)
    if isPut {
      #expect(answer.status == 400)
      #expect(try await service.version() == version)
    }
  }

  private static let noJSON = ["{", "{\"a\":1,}", "{} x", "\u{FEFF}{}", "nul", "'a'", "[1"]

  @Test("that is no JSON is malformed, and says where", arguments: writes)
  func malformed(_ operation: Operation) async throws {
    let service = try TestService(policy: .signUpOpen)
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
    let answer = try await TestService(policy: .signUpOpen).ask(request(operation, ""))
    #expect((answer.code == "malformed-json") == (operation.endpoint.body != .optional))
  }

  @Test("that is no object is refused at its root", arguments: writes)
  func noObject(_ operation: Operation) async throws {
    let service = try TestService(policy: .signUpOpen)
    for body in ["[]", "null", "7", "\"{}\""] {
      let answer = try await service.ask(request(operation, body))
      #expect(answer.status == 422)
      #expect(answer.pointers == [""])
    }
  }

  @Test("is next to nothing where none is taken", arguments: Operation.allCases)
  func unused(_ operation: Operation) async throws {
    guard operation.endpoint.body == .none else { return }
    let path = operation.endpoint.path.replacing("{id}", with: a).replacing("{name}", with: "x")
    for (length, isTooLarge) in [(1024, false), (1025, true)] {
      let service = try TestService()
      let body = String(repeating: " ", count: length)
      let text = "\(operation.endpoint.method.rawValue) \(path)\n\n\(body)"
      let status = try await service.status(of: text, as: service.me.token)
      #expect((status == 413) == isTooLarge)
    }
  }

  @Test("of somebody without an account is small")
  func strangers() async throws {
    let service = try TestService(policy: .signUpOpen)
    let text = "POST /v1/accounts\n\n" + #"{"name":"x"}"#
    let filler = String(repeating: " ", count: 16_384 - 12)
    #expect(try await service.ask(text + filler, as: nil).status == 201)
    #expect(try await service.ask(text + filler + " ", as: nil).code == "body-too-large")
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
