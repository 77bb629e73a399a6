import GoalsCore
import GoalsStore
import HTTP
import HTTPServer
import Testing

@testable import GoalsService

private let wrong = "goals_" + String(repeating: "0", count: 64)
private let start = Instant(seconds: 1_795_176_000)

@Suite("Who fails to sign in") struct FailedSignInTests {
  private func service(_ limit: Int = 3, trustsProxy: Bool = false) throws -> TestService {
    var policy = AccessPolicy.unlimited
    policy.failedSignIns = limit
    policy.trustsProxy = trustsProxy
    return try TestService(policy: policy)
  }

  private func ask(
    _ service: TestService, _ request: String, as token: String?, from peer: String
  ) async throws -> Answer {
    let bytes = TestService.bytes(of: request, token: token, type: "application/json")
    return try await service.ask(bytes: bytes, from: .internet(address: peer, port: 1))
  }

  @Test(
    "waits after as many attempts as there may be a minute",
    arguments: ["GET /v1/goals", "POST /v1/goals\n\n{}", "POST /v1/session", "HEAD /v1/account"])
  func waits(_ request: String) async throws {
    let service = try service()
    for _ in 1...3 {
      #expect(try await ask(service, request, as: wrong, from: "192.0.2.1").status == 401)
    }
    service.clock.advance(bySeconds: 20)
    let refused = try await ask(service, request, as: wrong, from: "192.0.2.1")
    #expect(refused.status == 429)
    #expect(refused.field("Retry-After") == "40")
    #expect(request.hasPrefix("HEAD") || refused.code == "too-many-requests")
    #expect(try await ask(service, request, as: wrong, from: "192.0.2.2").status == 401)
    service.clock.advance(bySeconds: 40)
    #expect(try await ask(service, request, as: wrong, from: "192.0.2.1").status == 401)
  }

  @Test("is let in with a valid token all the same")
  func validToken() async throws {
    let service = try service(1)
    for status in [401, 429, 429] {
      #expect(try await ask(service, "GET /v1/goals", as: wrong, from: "::1").status == status)
    }
    let answer = try await ask(service, "GET /v1/goals", as: service.me.token, from: "::1")
    #expect(answer.status == 200)
  }

  @Test("is who shows something that opens nothing", arguments: shown)
  func attempts(_ field: String, _ status: Int) async throws {
    let service = try service(1)
    let request = field.isEmpty ? "GET /v1/goals" : "GET /v1/goals\n\(field)"
    _ = try await ask(service, request, as: nil, from: "::1")
    #expect(try await ask(service, request, as: nil, from: "::1").status == status)
  }

  private static let shown = [
    ("", 401), ("Cookie: a=b", 401), ("Authorization: Basic x", 401), ("Authorization: ", 401),
    ("Authorization: Negotiate YII=", 401), ("Authorization: Bearer", 401),
    ("Authorization: Bearer eyJhbGciOiJub25lIn0.e30.", 401),
    ("Authorization: Bearer goals_x", 429), ("Authorization: bearer goals_", 429),
    ("Cookie: goals_session=\(String(repeating: "0", count: 64))", 429),
    ("Cookie: goals_session=x", 429),
  ]

  @Test("is who had a token that was revoked or has expired")
  func ended() async throws {
    let service = try service(1)
    let (id, text) = try service.token("write")
    #expect(try await ask(service, "GET /v1/goals", as: text, from: "::1").status == 200)
    _ = service.administration.perform(.revokeToken(id))
    for status in [401, 429] {
      #expect(try await ask(service, "GET /v1/goals", as: text, from: "::1").status == status)
    }
  }

  @Test("is whom the last proxy names, where it is trusted")
  func proxy() async throws {
    for trusts in [true, false] {
      let service = try service(1, trustsProxy: trusts)
      let status = { (forwarded: String) in
        let request = "GET /v1/goals\nX-Forwarded-For: \(forwarded)"
        return try await ask(service, request, as: wrong, from: "10.0.0.1").status
      }
      #expect(try await status("192.0.2.7, 192.0.2.1") == 401)
      #expect(try await status("192.0.2.8\nX-Forwarded-For: 192.0.2.1") == 429)
      #expect(try await status("192.0.2.1, 192.0.2.2") == (trusts ? 401 : 429))
    }
  }

  @Test("waits for nothing where any number is allowed")
  func unlimited() async throws {
    let service = try service(0)
    for _ in 0..<20 {
      #expect(try await ask(service, "GET /v1/goals", as: wrong, from: "::1").status == 401)
    }
  }
}

