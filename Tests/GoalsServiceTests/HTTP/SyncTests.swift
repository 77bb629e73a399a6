import GoalsCore
import TestSupport
import Testing

@testable import GoalsService
@testable import GoalsStore

private let a = TestService.id(1)

@Suite("POST /v1/sync") struct SyncTests {
  private func service() async throws -> TestService {
    let service = try TestService()
    try await service.addGoals(2)
    return service
  }

  private static func sync(
    after cursor: String?, _ edits: [String] = [], _ more: String = ""
  ) -> String {
    let after = cursor.map { "\"\($0)\"" } ?? "null"
    return
      "POST /v1/sync\n\n{\"after\":\(after),\"edits\":[\(edits.joined(separator: ","))]\(more)}"
  }

  private static func bump(_ id: Int, of goal: String = a, by: Int = 1) -> String {
    "{\"id\":\"\(TestService.id(id))\",\"type\":\"bump\",\"goal\":\"\(goal)\",\"by\":\(by)}"
  }

  @Test("records the edits and answers them with all that came after the cursor")
  func whole() async throws {
    let service = try await service()
    let cursor = try await service.ask("GET /v1/goals").string("/cursor")
    _ = try await service.ask("POST /v1/goals/\(a)/bump")
    let answer = try await service.ask(Self.sync(after: cursor, [Self.bump(1), Self.bump(2)]))
    #expect(answer.status == 200)
    #expect(answer.list("/outcomes", "/status") == ["applied", "applied"])
    #expect(answer.list("/outcomes", "/version") == ["5", "6"])
    #expect(answer.list("/edits", "/version") == ["4", "5", "6"])
    #expect(answer["/version"] == "6")
    #expect(answer["/more"] == "false")
    #expect(answer.string("/cursor") == (try await service.ask("GET /v1/goals")).string("/cursor"))
  }

  @Test("shows each edit as the log does")
  func sameAsLog() async throws {
    let service = try await service()
    let answer = try await service.ask(Self.sync(after: nil, [Self.bump(1)]))
    let log = try await service.ask("GET /v1/edits")
    for field in ["/edits", "/version", "/cursor", "/more"] {
      #expect(answer[field] == log[field])
    }
  }

  @Test("with nothing to send only fetches", arguments: ["{}", "{\"after\":null,\"edits\":[]}"])
  func fetches(_ body: String) async throws {
    let service = try await service()
    let answer = try await service.ask("POST /v1/sync\n\n\(body)")
    #expect(answer.status == 200)
    #expect(answer["/outcomes"] == "[]")
    #expect(answer.list("/edits", "/version") == ["1", "2", "3"])
    #expect(try await service.version() == "3")
  }

  @Test("sent again is harmless, whatever has become of the version")
  func again() async throws {
    let service = try await service()
    let cursor = try await service.ask("GET /v1/goals").string("/cursor")
    let request = Self.sync(after: cursor, [Self.bump(1)], ",\"ifVersion\":3,\"atomic\":true")
    let first = try await service.ask(request)
    let second = try await service.ask(request)
    #expect(first.list("/outcomes", "/status") == ["applied"])
    #expect(second.list("/outcomes", "/status") == ["duplicate"])
    for field in ["/edits", "/version", "/cursor", "/more"] {
      #expect(first[field] == second[field])
    }
  }

  @Test("comes in pages, which lead to the edits that were sent", arguments: 1...5)
  func pages(_ limit: Int) async throws {
    let service = try await service()
    var answer = try await service.ask(
      Self.sync(after: nil, [Self.bump(1)], ",\"limit\":\(limit)"))
    #expect(answer.list("/outcomes", "/version") == ["4"])
    var versions = answer.list("/edits", "/version")
    for _ in 0..<10 where answer["/more"] == "true" {
      #expect(answer["/version"] == "4")
      #expect(answer.list("/edits", "/version").count == limit)
      answer = try await service.ask(
        Self.sync(after: answer.string("/cursor"), [], ",\"limit\":\(limit)"))
      versions += answer.list("/edits", "/version")
    }
    #expect(versions == ["1", "2", "3", "4"])
  }

