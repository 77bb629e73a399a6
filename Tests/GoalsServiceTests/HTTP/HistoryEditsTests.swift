import Testing

@testable import GoalsService

private let a = TestService.id(1)
private let b = TestService.id(2)

@Suite("GET /v1/goals/{id}/history with its edits") struct HistoryEditsTests {
  /// It is 2026-11-20 at noon; edits have the ids 200, 201, ….
  private func service(_ edits: [String]) async throws -> TestService {
    let service = try TestService()
    try await service.addGoals(2)
    let all = edits.enumerated().map {
      "{\"id\":\"\(TestService.id(200 + $0.offset))\",\($0.element)}"
    }
    let answer = try await service.ask(
      "POST /v1/edits\n\n{\"edits\":[\(all.joined(separator: ","))]}")
    guard answer["/version"] == "\(3 + edits.count)" else { throw Answer.Unexpected(answer.body) }
    return service
  }

  private func bump(_ goal: String, by: Int = 1, _ more: String = "") -> String {
    "\"type\":\"bump\",\"goal\":\"\(goal)\",\"by\":\(by)\(more)"
  }

  private func undo(_ number: Int) -> String {
    "\"type\":\"undo\",\"edit\":\"\(TestService.id(number))\""
  }

  @Test("shows the bumps of each day, in log order")
  func whole() async throws {
    let service = try await service([
      bump(a, by: 2, ",\"note\":\"early\",\"at\":\"2026-11-19T06:00:00+01:00\""), bump(b),
      bump(a, by: 3), bump(a, by: -1),
      bump(a, by: 1, ",\"at\":\"2026-11-19T23:00:00Z\""),
    ])
    let answer = try await service.ask("GET /v1/goals/\(a)/history?edits=true")
    #expect(
      answer["/days"] == """
        [{"date":"2026-11-19","count":3,"notes":["early"],"edits":[\
        {"id":"\(TestService.id(200))","by":2,"at":"2026-11-19T05:00:00.000Z","note":"early"},\
        {"id":"\(TestService.id(204))","by":1,"at":"2026-11-19T23:00:00.000Z","note":null}]},\
        {"date":"2026-11-20","count":2,"edits":[\
        {"id":"\(TestService.id(202))","by":3,"at":"2026-11-20T12:00:00.000Z","note":null},\
        {"id":"\(TestService.id(203))","by":-1,"at":"2026-11-20T12:00:00.000Z","note":null}]}]
        """)
    let plain = try await service.ask("GET /v1/goals/\(a)/history?edits=false")
    #expect(plain.body == (try await service.ask("GET /v1/goals/\(a)/history")).body)
    #expect(plain["/days/0/edits"] == nil)
  }

  @Test("leaves out what is undone, through any chain")
  func undone() async throws {
    // 203 takes 200 back, 204 that, and 205 that again; 207 does 202 again.
    let service = try await service([
      bump(a), bump(a), bump(a, by: 5), undo(200), undo(203), undo(204), undo(202), undo(206),
    ])
    let answer = try await service.ask("GET /v1/goals/\(a)/history?edits=true")
    #expect(answer.list("/days/0/edits", "/id") == [201, 202].map(TestService.id))
    #expect(answer["/days/0/count"] == "6")
  }

  @Test("shows those of the window that came late, and none of another window")
  func window() async throws {
    let service = try await service([
      bump(a), bump(a, by: 7, ",\"at\":\"2026-10-01T12:00:00Z\""),
      bump(a, by: 9, ",\"at\":\"2026-09-30T12:00:00Z\""),
    ])
    let answer = try await service.ask(
      "GET /v1/goals/\(a)/history?edits=true&from=2026-10-01&to=2026-10-02")
    #expect(answer.list("/days", "/date") == ["2026-10-01"])
    #expect(answer.list("/days/0/edits", "/by") == ["7"])
    let none = try await service.ask(
      "GET /v1/goals/\(a)/history?edits=true&from=2026-10-02&to=2026-10-09")
    #expect(none["/days"] == "[]")
  }

  @Test("finds them in a long log, from the first that may count on")
  func long() async throws {
    let service = try TestService()
    try await service.addGoals(1)
    for round in 1...3 {
      try await service.addBumps(1000, from: 1000 * round)
      service.clock.advance(bySeconds: 30 * 86_400)
    }
    _ = try await service.ask("POST /v1/goals/\(a)/bump")
    for (window, days, edits) in [
      ("from=2027-02-01", ["2027-02-18"], [1]),
      ("from=2027-01-01", ["2027-01-19", "2027-02-18"], [1000, 1]),
      ("from=2026-12-01&to=2027-01-01", ["2026-12-20"], [1000]),
    ] {
      let answer = try await service.ask("GET /v1/goals/\(a)/history?edits=true&\(window)")
      #expect(answer.list("/days", "/date") == days)
      for (day, count) in edits.enumerated() {
        #expect(answer["/days/\(day)/edits/\(count - 1)"] != nil, "\(window)")
        #expect(answer["/days/\(day)/edits/\(count)"] == nil, "\(window)")
      }
    }
  }

  @Test("is refused where they are too many, and what is neither true nor false")
  func refused() async throws {
    let service = try TestService()
    try await service.addGoals(1)
    let unclear = try await service.ask("GET /v1/goals/\(a)/history?edits=yes")
    #expect(unclear.status == 422)
    #expect(unclear.pointers == ["/edits"])
    let picture = try await service.ask("GET /v1/goals/\(a)/history.svg?edits=true")
    #expect(picture.pointers == ["/edits"])
    for number in 0...BumpSearch.maximum / 1000 {
      try await service.addBumps(1000, from: 1000 * (number + 1))
    }
    let many = try await service.ask("GET /v1/goals/\(a)/history?edits=true")
    #expect(many.status == 422)
    #expect(many.pointers == ["/edits"])
    #expect(try await service.ask("GET /v1/goals/\(a)/history").status == 200)
  }
}
