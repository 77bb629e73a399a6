import Foundation
import GoalsCore
import HTTP
import Testing

@testable import GoalsService

@Suite("GET /v1/zones/{name}") struct ZoneEndpointTests {
  private func body(_ path: String, of service: TestService) async throws -> [UInt8] {
    let reply = try await service.reply("GET /v1/zones/\(path)", as: service.me.token)
    guard case .whole(let response) = reply else { throw Answer.Unexpected("a stream") }
    #expect(response.status == .ok)
    #expect(response.fields["Content-Type"] == "application/octet-stream")
    #expect(response.fields["X-Content-Type-Options"] == "nosniff")
    return response.body
  }

  @Test(
    "is the file by which the server counts days",
    arguments: ["Europe/Berlin", "Europe%2FBerlin", "UTC", "America/New_York"])
  func file(_ path: String) async throws {
    let name = try #require(ZoneName(path.replacing("%2F", with: "/")))
    let service = try TestService()
    let file = try await body(path, of: service)
    #expect(file == service.world.zone(name).zone?.file)
    let instant = service.world.now()
    let read = try Zone(name: name, tzif: file)
    #expect(read.offset(at: instant) == service.world.zone(name).zone?.offset(at: instant))
  }

  @Test("is kept for a day, and has a tag that tells whether it is another since")
  func tag() async throws {
    let service = try TestService()
    let first = try await service.ask("GET /v1/zones/Europe/Berlin")
    let tag = try #require(first.etag)
    #expect(first.field("Cache-Control") == "private, max-age=86400")
    let known = try await service.ask("GET /v1/zones/Europe/Berlin\nIf-None-Match: \(tag)")
    #expect(known.status == 304)
    #expect(known.etag == tag)
    #expect(known.field("Cache-Control") == "private, max-age=86400")
    let other = try await service.ask("GET /v1/zones/Asia/Tokyo\nIf-None-Match: \(tag)")
    #expect(other.status == 200)
    let changed = try await service.ask("GET /v1/zones/Asia/Tokyo\nIf-Match: \(tag)")
    #expect(changed.status == 412)
  }

  @Test(
    "is not there for a name that is none, whatever it leads to",
    arguments: [
      "Mars/Olympus", "Europe", "europe/berlin", "..%2F..%2F..%2F..%2Fetc%2Fpasswd",
      "%2Fetc/passwd",
      "Europe%2F..%2FUTC", "localtime", "right/UTC", "Europe/Berlin/", "%20UTC",
      "Europe%2F%2FBerlin",
    ])
  func unknown(_ path: String) async throws {
    let answer = try await TestService().ask("GET /v1/zones/\(path)")
    #expect(answer.status == 404)
    #expect(answer.code == "not-found")
  }

  @Test("takes no parameter")
  func query() async throws {
    let answer = try await TestService().ask("GET /v1/zones/UTC?at=1")
    #expect(answer.status == 422)
    #expect(answer.pointers == ["/at"])
  }

  @Test("is answered 503 while its file can't be read")
  func unreadable() async throws {
    let tokyo = Tokyo()
    let service = try TestService(tokyo: tokyo)
    tokyo.become(.unavailable)
    let answer = try await service.ask("GET /v1/zones/Asia/Tokyo")
    #expect(answer.status == 503)
    #expect(answer.code == "store-unavailable")
    tokyo.become(nil)
    #expect(try await service.ask("GET /v1/zones/Asia/Tokyo").status == 200)
  }
}

@Suite("The file of UTC") struct UTCFileTests {
  @Test("is what the time-zone compiler makes")
  func file() throws {
    let system = try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/UTC"))
    #expect(Zone.utc.file == Array(system))
    let read = try Zone(name: .utc, tzif: Zone.utc.file)
    for seconds: Int64 in [-1 << 40, 0, 1 << 40] {
      #expect(read.offset(at: Instant(seconds: seconds)) == 0)
    }
  }
}