  /// The text of a tag as a member of a body.
  private static func list(_ tag: String?) -> String {
    ",\"list\":" + (tag.map { "\"\($0.replacing("\"", with: "\\\""))\"" } ?? "null")
  }

  @Test("answers with the list, where that is asked for and has changed")
  func list() async throws {
    let service = try await service()
    let whole = try await service.ask("GET /v1/goals")
    let first = try await service.ask(Self.sync(after: nil, [], Self.list(nil)))
    #expect(first.string("/list/etag") == whole.etag)
    #expect(first["/list/goals"] == whole["/goals"])
    let cursor = first.string("/cursor")
    let idle = try await service.ask(Self.sync(after: cursor, [], Self.list(whole.etag)))
    #expect(idle["/list"] == "null" && idle["/edits"] == "[]")
    let bumped = try await service.ask(
      Self.sync(after: cursor, [Self.bump(1)], Self.list(whole.etag)))
    #expect(bumped["/list/goals/0/progress"] == "1" && bumped["/version"] == "4")
    #expect(bumped.string("/list/etag") == (try await service.ask("GET /v1/goals")).etag)
    let later = bumped.string("/cursor")
    let tag = bumped.string("/list/etag")
    service.clock.advance(bySeconds: 86_400)
    let tomorrow = try await service.ask(Self.sync(after: later, [], Self.list(tag)))
    #expect(tomorrow["/list/goals/0/progress"] == "0" && tomorrow["/version"] == "4")
    for other in ["x", "W/x", "\"\""] {
      let answer = try await service.ask(Self.sync(after: later, [], Self.list(other)))
      #expect(answer["/list/goals/0/progress"] == "0")
    }
  }

  @Test("says nothing of the list where it is not asked for, or more pages follow")
  func noList() async throws {
    let service = try await service()
    #expect(try await service.ask(Self.sync(after: nil))["/list"] == nil)
    let page = try await service.ask(Self.sync(after: nil, [], ",\"limit\":2\(Self.list(nil))"))
    #expect(page["/more"] == "true" && page["/list"] == nil)
    let last = try await service.ask(
      Self.sync(after: page.string("/cursor"), [], ",\"limit\":2\(Self.list(nil))"))
    #expect(last["/more"] == "false" && last["/list/goals/1/title"] == "\"B\"")
    let wrong = try await service.ask(Self.sync(after: nil, [], ",\"list\":1"))
    #expect(wrong.status == 422 && wrong.pointers == ["/list"])
  }

  @Test("has the list of the version that it says, whatever is recorded meanwhile")
  func listOfVersion() async throws {
    let stale = Locked<Published?>(nil)
    let service = try TestService(spoil: { store in
      store.with(stateInMemory: { stale.value ?? store.stateInMemory($0) })
    })
    try await service.addGoals(2)
    let account = try #require(Account.ID(service.me.id))
    let before = service.store.stateInMemory(account)
    _ = try await service.ask("POST /v1/goals/\(a)/bump")
    stale.change { $0 = before }
    let answer = try await service.ask(Self.sync(after: nil, [], Self.list(nil)))
    #expect(answer["/version"] == "3" && answer["/more"] == "false")
    #expect(answer.list("/edits", "/version") == ["1", "2", "3"])
    #expect(answer["/list/goals/0/progress"] == "0")
    stale.change { $0 = nil }
    let next = try await service.ask(
      Self.sync(after: answer.string("/cursor"), [], Self.list(answer.string("/list/etag"))))
    #expect(next.list("/edits", "/version") == ["4"])
    #expect(next["/list/goals/0/progress"] == "1")
  }

  @Test("records nothing where the cursor is of another history")
  func diverged() async throws {
    let service = try await service()
    let other = try TestService(timeZone: "Asia/Tokyo")
    try await other.addGoals(2)
    let strange = try #require(try await other.ask("GET /v1/goals").string("/cursor"))
    for cursor in [strange, "4.0000000000000000", "9223372036854775807.ffffffffffffffff"] {
      for edits in [[], [Self.bump(1)]] {
        let answer = try await service.ask(Self.sync(after: cursor, edits))
        #expect(answer.status == 410, "\(cursor)")
        #expect(answer.code == "cursor-diverged")
      }
    }
    #expect(try await service.version() == "3")
  }

  @Test(
    "records nothing where the request is wrong, and says all of it",
    arguments: [
      ("\"after\":\"x\"", ["/after"]), ("\"after\":1", ["/after"]),
      ("\"after\":\"\"", ["/after"]), ("\"limit\":0", ["/limit"]),
      ("\"limit\":1001", ["/limit"]), ("\"limit\":null", ["/limit"]),
      ("\"before\":1,\"after\":\"x\",\"atomic\":1", ["/atomic", "/after", "/before"]),
    ])
  func wrong(_ fields: String, _ pointers: [String]) async throws {
    let service = try await service()
    let answer = try await service.ask(
      "POST /v1/sync\n\n{\"edits\":[\(Self.bump(1))],\(fields)}")
    #expect(answer.status == 422)
    #expect(answer.code == "invalid")
    #expect(answer.pointers == pointers)
    #expect(try await service.version() == "3")
  }

  @Test("takes no more edits than a batch may have")
  func tooMany() async throws {
    var limits = Gateway.Limits()
    limits.edits = 2
    let service = try TestService(limits: limits)
    let edits = (1...3).map { Self.bump($0) }
    #expect(try await service.ask(Self.sync(after: nil, edits)).pointers == ["/edits"])
    #expect(try await service.ask(Self.sync(after: nil, Array(edits.dropLast()))).status == 200)
  }

  @Test("refuses a batch as a whole as sending it alone does")
  func refusedBatch() async throws {
    let service = try await service()
    let atomic = try await service.ask(
      Self.sync(after: nil, [Self.bump(1), Self.bump(2, by: -9)], ",\"atomic\":true"))
    #expect(atomic.status == 409)
    #expect(atomic.code == "batch-rejected")
    #expect(atomic.list("/outcomes", "/status") == ["skipped", "rejected"])
    let mismatch = try await service.ask(Self.sync(after: nil, [Self.bump(1)], ",\"ifVersion\":2"))
    #expect(mismatch.status == 409)
    #expect(mismatch.code == "version-mismatch")
    #expect(mismatch["/version"] == "3")
    #expect(try await service.version() == "3")
  }

  @Test("lets an edit that is wrong block no other")
  func blocksNone() async throws {
    let service = try await service()
    let answer = try await service.ask(
      Self.sync(
        after: nil,
        ["{\"id\":\"x\",\"type\":\"jump\"}", Self.bump(1, of: TestService.id(9)), Self.bump(2)]))
    #expect(answer.list("/outcomes", "/status") == ["rejected", "rejected", "applied"])
    #expect(answer.list("/outcomes", "/code") == ["invalid", "unknown-goal", "-"])
    #expect(answer["/outcomes/0/errors/0/pointer"] == "\"/edits/0/id\"")
  }
}
