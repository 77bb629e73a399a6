import GoalsCore
import HTTPServer
import Testing

@testable import GoalsService
@testable import GoalsStore

@Suite("Signing up") struct SignUpTests {
  private func service(
    failedSignIns: Int = 0, rate: Int = 0, burst: Int = 1
  ) throws -> TestService {
    var policy = AccessPolicy.signUpOpen
    policy.failedSignIns = failedSignIns
    (policy.rateLimit, policy.rateBurst) = (rate, burst)
    return try TestService(policy: policy)
  }

  private let signUp = "POST /v1/accounts\n\n{\"name\":\" Ann \",\"timeZone\":\"Europe/Berlin\"}"

  @Test("makes an account with a token that may write")
  func add() async throws {
    let service = try service()
    let made = try await service.ask(signUp, as: nil)
    #expect(made.status == 201)
    #expect(made.field("Location") == "/v1/account")
    let token = try #require(made.string("/token"))
    let read = try await service.ask("GET /v1/account", as: token)
    #expect(made.body == read.body.dropLast() + ",\"token\":\"\(token)\"}")
    #expect(read.string("/name") == "Ann")
    #expect(read.string("/timeZone") == "Europe/Berlin")
    #expect(try await service.ask("POST /v1/goals\n\n{\"title\":\"a\"}", as: token).status == 201)
    #expect(try await service.titles() == [])
  }

  @Test("is possible twice with one name, and in UTC where no zone is named")
  func defaults() async throws {
    let service = try service()
    for body in ["{\"name\":\"me\"}", "{\"name\":\"me\",\"timeZone\":null}"] {
      let made = try await service.ask("POST /v1/accounts\n\n\(body)", as: nil)
      #expect(made.string("/timeZone") == "UTC")
    }
  }

  @Test("gives the first token the account's id, by which the account's quota is known")
  func quota() async throws {
    let service = try service()
    let made = try await service.ask(signUp, as: nil)
    let id = try #require(made.string("/id"))
    let tokens = try await service.ask("GET /v1/tokens", as: made.string("/token"))
    #expect(tokens.list("/tokens", "/id") == [id])
    #expect(try await service.ask("GET /v1/tokens").list("/tokens", "/id") != [service.me.id])
  }

  @Test("is closed where nobody said otherwise, whatever is asked")
  func closed() async throws {
    let service = try TestService()
    for request in [signUp, "POST /v1/accounts\n\n{", "POST /v1/accounts"] {
      let refused = try await service.ask(request, as: nil)
      #expect(refused.status == 403)
      #expect(refused.code == "sign-up-closed")
    }
    #expect(try service.store.book.accounts().count == 1)
  }

  @Test(
    "is refused with every fault",
    arguments: [
      ("{}", ["/name"]), ("{\"name\":\"\",\"timeZone\":\"Mars/Olympus\"}", ["/name", "/timeZone"]),
      ("{\"name\":\"\\u200b\\u2060\"}", ["/name"]), ("{\"name\":\"\\u3164\"}", ["/name"]),
      ("{\"name\":\"a\",\"timeZone\":\"../x\"}", ["/timeZone"]),
      ("{\"name\":\"a\",\"timeZone\":1,\"token\":1}", ["/timeZone", "/token"]),
    ])
  func faults(_ body: String, _ pointers: [String]) async throws {
    let service = try service()
    let refused = try await service.ask("POST /v1/accounts\n\n\(body)", as: nil)
    #expect(refused.code == "invalid")
    #expect(refused.pointers == pointers)
    #expect(try service.store.book.accounts().count == 1)
  }

  @Test("is possible as often from an address as a token may ask, whoever failed to sign in there")
  func limit() async throws {
    let service = try service(failedSignIns: 1, rate: 1, burst: 3)
    for status in [401, 429] {
      #expect(try await service.ask("GET /v1/goals", as: "goals_x").status == status)
    }
    for status in [201, 201, 201, 429] {
      #expect(try await service.ask(signUp, as: nil).status == status)
    }
    service.clock.advance(bySeconds: 1)
    #expect(try await service.ask(signUp, as: nil).status == 201)
  }

