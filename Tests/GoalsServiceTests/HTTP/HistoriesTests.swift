import GoalsCore
import HTTP
import TestSupport
import Testing

@testable import GoalsService

@Suite("GET /v1/history") struct HistoriesTests {
  /// Goals of these intervals in turn.
  private func service(
    goals: Int, intervals: [String] = ["daily"]
  ) async throws -> TestService {
    let service = try TestService()
    // Each is put first, so the last number comes first.
    let adds = (1...goals).reversed().map { number in
      """
      {"id":"\(TestService.id(3000 + number))","type":"add","goal":{"id":"\(TestService.id(number))",\
      "title":"G","frequency":2,"interval":"\(intervals[number % intervals.count])"}}
      """
    }
    let ids = (1...goals).map { "\"\(TestService.id($0))\":true" }
    let turn = """
      {"id":"\(TestService.id(3000))","type":"setActivity","activity":{\(ids.joined(separator: ","))},\
      "at":"2025-11-01T12:00:00Z"}
      """
    let answer = try await service.ask(
      "POST /v1/edits\n\n{\"edits\":[\((adds + [turn]).joined(separator: ","))]}")
    guard answer.status == 200 else { throw Answer.Unexpected(answer.body) }
    return service
  }

  private func raw(_ text: String, of service: TestService) async throws -> Response {
    guard case .whole(let response) = try await service.reply(text, as: service.me.token) else {
      throw Answer.Unexpected("a stream")
    }
    return response
  }

