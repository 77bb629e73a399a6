import Testing

@testable import GoalsService

private let a = TestService.id(1)

@Suite("A body") struct BodyTests {
  private static let writes = Operation.allCases.filter {
    $0.traits.body.mediaTypes.contains("application/json")
  }

  private func request(_ operation: Operation, _ body: String) -> String {
    let path = operation.traits.path.replacing("{id}", with: a)
    return "\(operation.traits.method.rawValue) \(path)\n\n\(body)"
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
    #expect((patch.status != 415) == (operation.traits.method == .patch))
  }

  @Test("has one type, not two")
  func twoTypes() async throws {
    let answer = try await TestService(policy: .signUpOpen).ask(
      "POST /v1/goals\nContent-Type: application/json\n\n{}")
    #expect(answer.status == 415)
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
    #expect((answer.code == "malformed-json") == (operation.traits.body != .optional))
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