  @Test("is possible so often an hour from an address, and by others meanwhile")
  func hourly() async throws {
    var policy = AccessPolicy.signUpOpen
    (policy.rateLimit, policy.rateBurst, policy.signUps) = (1000, 1000, 2)
    policy.trustsProxy = true
    let service = try TestService(policy: policy)
    func signUp(from address: String) async throws -> Answer {
      try await service.ask(
        "POST /v1/accounts\nX-Forwarded-For: \(address)\n\n{\"name\":\"Ann\"}", as: nil)
    }
    // All addresses of one network of IPv6 are one client's.
    for (address, status) in [
      ("2001:db8::1", 201), ("2001:db8::2", 201), ("2001:db8::3", 429), ("2001:db8:0:1::1", 201),
    ] {
      #expect(try await signUp(from: address).status == status)
    }
    service.clock.advance(bySeconds: 1800)
    let refused = try await signUp(from: "2001:db8::4")
    #expect(refused.code == "too-many-requests")
    #expect(refused.field("Retry-After") == "1800")
    service.clock.advance(bySeconds: 1800)
    #expect(try await signUp(from: "2001:db8::5").status == 201)
  }

  @Test("is not counted for the hour where it is refused", arguments: refused)
  func refusedOnes(_ request: String, _ status: Int) async throws {
    var policy = AccessPolicy.signUpOpen
    (policy.rateLimit, policy.rateBurst, policy.signUps) = (1000, 1000, 1)
    let service = try TestService(policy: policy)
    for _ in 0..<3 { #expect(try await service.ask(request, as: nil).status == status) }
    #expect(try await service.ask(signUp, as: nil).status == 201)
    #expect(try await service.ask(request, as: nil).status == 429)
    #expect(try await service.ask(signUp, as: nil).status == 429)
  }

  @Test("is not counted for the hour where all of it never comes")
  func cutOff() async throws {
    var policy = AccessPolicy.signUpOpen
    (policy.rateLimit, policy.rateBurst, policy.signUps) = (1000, 1000, 1)
    let service = try TestService(policy: policy)
    let bytes = TestService.bytes(of: signUp, token: nil, type: "application/json")
    let head = try TestService.request(bytes).head
    for _ in 0..<3 {
      guard case .accept = service.gateway.handler.admit(head, Visitor(.unix)) else {
        throw Answer.Unexpected("a refusal by the head")
      }
      _ = service.gateway.handler.refusal(.bodyTooLarge(limit: 1), head)
    }
    #expect(try await service.ask(signUp, as: nil).status == 201)
    #expect(try await service.ask(signUp, as: nil).status == 429)
  }

  private static let refused = [
    ("POST /v1/accounts\n\n{", 400), ("POST /v1/accounts\n\n{}", 422),
    ("POST /v1/accounts\n\n{\"name\":\"a\",\"timeZone\":\"Mars/Olympus\"}", 422),
    ("POST /v1/accounts\nContent-Encoding: gzip\n\n{}", 415),
  ]

  @Test("ends where there are as many accounts as may be, but not for an operator")
  func total() async throws {
    var policy = AccessPolicy.signUpOpen
    policy.maximumAccounts = 2
    let service = try TestService(policy: policy)
    #expect(try await service.ask(signUp, as: nil).status == 201)
    let refused = try await service.ask(signUp, as: nil)
    #expect(refused.status == 403)
    #expect(refused.code == "sign-up-closed")
    #expect(try service.store.book.count() == 2)
    _ = service.administration.perform(.addAccount(name: "Bob", timeZone: nil))
    #expect(try service.store.book.count() == 3)
  }
}

@Suite("A page of another origin") struct CrossOriginTests {
  private func service(_ origins: [String] = ["https://app.example"]) throws -> TestService {
    var policy = AccessPolicy.unlimited
    policy.crossOrigins = origins.compactMap { Origin($0) }
    var limits = Gateway.Limits()
    limits.body = 100
    return try TestService(limits: limits, policy: policy)
  }

  private static let app = "Origin: https://app.example"

  @Test("may read what is answered, refusals too", arguments: requests)
  func permitted(_ request: String, _ status: Int) async throws {
    let answer = try await service().ask(request)
    #expect(answer.status == status)
    #expect(answer.field("Vary") == "Origin")
    #expect(answer.field("Access-Control-Allow-Origin") == "https://app.example")
    #expect(
      answer.field("Access-Control-Expose-Headers")
        == "Allow, Date, ETag, Location, Retry-After, WWW-Authenticate, X-Request-Id")
    #expect(answer.field("Access-Control-Allow-Credentials") == nil)
  }

