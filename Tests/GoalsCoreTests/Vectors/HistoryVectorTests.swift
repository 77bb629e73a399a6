import Testing

@testable import GoalsCore

@Suite("A vector of history")
struct HistoryVectorTests {
  @Test("says how a goal reads at an instant", arguments: EditVector.Source.all(in: "history.json"))
  func histories(_ source: EditVector.Source) throws {
    try HistoryVector(source.json).check()
  }

  @Test("is there for every judgement in every interval")
  func coverage() throws {
    let vectors = try VectorFile("history.json").vectors
    let states = vectors.flatMap { $0["periods"]?.array ?? [] }.compactMap { $0["state"]?.text }
    #expect(Set(states) == Set(JudgedPeriod.State.allCases.map(\.rawValue)))
    let added = vectors.compactMap { $0["edits"]?.array?.first?["goal"]?["interval"]?.text }
    #expect(Set(added) == Set(Interval.allCases.map(\.rawValue)))
  }
}

/// One vector, read: an account to which its edits were sent, at its instant.
private struct HistoryVector {
  let json: VectorJSON
  let goal: Goal.ID
  let account: TestAccount

  init(_ json: VectorJSON) throws {
    self.json = json
    let fields = [
      "name", "state", "edits", "now", "goal", "progress", "period", "today", "running",
      "streak", "days", "completionRate", "periods",
    ]
    #expect(json.object?.keys.allSatisfy(fields.contains) == true)
    goal = try #require(json["goal"]?.text.flatMap { Goal.ID($0) })
    let state = try VectorState(json: json["state"] ?? .object([:])).state()
    var account = TestAccount(state, now: .at(try #require(json["now"]?.text)))
    account.zones = .system
    for edit in json["edits"]?.array ?? [] {
      var reader = VectorEdit(made: 0)
      let read = reader.edit(edit)
      #expect(reader.faults.isEmpty)
      let verdict = account.send(
        try #require(read), id: edit["id"]?.text.flatMap { Edit.ID($0) },
        at: .at(try #require(edit["at"]?.text)), day: edit["day"]?.text.flatMap { Day($0) })
      #expect(verdict.recorded != nil, "\(edit): \(verdict)")
    }
    self.account = account
  }

  func check() throws {
    let item = try #require(account.item(goal))
    let streak = ["current": item.streak.current, "longest": item.streak.longest]
    #expect(json["streak"] == .numbers(streak))
    switch item.progress {
    case .active(let running):
      let period = running.period
      #expect(json["progress"] == .number(Double(running.count)))
      #expect(
        json["period"] == .texts(["start": "\(period.start)", "end": "\(period.end)"]))
      if let today = json["today"] { #expect(today == .number(Double(running.today))) }
      if let state = json["running"] { #expect(state == .text(running.state.rawValue)) }
    case .inactive:
      #expect(json["progress"] == .null)
      #expect(json["period"] == .null)
      #expect(json["today"] ?? .null == .null && json["running"] ?? .null == .null)
    }
    let tracked = try #require(account.state.roster.goal(goal))
    let history = tracked.history(
      of: .first..<(.last), at: account.now, in: account.calendar,
      tracked.streak(at: account.now, in: account.calendar))
    #expect(history.periods.map(VectorJSON.init) == json["periods"]?.array)
    if let days = json["days"]?.array { #expect(history.days.map(VectorJSON.init) == days) }
    if let rate = json["completionRate"] {
      let expected = history.completion.map { Double($0.met) / Double($0.of) }
      #expect(rate == expected.map { .number($0) } ?? .null)
    }
  }
}

extension VectorJSON {
  fileprivate init(_ judged: JudgedPeriod) {
    self = .object([
      "start": .text("\(judged.period.start)"), "end": .text("\(judged.period.end)"),
      "count": .number(Double(judged.count)),
      "frequency": .number(Double(judged.frequency.value)), "state": .text(judged.state.rawValue),
    ])
  }

  fileprivate init(_ counted: GoalHistory.CountedDay) {
    var day: [String: VectorJSON] = [
      "date": .text("\(counted.day)"), "count": .number(Double(counted.count)),
    ]
    if !counted.notes.isEmpty { day["notes"] = .array(counted.notes.map { .text($0.text) }) }
    self = .object(day)
  }

  fileprivate static func numbers(_ values: [String: Int]) -> VectorJSON {
    .object(values.mapValues { .number(Double($0)) })
  }

  fileprivate static func texts(_ values: [String: String]) -> VectorJSON {
    .object(values.mapValues { .text($0) })
  }
}
