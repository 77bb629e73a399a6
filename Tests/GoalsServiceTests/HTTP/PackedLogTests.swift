import HTTP
import TestSupport
import Testing

@testable import GoalsService

@Suite("A page of the log") struct PackedLogTests {
  /// A service with so long a log that it is compressed in more than one portion.
  private func service() async throws -> TestService {
    let service = try TestService()
    try await service.addGoals(2)
    try await service.addBumps(200, from: 1000)
    return service
  }

  private static let requests = ["GET /v1/edits?limit=1000", "POST /v1/sync"]

  private func ask(
    _ request: String, accepting codings: String?, of service: TestService
  ) async throws -> Response {
    let field = codings.map { "\nAccept-Encoding: \($0)" } ?? ""
    let body = request.hasPrefix("POST") ? "\n\n{\"list\":null}" : ""
    let reply = try await service.reply(request + field + body, as: service.me.token)
    guard case .whole(let response) = reply else { throw Answer.Unexpected("a stream") }
    #expect(response.status == .ok)
    #expect(response.fields["Vary"] == "Accept-Encoding")
    #expect(response.fields["Content-Type"] == "application/json")
    return response
  }

  @Test("is a tenth as long for a client that takes Brotli", arguments: requests)
  func brotli(_ request: String) async throws {
    let service = try await service()
    let plain = try await ask(request, accepting: nil, of: service)
    let packed = try await ask(request, accepting: "gzip, br", of: service)
    #expect(packed.fields["Content-Encoding"] == "br")
    #expect(plain.body.count > 3 * 2 * FairQueue.steps)
    #expect(packed.body.count < plain.body.count / 10)
    #expect(packed.body.readAsBrotli() == plain.body)
  }

  @Test("is a tenth as long for a client that takes gzip", arguments: requests)
  func gzip(_ request: String) async throws {
    let service = try await service()
    let plain = try await ask(request, accepting: "identity", of: service)
    let packed = try await ask(request, accepting: "gzip", of: service)
    #expect(plain.fields["Content-Encoding"] == nil)
    #expect(packed.fields["Content-Encoding"] == "gzip")
    #expect(packed.body.count < plain.body.count / 10)
    // RFC 1952 §2.3.1: the length of what was compressed.
    let length = packed.body.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    #expect(length == plain.body.count)
  }

  @Test("is sent as it is if it is short", arguments: requests)
  func short(_ request: String) async throws {
    let service = try TestService()
    let answer = try await ask(request, accepting: "gzip, br", of: service)
    #expect(answer.fields["Content-Encoding"] == nil)
    #expect(answer.body.starts(with: Array("{\"".utf8)))
  }
}
