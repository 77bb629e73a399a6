import GoalsCore
import HTTP
import HTTPServer
import TestSupport
import Testing

@testable import GoalsService

/// The edits of the log have long notes: so many are never read at once.
@Suite("A page of long edits") struct LongPageTests {
  private static let head = 2002

  private static func service() async throws -> TestService {
    let service = try TestService()
    try await service.addGoals(1)
    for first in [1000, 2000] { try await service.addBumps(1000, from: first) }
    return service
  }

  @Test("ends once it has so many bytes, and leads on to the whole log", arguments: [false, true])
  func bytes(_ isNewestFirst: Bool) async throws {
    let service = try await Self.service()
    let account = try #require(Account.ID(service.me.id))
    var asked = AskedLog(limit: 2000, isNewestFirst: isNewestFirst, bytes: 600_000)
    var (versions, pages) = ([Int](), 0)
    while pages < 10 {
      let goOn = LogSearch.making(asked, of: account, in: service.store)
      var (page, portions) = (LogView?.none, 0)
      while page == nil {
        page = try goOn()
        portions += 1
      }
      let view = try #require(page)
      let bytes = view.entries.reduce(0) { $0 + $1.payload.count }
      #expect(bytes < 600_000 + 600_000)
      // From the newest back, reading tells how far back a portion may begin.
      #expect((isNewestFirst ? 2...5 : 2...2).contains(portions) || !view.isMore, "\(portions)")
      versions += view.entries.map(\.version.number)
      pages += 1
      if !view.isMore { break }
      asked.cursor = view.cursor
    }
    let wanted = Array(1...Self.head)
    #expect(versions == (isNewestFirst ? wanted.reversed() : wanted))
    #expect(pages == (isNewestFirst ? 3 : 2))
    #expect(AskedLog(limit: 1).bytes == 4_194_304)
  }

  @Test("is not read on for a client that has gone", arguments: ["oldest", "newest"])
  func abandoned(_ order: String) async throws {
    let service = try await Self.service()
    let sent = Locked<[Int]>([])
    let request = try TestService.request(
      "GET /v1/edits?limit=1000&order=\(order)", as: service.me.token)
    for isAwaited in [false, true] {
      service.gateway.handler.respond(
        to: request,
        by: Responder(isAwaited: { isAwaited }) { reply in
          if case .whole(let response) = reply { sent.change { $0.append(response.status.code) } }
        })
      await until { sent.value.count >= (isAwaited ? 2 : 1) }
    }
    #expect(sent.value == [400, 200])
  }
}
