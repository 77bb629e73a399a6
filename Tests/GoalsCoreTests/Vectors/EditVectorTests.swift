import Testing

@testable import GoalsCore

@Suite("A vector of edits")
struct EditVectorTests {
  static let files = [
    "add.json", "delete.json", "update.json", "alter.json", "setActivity.json", "move.json",
    "bump.json", "skip.json", "configure.json", "undo.json",
  ]

  @Test("says what comes of its edit", arguments: files.flatMap(EditVector.Source.all(in:)))
  func outcomes(_ source: EditVector.Source) throws {
    try EditVector(source).check()
  }

  @Test("is there for every type of edit")
  func types() {
    #expect(Set(Self.files) == Set(EditType.allCases.map { "\($0.rawValue).json" }))
  }

  @Test("is there for every outcome that an edit of its type can have")
  func coverage() throws {
    let common: Set = ["applied", "duplicate", "invalid", "id-conflict", "in-future", "too-old"]
    let own: [String: Set<String>] = [
      "add.json": ["unchanged", "goal-exists", "limit-reached"],
      "delete.json": ["unknown-goal"],
      "update.json": ["unchanged", "unknown-goal"],
      "alter.json": ["unchanged", "unknown-goal"],
      "setActivity.json": ["unchanged", "unknown-goal", "activity-mismatch", "version-required"],
      "move.json": ["unchanged", "unknown-goal"],
      "bump.json": ["unknown-goal", "inactive-goal", "below-zero"],
      "skip.json": ["unchanged", "unknown-goal", "inactive-goal"],
      "configure.json": ["unchanged", "unknown-time-zone"],
      "undo.json": ["unchanged", "unknown-edit", "not-undoable", "limit-reached"],
    ]
    for name in Self.files {
      let outcomes = try VectorFile(name).vectors.compactMap { vector in
        vector["outcome"]?["code"]?.text ?? vector["outcome"]?["status"]?.text
      }
      #expect(Set(outcomes) == common.union(own[name] ?? []), "\(name)")
    }
  }
}

/// One vector, read.
struct EditVector {
  /// A vector as it is written.
  struct Source: CustomTestStringConvertible, Sendable {
    let file: String
    let json: VectorJSON
    let states: [String: VectorJSON]

    var testDescription: String { "\(file): \(json["name"]?.text ?? "without a name")" }

    /// The vectors of a file. One that cannot be read has none, which another test sees.
    static func all(in file: String) -> [Source] {
      guard let read = try? VectorFile(file) else { return [] }
      return read.vectors.map { Source(file: file, json: $0, states: read.states) }
    }
  }

  let before: AccountState
  let batch: Batch
  let circumstances: Circumstances
  let json: VectorJSON

  init(_ source: Source) throws {
    json = source.json
    let fields = [
      "name", "state", "known", "log", "edit", "ifVersion", "device", "now", "made", "outcome",
      "recorded", "after",
    ]
    #expect(json.object?.keys.allSatisfy(fields.contains) == true)
    let named = json["state"]?.text.flatMap { source.states[$0] }
    let made = json["made"]?.text.flatMap { Goal.ID($0) } ?? 0
    batch = Batch(
      device: try #require(json["device"]?.text),
      proposals: [VectorEdit.proposal(try #require(json["edit"]), made: made)],
      precondition: json["ifVersion"]?.integer.map { .version(Version($0)) })
    let known = try (json["known"]?.array ?? []).map { json in
      try #require(VectorEdit.recorded(json), "\(json)")
    }
    var log = VectorLog(
      state: try VectorState(json: try #require(named ?? json["state"])).state(),
      recorded: RecordedEdits(known))
    for edit in json["log"]?.array ?? [] { try log.record(edit) }
    before = log.state
    circumstances = Circumstances(
      now: try #require(json["now"]?.text.flatMap { Instant($0) }), zones: .system,
      recorded: log.recorded)
  }

  func check() throws {
    let ruling = before.judge(batch, chain: nil, by: circumstances)
    #expect(ruling.result == .decided)
    let outcome = try #require(ruling.outcomes.first)
    try checkStatus(outcome)
    if case .applied = outcome.status {
      let recorded = try #require(ruling.recorded.first)
      try checkRecorded(recorded)
      try VectorState(json: try #require(json["after"])).expect(
        try #require(ruling.state), before: before)
      #expect(recorded.transform(before) == ruling.state)
    } else {
      #expect(json["recorded"] == nil && json["after"] == nil)
      #expect(ruling.recorded.isEmpty)
      #expect(ruling.state == before)
    }
  }

  private func checkStatus(_ outcome: Outcome) throws {
    let expected = try #require(json["outcome"]?.object)
    var printed: [String: VectorJSON]
    switch outcome.status {
    case .applied(let version):
      printed = ["status": .text("applied"), "version": .number(Double(version.number))]
    case .duplicate(let version):
      printed = ["status": .text("duplicate"), "version": .number(Double(version.number))]
    case .unchanged: printed = ["status": .text("unchanged")]
    case .skipped: printed = ["status": .text("skipped")]
    case .rejected(let rejection):
      printed = ["status": .text("rejected"), "code": .text(rejection.code.rawValue)]
      if rejection.code == .invalid {
        let pointers = Set(rejection.faults.map(\.pointer))
        #expect(pointers == Set(expected["errors"]?.array?.compactMap(\.text) ?? []))
        printed["errors"] = expected["errors"]
      }
    }
    #expect(printed == expected)
  }

  private func checkRecorded(_ edit: RecordedEdit) throws {
    edit.expect(try #require(json["recorded"].flatMap { VectorEdit.recorded($0) }))
  }
}