  private static let requests = [
    ("GET /v1/goals\n\(app)", 200), ("POST /v1/goals\n\(app)\n\n{\"title\":\"a\"}", 201),
    ("GET /v1/goals?x=1\n\(app)", 422), ("GET /nothing\n\(app)", 404),
    ("POST /nothing\n\(app)\n\n{}", 404), ("PUT /v1/goals\n\(app)\n\n{}", 405),
    ("POST /v1/goals\n\(app)\n\n{", 400), ("POST /v1/accounts\n\(app)\n\n{}", 403),
    ("POST /v1/goals\n\(app)\nContent-Encoding: gzip\n\n{}", 415),
    (
      "POST /v1/goals\n\(app)\n\n\"more than a hundred bytes \(String(repeating: "x", count: 80))\"",
      413
    ),
    ("GET /v1/goals/x\n\(app)", 404), ("GET /readyz\n\(app)", 200),
  ]

  @Test(
    "may not where it is not named",
    arguments: [
      "https://evil.example", "http://app.example", "https://app.example:444", "null",
      "https://app.example.evil.example", "https://APP.example", "",
    ])
  func others(_ origin: String) async throws {
    let answer = try await service().ask("GET /v1/goals\nOrigin: \(origin)")
    #expect(answer.status == 200)
    #expect(answer.field("Vary") == "Origin")
    #expect(answer.field("Access-Control-Allow-Origin") == nil)
  }

  @Test("is told nothing where none may")
  func off() async throws {
    for method in ["GET", "OPTIONS"] {
      let answer = try await service([]).ask("\(method) /v1/goals\n\(Self.app)")
      #expect(answer.field("Vary") == nil)
      #expect(!answer.head.contains { $0.lowercased().hasPrefix("access-control") })
    }
  }

  @Test("is told before it asks what it may send")
  func preflight() async throws {
    let preflight =
      "OPTIONS /v1/goals/x\n\(Self.app)\nAccess-Control-Request-Method: PATCH\n"
      + "Access-Control-Request-Headers: authorization,content-type"
    let answer = try await service().ask(preflight, as: nil)
    #expect(answer.status == 204)
    #expect(answer.field("Access-Control-Allow-Origin") == "https://app.example")
    #expect(
      answer.field("Access-Control-Allow-Methods") == "GET, HEAD, PUT, PATCH, DELETE, OPTIONS")
    #expect(
      answer.field("Access-Control-Allow-Headers")
        == "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID")
    #expect(answer.field("Access-Control-Max-Age") == "7200")
    #expect(answer.field("Vary") == "Origin")
    let other = try await service().ask(
      preflight.replacing("app.example", with: "evil.example"), as: nil)
    #expect(other.field("Access-Control-Allow-Origin") == nil)
    #expect(other.field("Access-Control-Allow-Methods") == nil)
  }
}

@Suite("An origin") struct OriginTests {
  @Test(
    "is a scheme, a host and a port",
    arguments: [
      ("http://goals.example", "http://goals.example"),
      ("HTTPS://Goals.Example", "https://goals.example"),
      ("https://goals.example:443", "https://goals.example"),
      ("https://goals.example:80", "https://goals.example:80"),
      ("http://[::1]:8080", "http://[::1]:8080"), ("http://10.0.0.1", "http://10.0.0.1"),
    ])
  func reads(_ text: String, _ origin: String) throws {
    #expect(Origin(text)?.description == origin)
    #expect(Origin(url: text + "/")?.description == origin)
    #expect(Origin(text + "/") == nil)
  }

  @Test(
    "is nothing else",
    arguments: [
      "", "null", "goals.example", "ftp://goals.example", "http://", "http:///", "http://a//",
      "http://a/b", "http://a/?", "http://a?b", "http://a/#b", "http://a#b", "http://u@a",
      "http://a b", "http://a:x", "http://a:99999", "*", "https://a, https://b",
    ])
  func refuses(_ text: String) {
    #expect(Origin(url: text) == nil)
  }
}