@Suite("A client address") struct ClientAddressTests {
  private func address(_ text: String, forwarded: String? = nil) throws -> ClientAddress {
    var fields: Fields = [:]
    if let forwarded { fields.append("X-Forwarded-For", forwarded) }
    let target = try #require(Target("/"))
    let head = RequestHead(method: .get, target: target, fields: fields)
    return ClientAddress(
      of: head, from: .internet(address: text, port: 9), trustingProxy: forwarded != nil)
  }

  @Test("is an IPv4 address, or the network of an IPv6 address")
  func form() throws {
    #expect(try address("192.0.2.1") == .version4(0xC000_0201))
    #expect(try address("::ffff:192.0.2.1") == .version4(0xC000_0201))
    #expect(try address("2001:db8:1:2:3:4:5:6") == .version6(0x2001_0DB8_0001_0002))
    #expect(try address("2001:db8:1:2::1") == address("2001:db8:1:2:ffff::9"))
    #expect(try address("2001:db8:1:3::1") != address("2001:db8:1:2::1"))
    #expect(try address("::1") == .version6(0))
  }

  @Test(
    "is read as proxies write it",
    arguments: [
      "192.0.2.1", "192.0.2.1:8080", " 192.0.2.1 ", "x, 192.0.2.1", "[::ffff:192.0.2.1]:80",
    ])
  func forwarded(_ text: String) throws {
    #expect(try address("10.0.0.1", forwarded: text) == .version4(0xC000_0201))
  }

  @Test(
    "is unknown where it is none", arguments: ["unknown", "_x", "192.0.2", "1:2", "[", "\u{e9}"])
  func unknown(_ text: String) throws {
    #expect(try address("10.0.0.1", forwarded: text) == .unknown)
  }
}

@Suite("A counter of attempts") struct AttemptCounterTests {
  @Test("that is full forgets who tried longest ago, and nobody else")
  func bounded() {
    let counter = AttemptCounter(limit: 1)
    // Each of these networks tries once, and one address again and again among them.
    let attacker = ClientAddress.version4(1)
    #expect(counter.attempt(from: attacker, at: start) == nil)
    for number in 0..<UInt64(3 * AttemptCounter.maximumAddresses) {
      #expect(counter.attempt(from: .version6(number), at: start) == nil)
      if number.isMultiple(of: UInt64(AttemptCounter.maximumAddresses / 2 - 1)) {
        #expect(counter.attempt(from: attacker, at: start) == 60)
      }
    }
    let others = UInt64(3 * AttemptCounter.maximumAddresses)
    for number in (others - UInt64(AttemptCounter.maximumAddresses / 2))..<others {
      #expect(counter.attempt(from: .version6(number), at: start) == 60)
    }
    #expect(counter.attempt(from: .version6(0), at: start) == nil)
  }

  @Test("lets nobody wait longer because the clock was set back")
  func clockSetBack() {
    let counter = AttemptCounter(limit: 1)
    #expect(counter.attempt(from: .unknown, at: start) == nil)
    #expect(counter.attempt(from: .unknown, at: start.adding(milliseconds: 1)) == 60)
    #expect(counter.attempt(from: .unknown, at: start.adding(milliseconds: -1)) == nil)
  }
}

@Suite("A token that asks often") struct RateLimitTests {
  @Test("waits once its burst is spent, and goes on at its rate")
  func waits() async throws {
    var policy = AccessPolicy.unlimited
    (policy.rateLimit, policy.rateBurst) = (2, 3)
    let service = try TestService(policy: policy)
    let (_, other) = try service.token("read")
    for request in ["GET /v1/goals", "POST /v1/goals\n\n{\"title\":\"a\"}", "DELETE /v1/goals/x"] {
      #expect(try await service.ask(request).status != 429)
    }
    let refused = try await service.ask("GET /v1/goals")
    #expect(refused.status == 429)
    #expect(refused.code == "too-many-requests")
    #expect(refused.field("Retry-After") == "1")
    #expect(try await service.ask("POST /v1/goals\n\n{\"title\":\"b\"}").status == 429)
    #expect(try await service.ask("GET /v1/goals", as: other).status == 200)
    service.clock.set(to: service.clock.now.adding(milliseconds: 499))
    #expect(try await service.ask("GET /v1/goals").status == 429)
    service.clock.set(to: service.clock.now.adding(milliseconds: 1))
    #expect(try await service.ask("GET /v1/goals").status == 200)
    #expect(try await service.ask("GET /v1/goals").status == 429)
    #expect(try await service.ask("GET /healthz", as: nil).status == 200)
  }

