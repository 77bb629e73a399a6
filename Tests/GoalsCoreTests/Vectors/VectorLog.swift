import Testing

@testable import GoalsCore

/// The log of a vector: recorded edits that lead from one state to another.
struct VectorLog {
  private(set) var state: AccountState
  private(set) var recorded: RecordedEdits

  init(state: AccountState, recorded: RecordedEdits) {
    self.state = state
    self.recorded = recorded
  }

  /// Adds a recorded edit as the API prints it. What takes it back is not printed, so it is decided
  /// once more; it has to come to what is written.
  mutating func record(_ json: VectorJSON) throws {
    let written = try #require(VectorEdit.recorded(json), "\(json)")
    let verdict = state.judge(
      ProposedEdit(id: written.id, at: written.at, day: written.day, edit: written.edit),
      from: written.device,
      by: Circumstances(now: written.recordedAt, zones: .system, recorded: recorded))
    let edit = try #require(verdict.recorded, "\(json): \(verdict)")
    edit.expect(written)
    edit.transform(&state)
    recorded.record(edit)
  }
}

extension RecordedEdit {
  /// Compares everything that the API prints.
  func expect(_ written: RecordedEdit) {
    #expect(version == written.version)
    #expect(id == written.id)
    #expect(at == written.at)
    #expect(recordedAt == written.recordedAt)
    #expect(device == written.device)
    #expect(edit == written.edit)
    #expect(day == written.day)
  }
}