  @Test("shows of every goal what its own history does, but for notes")
  func whole() async throws {
    let service = try await service(goals: 2)
    let (a, b) = (TestService.id(1), TestService.id(2))
    for (goal, by) in [(a, 2), (b, 1)] {
      _ = try await service.ask(
        "POST /v1/goals/\(goal)/bump\n\n{\"by\":\(by),\"note\":\"n\",\"at\":\"2026-11-19T12:00:00Z\"}"
      )
    }
    service.clock.advance(bySeconds: 86_400)
    let answer = try await service.ask("GET /v1/history?from=2026-11-19&to=2026-11-22")
    #expect(answer.status == 200)
    let period = { (day: Int, count: Int, state: String) in
      """
      {"start":"2026-11-\(day)","end":"2026-11-\(day + 1)","count":\(count),"frequency":2,"state":"\(state)"}
      """
    }
    #expect(
      answer.body == """
        {"goals":[{"id":"\(a)","days":[{"date":"2026-11-19","count":2}],\
        "periods":[\(period(19, 2, "met")),\(period(20, 0, "paused")),\(period(21, 0, "pending"))],\
        "streak":{"current":1,"longest":1},"total":2,"completionRate":1},\
        {"id":"\(b)","days":[{"date":"2026-11-19","count":1}],\
        "periods":[\(period(19, 1, "paused")),\(period(20, 0, "paused")),\(period(21, 0, "pending"))],\
        "streak":{"current":0,"longest":0},"total":1,"completionRate":null}],"next":null}
        """)
    for goal in [a, b] {
      let one = try await service.ask("GET /v1/goals/\(goal)/history?from=2026-11-19&to=2026-11-22")
      let shown = one.body.replacing(",\"notes\":[\"n\"]", with: "").dropFirst()
      #expect(answer.body.contains("{\"id\":\"\(goal)\"," + shown))
    }
  }

  @Test("comes in pages of 64 goals, in list order", arguments: [1, 63, 64, 65, 128, 130])
  func pages(_ goals: Int) async throws {
    let service = try await service(goals: goals)
    var ids: [String] = []
    var query = ""
    var pages = 0
    while true {
      let page = try await service.ask("GET /v1/history?from=2026-11-20\(query)")
      ids += page.list("/goals", "/id")
      pages += 1
      guard let next = page.string("/next") else { break }
      query = "&cursor=\(next)"
    }
    #expect(pages == (goals + 63) / 64)
    #expect(ids == (try await service.ask("GET /v1/goals")).list("/goals", "/id"))
  }

  @Test("of an account without goals has none, and still looks at the window")
  func empty() async throws {
    let service = try TestService()
    #expect(try await service.ask("GET /v1/history").body == "{\"goals\":[],\"next\":null}")
    #expect(try await service.ask("GET /v1/history?from=2026-11-21").pointers == ["/from"])
  }

  private static let windows: [(String, [String])] = [
    ("from=2025-10-17&to=2026-11-22", ["/from"]), ("from=2026-11-21", ["/from"]),
    ("from=2025-10-16", ["/from"]), ("to=0000-01-01", ["/to"]), ("from=x&to=y", ["/from", "/to"]),
    ("cursor=x", ["/cursor"]), ("cursor=", ["/cursor"]), ("since=x", ["/since"]),
    ("edits=true", ["/edits"]),
  ]

  @Test("refuses a window of no day or of more than 400, and what is no cursor", arguments: windows)
  func refused(_ query: String, _ pointers: [String]) async throws {
    let service = try await service(goals: 1)
    let answer = try await service.ask("GET /v1/history?\(query)")
    #expect(answer.status == 422)
    #expect(answer.pointers == pointers)
  }

  @Test(
    "takes a window of 1 to 400 days, by default of 365",
    arguments: ["from=2025-10-18&to=2026-11-22", "from=2026-11-20&to=2026-11-21", ""])
  func sizes(_ query: String) async throws {
    let service = try await service(goals: 1)
    let answer = try await service.ask("GET /v1/history?\(query)")
    #expect(answer.status == 200)
  }

  @Test("goes on after a goal wherever that is by now, and begins anew where it is gone")
  func moved() async throws {
    let service = try await service(goals: 66)
    let next = try #require(try await service.ask("GET /v1/history").string("/next"))
    #expect(next == TestService.id(64))
    _ = try await service.ask("POST /v1/goals/\(next)/move\n\n{\"before\":null}")
    let after = try await service.ask("GET /v1/history?cursor=\(next)")
    #expect(after.body == "{\"goals\":[],\"next\":null}")
    _ = try await service.ask("DELETE /v1/goals/\(next)")
    let gone = try await service.ask("GET /v1/history?cursor=\(next)")
    #expect(gone.status == 410)
    #expect(gone.code == "cursor-diverged")
  }

  @Test("has a tag that changes with an edit, when a day ends, and with the coding")
  func tags() async throws {
    let service = try await service(goals: 1)
    func ask(_ tag: String, _ more: String = "") async throws -> Answer {
      try await service.ask("GET /v1/history\nIf-None-Match: \(tag)\(more)")
    }
    let first = try #require(try await ask("\"\"").etag)
    let known = try await ask(first)
    #expect(known.status == 304)
    #expect(known.field("Vary") == "Accept-Encoding")
    #expect(known.field("Cache-Control") == "private, no-cache")
    #expect(try await service.ask("GET /v1/history\nIf-Match: \"x\"").status == 412)
    var tags: Set = [first]
    for coding in ["gzip", "br"] {
      let packed = try await raw(
        "GET /v1/history\nIf-None-Match: \(first)\nAccept-Encoding: \(coding)", of: service)
      #expect(packed.status == .ok)
      let tag = try #require(packed.fields["ETag"])
      #expect(tags.insert(tag).inserted)
      #expect(try await ask(tag, "\nAccept-Encoding: \(coding)").status == 304)
    }
    let last = try #require(tags.first { $0.contains("-br") })
    let bump = try await service.ask("POST /v1/goals/\(TestService.id(1))/bump\nIf-Match: \(last)")
    #expect(bump.status == 200)
    let second = try #require(try await ask(first).etag)
    #expect(second != first)
    service.clock.advance(bySeconds: 12 * 3600)
    #expect(try await ask(second).status == 200)
  }

  /// 50 goals of these intervals in turn, of which most days of a year are counted, each goal's by
  /// another pattern.
  private func year(_ intervals: [String]) async throws -> TestService {
    let service = try await service(goals: 50, intervals: intervals)
    for goal in 1...50 {
      let edits = (0..<300).map { number in
        let day = 1 + (number * (goal % 7 + 3) + goal) % 364
        let at = service.world.now().adding(milliseconds: -Int64(day) * 86_400_000)
        return """
          {"id":"\(TestService.id(10_000 + 1000 * goal + number))","type":"bump",\
          "goal":"\(TestService.id(goal))","by":\(1 + (number * number + goal) % 4),"at":"\(at)"}
          """
      }
      let answer = try await service.ask(
        "POST /v1/edits\n\n{\"edits\":[\(edits.joined(separator: ","))]}")
      guard answer.status == 200, !answer.body.contains("rejected") else {
        throw Answer.Unexpected(answer.body)
      }
    }
    return service
  }

  @Test("tells 50 goals over a year in less than 100 kB to who takes gzip")
  func gzip() async throws {
    let service = try await year(["daily", "weekly", "monthly"])
    let plain = try await raw("GET /v1/history", of: service)
    let packed = try await raw("GET /v1/history\nAccept-Encoding: gzip", of: service)
    #expect(plain.fields["Content-Encoding"] == nil)
    #expect(packed.fields["Content-Encoding"] == "gzip")
    #expect(packed.fields["Content-Type"] == "application/json")
    #expect(plain.body.count > 800_000)
    #expect(packed.body.count < 100_000)
    // RFC 1952 §2.3.1: the length of what was compressed.
    let length = packed.body.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    #expect(length == plain.body.count)
  }

  @Test("tells 50 daily goals over a year in less than 100 kB to who takes Brotli")
  func brotli() async throws {
    let service = try await year(["daily"])
    let window = "from=2025-11-21&to=2026-11-22"
    let plain = try await raw("GET /v1/history?\(window)", of: service)
    let packed = try await raw(
      "GET /v1/history?\(window)\nAccept-Encoding: gzip, br", of: service)
    #expect(packed.fields["Content-Encoding"] == "br")
    #expect(packed.fields["Content-Type"] == "application/json")
    #expect(plain.body.count > 1_500_000)
    #expect(packed.body.count < 100_000)
    #expect(packed.body.readAsBrotli() == plain.body)
  }
}