  private let token = TokenRecord.ID(high: 0, low: 0)

  @Test(
    "has so many permits, whatever the pauses",
    arguments: [(1, 1, 1), (100, 1, 200), (7, 1, 3), (60, 60, 60), (7, 60, 3)])
  func permits(_ rate: Int, _ seconds: Int64, _ burst: Int) {
    let limiter = RateLimiter<TokenRecord.ID>(rate: rate, inSeconds: seconds, burst: burst)
    var taken = 0
    for millisecond in 0..<10_000 {
      let now = start.adding(milliseconds: Int64(millisecond))
      while limiter.take(token, at: now) == nil { taken += 1 }
    }
    #expect(taken == burst + rate * 9_999 / (1000 * Int(seconds)))
  }

  @Test("is told how long it takes until there is a permit")
  func retryAfter() {
    let limiter = RateLimiter<TokenRecord.ID>(rate: 1, burst: 1)
    #expect(limiter.take(token, at: start) == nil)
    #expect(limiter.take(token, at: start) == 1)
    #expect(limiter.take(token, at: start.adding(milliseconds: 999)) == 1)
    #expect(limiter.take(token, at: start.adding(milliseconds: 1000)) == nil)
  }

  @Test("gains and loses nothing when the clock is set")
  func clock() {
    let limiter = RateLimiter<TokenRecord.ID>(rate: 1_000_000, burst: 1_000_000)
    #expect(limiter.take(token, at: start) == nil)
    #expect(limiter.take(token, at: .latest) == nil)
    #expect(limiter.take(token, at: .earliest) == nil)
    let slow = RateLimiter<TokenRecord.ID>(rate: 1, burst: 1)
    #expect(slow.take(token, at: start) == nil)
    #expect(slow.take(token, at: start.adding(milliseconds: -5000)) == 1)
    #expect(slow.take(token, at: start.adding(milliseconds: -4000)) == nil)
  }

  @Test("is still known after as many others as half of those that are known")
  func bounded() {
    let limiter = RateLimiter<TokenRecord.ID>(rate: 1, burst: 1)
    let maximum = UInt64(RateLimiter<TokenRecord.ID>.maximumBuckets)
    #expect(limiter.take(token, at: start) == nil)
    for number in 0...3 * maximum {
      #expect(limiter.take(TokenRecord.ID(high: 1, low: number), at: start) == nil)
      if number.isMultiple(of: maximum / 2 - 1) { #expect(limiter.take(token, at: start) == 1) }
    }
    #expect(limiter.take(TokenRecord.ID(high: 1, low: 0), at: start) == nil)
  }

  @Test("is one of its account's, which have no more together than four of them")
  func account() async throws {
    var policy = AccessPolicy.unlimited
    (policy.rateLimit, policy.rateBurst) = (1, 3)
    let service = try TestService(policy: policy)
    let tokens = try (1...20).map { _ in try service.token("read").text }
    var answered: [String: Int] = [:]
    for _ in 1...5 {
      for token in tokens where try await service.ask("GET /v1/goals", as: token).status == 200 {
        answered[token, default: 0] += 1
      }
    }
    #expect(answered.values.reduce(0, +) == 4 * 3)
    let other = try service.administration.addAccountWithToken("other", timeZone: nil)
    #expect(try await service.ask("GET /v1/goals", as: other.token).status == 200)
    // A token whose allowance is spent takes nothing from the others.
    service.clock.advance(bySeconds: 3)
    for _ in 1...50 { _ = try await service.ask("GET /v1/goals", as: tokens[0]) }
    for token in tokens[1...3] {
      for _ in 1...3 {
        #expect(try await service.ask("GET /v1/goals", as: token).status == 200)
      }
    }
    let refused = try await service.ask("GET /v1/goals", as: tokens[4])
    #expect(refused.code == "too-many-requests")
    #expect(refused.field("Retry-After") == "1")
  }
}

@Suite("Generations of values") struct GenerationsTests {
  @Test("are as many as may be, and forget those that were changed longest ago")
  func bounded() {
    var generations = Generations<Int, Int>(maximum: 10)
    for key in 0..<100 {
      generations.change(key, or: 0) { $0 += 1 }
      #expect(generations.count <= 10)
      // What is changed all the time stays.
      let changes = generations.change(-1, or: 0) { value in
        value += 1
        return value
      }
      #expect(changes == key + 1)
    }
    for key in 96..<100 { #expect(generations.change(key, or: 0) { $0 } == 1) }
    #expect(generations.change(50, or: 0) { $0 } == 0)
  }
}
