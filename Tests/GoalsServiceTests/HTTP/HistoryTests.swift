import Testing

@testable import GoalsService

private let a = TestService.id(1)

@Suite("GET /v1/goals/{id}/history") struct HistoryTests {
  /// A goal of two a day, made on 2026-11-20 at noon; the clock stands at that of 2026-11-24.
  private func service() async throws -> TestService {
    let service = try TestService()
    try await service.addGoals(1)
    let day = 86_400
    for (wait, body) in [
      (0, #"{"by":2,"note":"early"}"#), (day, #"{"by":1}"#), (day, #"{"by":3,"note":"x"}"#),
      (60, #"{"by":1,"note":"y"}"#),
    ] {
      service.clock.advance(bySeconds: Int64(wait))
      _ = try await service.ask("POST /v1/goals/\(a)/bump\n\n\(body)")
    }
    service.clock.advance(bySeconds: Int64(day))
    _ = try await service.ask("POST /v1/goals/\(a)/skip")
    service.clock.advance(bySeconds: Int64(day))
    return service
  }

  @Test("tells days with their notes, judged periods, streak, total and rate")
  func whole() async throws {
    let answer = try await service().ask("GET /v1/goals/\(a)/history")
    #expect(answer.status == 200)
    #expect(
      answer.body == """
        {"days":[{"date":"2026-11-20","count":2,"notes":["early"]},\
        {"date":"2026-11-21","count":1},{"date":"2026-11-22","count":4,"notes":["x","y"]}],\
        "periods":[\
        {"start":"2026-11-20","end":"2026-11-21","count":2,"frequency":2,"state":"met"},\
        {"start":"2026-11-21","end":"2026-11-22","count":1,"frequency":2,"state":"missed"},\
        {"start":"2026-11-22","end":"2026-11-23","count":4,"frequency":2,"state":"met"},\
        {"start":"2026-11-23","end":"2026-11-24","count":0,"frequency":2,"state":"skipped"},\
        {"start":"2026-11-24","end":"2026-11-25","count":0,"frequency":2,"state":"pending"}],\
        "streak":{"current":1,"longest":1},"total":7,"completionRate":0.6666666666666666}
        """)
  }

  @Test("is of the window, but for the streak and periods that reach beyond it")
  func window() async throws {
    let service = try await service()
    _ = try await service.ask("PATCH /v1/goals/\(a)\n\n{\"interval\":\"weekly\",\"frequency\":4}")
    let answer = try await service.ask(
      "GET /v1/goals/\(a)/history?from=2026-11-22&to=2026-11-24")
    #expect(answer.list("/days", "/date") == ["2026-11-22"])
    #expect(
      answer.list("/periods", "/start") == ["2026-11-22", "2026-11-23", "2026-11-23"])
    #expect(answer["/periods/2/end"] == "\"2026-11-30\"")
    #expect(answer["/total"] == "4")
    #expect(answer["/streak"] == #"{"current":0,"longest":1}"#)
  }

  @Test("has no rate where no period is met or missed")
  func noRate() async throws {
    let service = try await service()
    for window in [
      "from=2026-11-24", "from=2025-01-01&to=2025-02-01", "from=2027-01-01&to=2027-01-02",
    ] {
      let answer = try await service.ask("GET /v1/goals/\(a)/history?\(window)")
      #expect(answer["/completionRate"] == "null", "\(window)")
      #expect(answer["/total"] == "0")
    }
  }

  @Test("goes back 365 days, today included, where nothing is said")
  func defaults() async throws {
    let service = try TestService()
    try await service.addGoals(1)
    for day in ["2025-11-20", "2025-11-21", "2026-11-20"] {
      _ = try await service.ask("POST /v1/goals/\(a)/bump\n\n{\"at\":\"\(day)T12:00:00Z\"}")
    }
    for (query, days) in [
      ("", ["2025-11-21", "2026-11-20"]), ("?to=2026-11-20", ["2025-11-20", "2025-11-21"]),
      ("?from=2025-11-20", ["2025-11-20", "2025-11-21", "2026-11-20"]),
    ] {
      let answer = try await service.ask("GET /v1/goals/\(a)/history\(query)")
      #expect(answer.list("/days", "/date") == days)
    }
  }

  @Test(
    "takes a window of 1 to 3660 days",
    arguments: [
      "from=2016-11-14&to=2026-11-22", "from=2016-11-13&to=2026-11-21",
      "from=2026-11-21&to=2026-11-22", "from=0000-01-01&to=0000-01-02",
      "from=9999-12-30&to=9999-12-31",
    ])
  func size(_ query: String) async throws {
    let service = try await service()
    #expect(try await service.ask("GET /v1/goals/\(a)/history?\(query)").status == 200)
  }

  @Test(
    "refuses any other window, and what is no day",
    arguments: [
      ("from=2026-11-21&to=2026-11-21", ["/from"]), ("from=2026-11-22&to=2026-11-21", ["/from"]),
      ("from=2016-11-13&to=2026-11-22", ["/from"]), ("from=2026-11-25", ["/from"]),
      ("from=2016-11-01", ["/from"]), ("to=0000-01-01", ["/to"]),
      ("from=yesterday&to=2026-02-30", ["/from", "/to"]), ("from=", ["/from"]),
      ("since=2026-11-01", ["/since"]), ("from=2026-11-1", ["/from"]),
    ])
  func refused(_ query: String, _ pointers: [String]) async throws {
    let answer = try await service().ask("GET /v1/goals/\(a)/history?\(query)")
    #expect(answer.status == 422)
    #expect(answer.code == "invalid")
    #expect(answer.pointers == pointers)
  }

  @Test("has a tag that changes with an edit and when a day ends")
  func tag() async throws {
    let service = try await service()
    func ask(_ tag: String) async throws -> Answer {
      try await service.ask("GET /v1/goals/\(a)/history\nIf-None-Match: \(tag)")
    }
    let first = try #require(try await ask("\"\"").etag)
    #expect(try await ask(first).status == 304)
    _ = try await service.ask("POST /v1/goals/\(a)/bump")
    let second = try #require(try await ask(first).etag)
    #expect(second != first)
    #expect(try await ask(second).status == 304)
    service.clock.advance(bySeconds: 12 * 3600)
    #expect(try await ask(second).status == 200)
  }

  @Test("of a goal that is not in the list is not there")
  func unknown() async throws {
    let service = try await service()
    _ = try await service.ask("DELETE /v1/goals/\(a)")
    for id in [a, TestService.id(9), "x"] {
      let answer = try await service.ask("GET /v1/goals/\(id)/history")
      #expect(answer.status == 404)
      #expect(answer.code == "unknown-goal")
    }
  }
}
