import GoalsCore
import HTTP
import HTTPServer
import JSON
import TestSupport
import Testing

@testable import GoalsService
@testable import GoalsStore

@Suite("Metrics") struct MetricsTests {
  /// A service whose happenings and replies are counted.
  private func counted() throws -> (TestService, Metrics) {
    let metrics = Metrics()
    let service = try TestService(metrics: metrics)
    return (service, metrics)
  }

  /// What is counted of edits, by its labels.
  private func edits(in metrics: Metrics) -> [String: String] {
    let lines = metrics.text(.init()).split(separator: "\n").filter { $0.hasPrefix("goals_edits") }
    return lines.reduce(into: [:]) { found, line in
      let words = line.split(separator: " ")
      found[String(words[0].dropFirst("goals_edits_".count))] = String(words[1])
    }
  }

  private func value(_ sample: String, in text: String) -> String? {
    text.split(separator: "\n").first { $0.hasPrefix(sample + " ") }
      .map { String($0.dropFirst(sample.count + 1)) }
  }

  @Test("count requests by operation and status, with what no operation is")
  func requests() async throws {
    let (service, metrics) = try counted()
    try await service.addGoals(1)
    _ = try await service.ask("GET /v1/goals")
    _ = try await service.ask("GET /v1/goals", as: "nobody")
    _ = try await service.ask("GET /nowhere")
    _ = try await service.listen()
    let text = metrics.text(.init())
    #expect(value(#"goals_requests_total{operation="listGoals",status="200"}"#, in: text) == "1")
    #expect(value(#"goals_requests_total{operation="listGoals",status="401"}"#, in: text) == "1")
    #expect(value(#"goals_requests_total{operation="none",status="404"}"#, in: text) == "1")
    #expect(
      value(#"goals_requests_total{operation="followChanges",status="200"}"#, in: text) == "1")
    #expect(
      value(#"goals_request_duration_seconds_count{operation="listGoals"}"#, in: text) == "2")
  }

  @Test("count edits by what became of them")
  func edits() async throws {
    let (service, metrics) = try counted()
    service.recordCommits()
    try await service.addGoals(2)
    let bump = #"{"id":"\#(TestService.id(50))","type":"bump","goal":"\#(TestService.id(1))"}"#
    let bad = #"{"id":"\#(TestService.id(51))","type":"bump","goal":"\#(TestService.id(9))"}"#
    _ = try await service.ask("POST /v1/edits\n\n{\"edits\":[\(bump),\(bad)]}")
    _ = try await service.ask("POST /v1/sync\n\n{\"edits\":[\(bump)]}")
    service.store.updated.network.settle()
    #expect(
      edits(in: metrics) == [
        #"total{outcome="applied"}"#: "4", #"total{outcome="unknown-goal"}"#: "1",
        #"total{outcome="duplicate"}"#: "1", "imported_total": "0",
      ])
  }

  @Test("count nothing of a dry run, nor of a batch that is withdrawn")
  func dryRuns() async throws {
    let (service, metrics) = try counted()
    service.recordCommits()
    try await service.addGoals(1)
    let bump = #"{"id":"\#(TestService.id(50))","type":"bump","goal":"\#(TestService.id(1))"}"#
    let bad = #"{"id":"\#(TestService.id(51))","type":"bump","goal":"\#(TestService.id(9))"}"#
    service.store.updated.network.settle()
    let before = edits(in: metrics)
    _ = try await service.ask("POST /v1/edits?dryRun=true\n\n{\"edits\":[\(bump),\(bad)]}")
    #expect(edits(in: metrics) == before)
    let atomic = #"{"edits":[\#(bump),\#(bad)],"atomic":true}"#
    #expect(try await service.ask("POST /v1/edits\n\n\(atomic)").status == 409)
    service.store.updated.network.settle()
    let after = edits(in: metrics)
    #expect(after[#"total{outcome="applied"}"#] == before[#"total{outcome="applied"}"#])
    #expect(after[#"total{outcome="skipped"}"#] == "1")
    #expect(after[#"total{outcome="unknown-goal"}"#] == "1")
  }

  @Test("count the edits of an import apart")
  func imports() async throws {
    let (service, metrics) = try counted()
    try await service.addGoals(2)
    let export = try await service.file("/v1/export").body
    let other = try service.administration.addAccountWithToken("other", timeZone: nil).token
    let answer = try await service.ask(
      "POST /v1/import\n\n\(export)", as: other, type: "application/x-ndjson")
    #expect(answer.status == 201)
    #expect(edits(in: metrics)["imported_total"] == "3")
  }

  @Test("measure transactions")
  func commits() async throws {
    let (service, metrics) = try counted()
    try await service.addGoals(2)
    // Requests are answered before it is measured what recorded them.
    service.store.updated.network.settle()
    let text = metrics.text(.init())
    #expect(value(#"goals_commit_edits_bucket{le="2.0"}"#, in: text) == "0")
    #expect(value(#"goals_commit_edits_bucket{le="4.0"}"#, in: text) == "1")
    #expect(value("goals_commit_edits_sum", in: text) == "3.0")
    #expect(value("goals_commit_duration_seconds_count", in: text) == "1")
  }

  @Test("show what there is at the moment")
  func gauges() {
    var gauges = Metrics.Gauges()
    gauges.store.waiting = 7
    gauges.store.databaseBytes = 4096
    gauges.server.streamsOpen = 3
    gauges.isReady = false
    #expect(!Metrics().text(gauges).contains("goals_accounts"))
    gauges.accounts = .init(count: 3, logBytes: 4000, full: 1)
    let text = Metrics().text(gauges)
    #expect(value("goals_accounts", in: text) == "3")
    #expect(value("goals_account_log_bytes", in: text) == "4000")
    #expect(value("goals_accounts_full", in: text) == "1")
    #expect(value("goals_writer_waiting", in: text) == "7")
    #expect(value("goals_database_bytes", in: text) == "4096")
    #expect(value("goals_streams_open", in: text) == "3")
    #expect(value("goals_ready", in: text) == "0")
  }

  @Test("tell of other servers where there may be some, and of none elsewhere")
  func others() {
    let metrics = Metrics()
    metrics.observe(.store(.writer(.overtaken(accounts: 3))))
    metrics.observe(.store(.writer(.commitFailed(.unknown, requests: 2))))
    var gauges = Metrics.Gauges()
    let names = [
      "goals_accounts_overtaken_total", "goals_others_silent_seconds", "goals_rounds_in_flight",
    ]
    for name in names { #expect(!metrics.text(gauges).contains(name)) }
    gauges.silence = .milliseconds(1500)
    gauges.store.rounds = 2
    let text = metrics.text(gauges)
    #expect(names.map { value($0, in: text) } == ["3", "1.5", "2"])
    #expect(value("goals_commits_unknown_total", in: text) == "1")
    #expect(value("goals_commits_failed_total", in: text) == "0")
  }

  @Test("are in Prometheus' text format, line by line")
  func format() async throws {
    let (service, metrics) = try counted()
    try await service.addGoals(1)
    let sample = /[a-z_]+(\{[a-z]+="[^"\\\n]*"(,[a-z]+="[^"\\\n]*")*\})? [0-9.e+-]+/
    var names: [String] = []
    for line in metrics.text(.init()).split(separator: "\n") {
      if line.hasPrefix("# TYPE ") { names.append(String(line.split(separator: " ")[2])) }
      if line.hasPrefix("#") { continue }
      #expect(try sample.wholeMatch(in: line) != nil, "\(line)")
      #expect(line.hasPrefix(names.last ?? "?"), "\(line)")
    }
    #expect(Set(names).count == names.count)
  }

  @Test("escape what stands in a label")
  func labels() {
    var text = Exposition()
    text.sample("x", [("a", "\"\\\n")], 1)
    #expect(text.text == #"x{a="\"\\\n"} 1"# + "\n")
  }

  @Test("put a value into the first bucket that holds it")
  func histogram() {
    var histogram = Histogram([1, 10])
    for value in [0, 1, 1.5, 10, 11, .infinity] { histogram.add(value) }
    #expect(histogram.counts == [2, 2, 2])
  }

  @Test("are read at /metrics, without a token, by GET and HEAD alone")
  func listener() async throws {
    let (service, metrics) = try counted()
    let handler = MetricsListener(
      metrics: metrics, domain: service.gateway.domain, gauges: service.store.upkeep.gauges,
      statistics: { Statistics() }, silence: { nil }, version: "1.2.3", uptime: { .seconds(90) }
    ).handler
    func ask(_ text: String) async throws -> Response {
      let request = try TestService.request(TestService.bytes(of: text, token: nil, type: nil))
      let reply = await handedOver { handler.respond(to: request, by: Responder(deliver: $0)) }
      guard case .whole(let response) = reply else { throw Answer.Unexpected("a stream") }
      return response
    }
    let read = try await ask("GET /metrics")
    #expect(read.status == .ok)
    #expect(read.fields.values(.contentType) == ["text/plain; version=0.0.4; charset=utf-8"])
    let text = String(decoding: read.body, as: UTF8.self)
    #expect(value("goals_ready", in: text) == "1")
    #expect(value(#"goals_build_info{version="1.2.3"}"#, in: text) == "1")
    let resident = try #require(value("process_resident_memory_bytes", in: text))
    #expect(Int(resident) ?? 0 > 0)
    #expect(value("goals_backup_age_seconds", in: text) == nil, "none was made")
    let report = BackupReport(path: "/backup", bytes: 1, accounts: 1)
    metrics.observe(.backedUp(report, at: .seconds(30)))
    let after = String(decoding: try await ask("GET /metrics").body, as: UTF8.self)
    #expect(value("goals_backup_age_seconds", in: after) == "60.0")
    #expect(try await ask("HEAD /metrics").status == .ok)
    #expect(try await ask("POST /metrics").status == .methodNotAllowed)
    #expect(try await ask("GET /").status == .notFound)
  }
}

@Suite("Every answer") struct RequestIDTests {
  @Test(
    "names its request, each another",
    arguments: [
      "GET /healthz", "GET /v1/goals", "GET /nowhere", "PATCH /healthz", "OPTIONS /v1/goals",
      "POST /v1/goals\n\n{", "POST /v1/edits\nContent-Type: text/plain\n\nx",
    ])
  func named(_ request: String) async throws {
    let service = try TestService()
    let ids = [
      try await service.ask(request).requestID,
      try await service.ask(request).requestID,
    ]
    #expect(ids[0] != nil && ids[1] != nil && ids[0] != ids[1])
  }

  @Test("is told to whoever runs the server, by that name and without what was in it")
  func told() async throws {
    let service = try TestService()
    let answer = try await service.ask("POST /v1/goals\n\n{\"title\":\"secret\"}")
    let told = service.happenings.all.compactMap { happening in
      if case .answered(let answered) = happening { answered } else { nil }
    }
    #expect(told.map(\.requestID) == [answer.requestID])
    #expect(told.map(\.operation) == ["addGoal"])
    #expect(told.map(\.status) == [201])
    #expect(!"\(service.happenings.all)".contains("secret"))
  }
}
