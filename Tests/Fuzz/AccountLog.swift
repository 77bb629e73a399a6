import GoalsWire
import TestSupport

@testable import GoalsCore
@testable import GoalsStore

/// What is recorded of an account, and the state that it comes to, kept as plainly as can be.
struct AccountLog {
  private let calendar: CalendarSettings
  private(set) var edits: [RecordedEdit] = []
  private(set) var state: AccountState
  private(set) var chain = Chain(words: (0, 0, 0, 0))
  private(set) var recorded = RecordedEdits()
  /// The state before the last edit.
  private var before: AccountState

  init(_ calendar: CalendarSettings) {
    self.calendar = calendar
    state = AccountState(calendar: calendar)
    before = state
  }

  /// Takes in a write that was ordered, as durable.
  mutating func record(_ write: Write) throws(Broken) {
    try claim(write.before == state && write.chain == chain, "decided on another state")
    for edit in write.edits {
      try claim(edit.version == state.version.next, "a version is missing")
      try claim(
        edit.recordedAt >= state.recordedAt ?? edit.recordedAt, "an instant before the last")
      try claim(!edits.contains { $0.id == edit.id }, "an id is recorded twice")
      before = state
      state = edit.transform(state)
      try claim(state.present != before.present, "recorded, and nothing has changed")
      edits.append(edit)
      recorded.record(edit)
    }
    try claim(write.after == state, "the state to be written is not the fold of the edits")
    try checkState(state)
    chain = Chain(words: (UInt64(edits.count), 0, 0, 0))
  }

  func seals(of edits: [RecordedEdit]) -> [Seal] {
    edits.map { Seal(chain: Chain(words: (UInt64($0.version.number), 0, 0, 0)), payload: []) }
  }

  /// The log folded from its start is the state: as it was recorded, and as it is read of its
  /// payloads.
  func check() throws(Broken) {
    let start = AccountState(calendar: calendar)
    try claim(edits.reduce(start) { $1.transform($0) } == state, "the fold is another state")
    var fold = LogFold(calendar)
    for (edit, seal) in zip(edits, ChainMaker.seal(edits, after: ChainMaker.start(calendar))) {
      guard let payload = RecordedPayload(seal.payload) else {
        throw Broken(description: "what is recorded can't be read")
      }
      var target: RecordedEdit?
      if case .account(.undo(let id)) = edit.edit { target = edits.first { $0.id == id } }
      let read = fold.edit(of: payload, target: target)
      try claim(read == edit, "version \(edit.version) is read as another edit")
      read.map { fold.apply($0) }
    }
    try claim(fold.state == state, "the log is read as another state")
  }

  /// The last edit is a duplicate, and can be taken back, and that again.
  func checkEnd(at now: Instant, maximumGoals: Int) throws(Broken) {
    guard let last = edits.last else { return }
    let limit = max(maximumGoals, before.roster.count)
    let circumstances = Circumstances(
      now: max(now, last.at), zones: .mock, maximumGoals: limit,
      recorded: recorded)
    let again = ProposedEdit(id: last.id, at: last.at, day: last.day, edit: last.edit)
    try claim(
      state.judge(again, from: "y", by: circumstances) == .duplicate(last),
      "sent again, no duplicate")
    var undone = self
    try undone.append(.undo(last.id), 1, by: circumstances)
    try claim(
      undone.state.present == before.present, "\(last.edit.type) is not taken back: \(last.edit)")
    let back = undone.edits[undone.edits.count - 1].id
    try undone.append(
      .undo(back), 2,
      by: Circumstances(
        now: circumstances.now, zones: .mock, maximumGoals: max(limit, state.roster.count),
        recorded: undone.recorded))
    try claim(
      undone.state.present == state.present, "\(last.edit.type) is not done again: \(last.edit)")
  }

  private mutating func append(
    _ edit: AccountEdit, _ number: UInt64, by circumstances: Circumstances
  ) throws(Broken) {
    let proposed = ProposedEdit(id: Edit.ID(high: 99, low: number), edit: Edit(edit))
    let verdict = state.judge(proposed, from: "y", by: circumstances)
    guard case .record(let made) = verdict else {
      throw Broken(description: "can't be taken back: \(verdict), \(edits.last?.edit.type as Any)")
    }
    state = made.transform(state)
    try checkState(state)
    edits.append(made)
    recorded.record(made)
  }
}

extension Zones {
  /// Those of the test world, and one that it lacks.
  static let mock: Zones = {
    let names = [
      "America/New_York", "Asia/Tokyo", "Europe/Berlin", "Pacific/Auckland", "Europe/Nowhere",
    ]
    var zones = Zones()
    for name in names.compactMap({ ZoneName($0) }) { zones.add(name, by: mockZone) }
    return zones
  }()
}
