import GoalsCore
import Testing

@testable import GoalsService

private let a = TestService.id(1)
private let b = TestService.id(2)

@Suite("GET /v1/edits with a goal or an order") struct LogSearchTests {
  /// Two goals (versions 1 to 3), and edits of both (4 to 12).
  private func service() async throws -> TestService {
    let service = try TestService()
    try await service.addGoals(2)
    let edits = [
      #""type":"bump","goal":"\#(a)""#,
      #""type":"bump","goal":"\#(b)""#,
      #""type":"undo","edit":"\#(TestService.id(204))""#,
      #""type":"undo","edit":"\#(TestService.id(206))""#,
      #""type":"configure","weekStart":"sunday""#,
      #""type":"setActivity","activity":{"\#(a)":true,"\#(b)":false}"#,
      #""type":"move","goal":"\#(b)","before":"\#(a)""#,
      #""type":"alter","goal":"\#(a)","changes":{"title":"\#(b)"}"#,
      #""type":"delete","goal":"\#(a)""#,
    ].enumerated().map { "{\"id\":\"\(TestService.id(204 + $0.offset))\",\($0.element)}" }
    let body = "{\"edits\":[\(edits.joined(separator: ","))]}"
    let answer = try await service.ask("POST /v1/edits\n\n\(body)")
    guard answer["/version"] == "12" else { throw Answer.Unexpected(answer.body) }
    return service
  }

  /// The versions of all pages, and the last page.
  private func pages(
    _ query: String, of service: TestService, limit: Int
  ) async throws -> ([String], Answer) {
    var versions: [String] = []
    var target = "GET /v1/edits?limit=\(limit)&\(query)"
    while true {
      let page = try await service.ask(target)
      guard page.status == 200 else { throw Answer.Unexpected(page.body) }
      let shown = page.list("/edits", "/version")
      #expect(shown.count <= limit)
      versions += shown
      if page["/more"] == "false" { return (versions, page) }
      target = "GET /v1/edits?limit=\(limit)&\(query)&after=\(try #require(page.string("/cursor")))"
    }
  }

  private static let found: [(String, [Int])] = [
    // A goal is changed by its own edits, by an activity that turns it, and by what takes one back.
    ("goal=\(a)", [2, 3, 4, 6, 7, 11, 12]), ("goal=\(b)", [1, 3, 5, 9, 10]),
    ("goal=\(a)&order=oldest", [2, 3, 4, 6, 7, 11, 12]),
    ("goal=\(a)&order=newest", [12, 11, 7, 6, 4, 3, 2]),
    ("goal=\(b)&order=newest", [10, 9, 5, 3, 1]),
    ("goal=\(TestService.id(9))", []), ("goal=\(TestService.id(9))&order=newest", []),
    ("order=newest", [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]),
    ("order=oldest", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]),
  ]

  @Test("shows what there is of it, in pages of any size", arguments: found, [1, 2, 5, 500])
  func pages(_ found: (query: String, versions: [Int]), _ limit: Int) async throws {
    let service = try await service()
    let (versions, last) = try await pages(found.query, of: service, limit: limit)
    #expect(versions == found.versions.map(String.init))
    #expect(last["/version"] == "12")
  }

  @Test("goes on from a position of the log, whichever order that was read in")
  func places() async throws {
    let service = try await service()
    let head = try #require(try await service.ask("GET /v1/goals").string("/cursor"))
    let forward = try await service.ask("GET /v1/edits?limit=5")
    let cursor = try #require(forward.string("/cursor"))
    for (query, versions) in [
      ("order=newest&after=\(cursor)", ["5", "4", "3", "2", "1"]),
      ("order=newest&after=\(head)&limit=2", ["12", "11"]),
      ("order=newest&after=\(cursor)&goal=\(b)", ["5", "3", "1"]),
      ("goal=\(b)&after=\(cursor)", ["9", "10"]), ("goal=\(b)&after=\(head)", []),
    ] {
      let answer = try await service.ask("GET /v1/edits?\(query)")
      #expect(answer.list("/edits", "/version") == versions, "\(query)")
    }
    let back = try await service.ask("GET /v1/edits?order=newest&limit=4")
    let answer = try await service.ask(
      "GET /v1/edits?after=\(try #require(back.string("/cursor")))")
    #expect(answer.list("/edits", "/version") == ["9", "10", "11", "12"])
  }

  @Test(
    "of an empty log has no edits",
    arguments: ["", "order=newest", "goal=\(a)", "order=newest&goal=\(a)"])
  func empty(_ query: String) async throws {
    let service = try TestService()
    let cursor = try await service.ask("GET /v1/goals").string("/cursor")
    let answer = try await service.ask("GET /v1/edits?\(query)")
    #expect(
      answer.body == "{\"edits\":[],\"version\":0,\"cursor\":\"\(cursor ?? "")\",\"more\":false}")
  }

  @Test("looks at so many edits for a page, and goes on from there in the next")
  func bounded() async throws {
    let service = try TestService()
    try await service.addGoals(2)
    let limit = LogSearch.maximum
    for number in 0..<limit / 1000 { try await service.addBumps(1000, from: 1000 * (number + 1)) }
    for (query, first, rest) in [("", ["1", "3"], []), ("&order=newest", [], ["3", "1"])] {
      let page = try await service.ask("GET /v1/edits?goal=\(b)\(query)")
      #expect(page.list("/edits", "/version") == first)
      #expect(page["/more"] == "true")
      let cursor = try #require(page.string("/cursor"))
      #expect(cursor.hasPrefix(query.isEmpty ? "\(limit)." : "3."))
      let next = try await service.ask("GET /v1/edits?goal=\(b)\(query)&after=\(cursor)")
      #expect(next.list("/edits", "/version") == rest)
      #expect(next["/more"] == "false")
    }
  }

  @Test("recognises a cursor of another history")
  func diverged() async throws {
    let service = try await service()
    let other = try TestService(timeZone: "Asia/Tokyo")
    try await other.addGoals(2)
    let page = try #require(try await other.ask("GET /v1/edits?limit=2").string("/cursor"))
    let cursors = [
      page, "13.0000000000000000", "12.0000000000000000", "0.0000000000000000",
      "9223372036854775807.ffffffffffffffff",
    ]
    for query in ["order=newest", "goal=\(a)", "order=newest&goal=\(a)"] {
      for cursor in cursors {
        let answer = try await service.ask("GET /v1/edits?\(query)&after=\(cursor)")
        #expect(answer.status == 410, "\(query) \(cursor)")
        #expect(answer.code == "cursor-diverged")
      }
    }
  }

  private static let queries: [(String, [String])] = [
    ("goal=", ["/goal"]), ("goal=x", ["/goal"]), ("goal=\(a)0", ["/goal"]),
    ("order=", ["/order"]), ("order=oldest%20first", ["/order"]), ("order=Newest", ["/order"]),
    ("order=newest&wait=1", ["/wait"]), ("goal=\(a)&wait=1", ["/wait"]),
    ("order=x&goal=y&after=z&limit=0", ["/limit", "/after", "/goal", "/order"]),
  ]

  @Test("refuses what is no goal and no order, and to wait for it", arguments: queries)
  func refused(_ query: String, _ pointers: [String]) async throws {
    let answer = try await TestService().ask("GET /v1/edits?\(query)")
    #expect(answer.status == 422)
    #expect(answer.pointers == pointers)
  }
}
