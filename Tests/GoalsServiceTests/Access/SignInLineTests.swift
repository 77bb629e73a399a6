import HTTPServer
import Testing

@testable import GoalsService

@Suite("The log's lines of failed sign-ins")
struct SignInLineTests {
  private static let most = FailedSignIns.maximumLines
  private var lines = FailedSignIns()

  @Test("are one each, up to a number a second")
  mutating func each() {
    for number in 0..<Self.most {
      #expect(lines.fail("192.0.2.\(number)", at: .zero) == [.failed(client: "192.0.2.\(number)")])
    }
    #expect(lines.fail("::1", at: .milliseconds(999)) == [])
    #expect(lines.due(at: .milliseconds(999)) == [])
  }

  @Test("say how many were left out, before the next or when the minute is over")
  mutating func leftOut() {
    for _ in 0..<Self.most + 5 { _ = lines.fail("::1", at: .zero) }
    #expect(lines.fail("::2", at: .seconds(1)) == [.leftOut(5), .failed(client: "::2")])
    #expect(lines.due(at: .seconds(60)) == [])
    for _ in 0..<Self.most { _ = lines.fail("::1", at: .seconds(1)) }
    #expect(lines.due(at: .seconds(60)) == [.leftOut(1)])
    #expect(lines.due(at: .seconds(61)) == [])
  }

  @Test("count everybody, and are never more than that")
  mutating func bounded() {
    var (told, counted) = (0, 0)
    for millisecond in 0..<10_000 {
      for line in lines.fail("::1", at: .milliseconds(millisecond)) {
        switch line {
        case .failed: told += 1
        case .leftOut(let count): counted += count
        }
      }
    }
    for case .leftOut(let count) in lines.due(at: .seconds(60)) { counted += count }
    #expect(told == 10 * Self.most)
    #expect(told + counted == 10_000)
  }
}

@Suite("A sign-in that failed")
struct SignInFailureTests {
  private static let wrong = "Authorization: Bearer goals_" + String(repeating: "0", count: 64)

  /// The clients that the log is told of, for a request with these fields.
  private func told(
    _ fields: String, from peer: String = "192.0.2.1", trustsProxy: Bool = false, limit: Int = 0,
    times: Int = 1
  ) async throws -> [String] {
    var policy = AccessPolicy.unlimited
    policy.trustsProxy = trustsProxy
    policy.failedSignIns = limit
    let service = try TestService(policy: policy)
    let bytes = TestService.bytes(of: "GET /v1/goals\n\(fields)", token: nil, type: nil)
    for _ in 0..<times {
      _ = try await service.ask(bytes: bytes, from: .internet(address: peer, port: 1))
    }
    return service.happenings.all.compactMap { happening in
      if case .signInFailed(let client) = happening { client } else { nil }
    }
  }

  @Test(
    "is one that shows a token that opens nothing",
    arguments: [wrong, "Authorization: Bearer goals_x", "Authorization: bearer goals_"])
  func shown(_ field: String) async throws {
    #expect(try await told(field) == ["192.0.2.1"])
  }

  @Test(
    "is none that shows nothing, what is another's, or the cookie of a session that is over",
    arguments: [
      "Accept: */*", "Authorization: Basic eDp5", "Authorization: Bearer x", "Authorization: ",
      "Cookie: goals_session=\(String(repeating: "0", count: 64))",
    ])
  func notShown(_ field: String) async throws {
    #expect(try await told(field) == [])
  }

  @Test("is told as often as it is heard")
  func limit() async throws {
    #expect(try await told(Self.wrong, limit: 3, times: 9).count == 3)
  }

  @Test(
    "is of the client's own address, spelled anew",
    arguments: [
      ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"),
      ("2001:DB8:0:0:1:2:3:4", "2001:db8::1:2:3:4"), ("", "unknown"),
    ])
  func address(_ peer: String, _ shown: String) async throws {
    #expect(try await told(Self.wrong, from: peer) == [shown])
  }

  @Test(
    "is of whom the last proxy names, where it is trusted, and of nothing else that it says",
    arguments: [
      ("203.0.113.9, 203.0.113.7", "203.0.113.7"), ("[2001:db8::7]:443", "2001:db8::7"),
      ("203.0.113.7 client=192.0.2.9", "unknown"), ("203.0.113.7\"", "unknown"),
    ])
  func proxy(_ forwarded: String, _ shown: String) async throws {
    let fields = "\(Self.wrong)\nX-Forwarded-For: \(forwarded)"
    #expect(try await told(fields, trustsProxy: true) == [shown])
    #expect(try await told(fields) == ["192.0.2.1"])
  }
}
