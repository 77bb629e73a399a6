import Testing

@testable import GoalsCore

@Suite("A batch that may take back only its device's own edits")
struct OwnUndoTests {
  /// Goal 1, which the phone added and counted once, as the edit 50, and the watch as the edit 51.
  private var account: TestAccount {
    var account = TestAccount.with(.some(1))
    _ = account.send(bump, id: 50)
    let verdict = account.state.judge(
      ProposedEdit(id: 51, edit: bump), from: "watch",
      by: Circumstances(now: account.now, zones: account.zones, recorded: account.recorded))
    if let edit = verdict.recorded {
      edit.transform(&account.state)
      account.recorded.record(edit)
    }
    return account
  }

  private func ruling(
    from device: String, _ edits: (Edit.ID, Edit)..., undoesOnlyOwn: Bool = true
  ) -> Ruling {
    let account = account
    return account.state.judged(
      Batch(
        device: device,
        proposals: edits.map { .edit(ProposedEdit(id: $0.0, edit: $0.1)) },
        undoesOnlyOwn: undoesOnlyOwn),
      recorded: account.recorded)
  }

  private func undo(_ edit: Edit.ID) -> Edit { Edit(.undo(edit)) }

  @Test("takes them back, and that again, also of the batch itself")
  func own() {
    let ruling = ruling(
      from: "watch", (60, undo(51)), (61, undo(60)), (62, bump), (63, undo(62)))
    #expect(ruling.codes == [nil, nil, nil, nil])
    #expect(ruling.recorded.map(\.version.number) == [5, 6, 7, 8])
  }

  @Test("takes back no other's, and goes on")
  func anothers() {
    let ruling = ruling(from: "watch", (60, undo(50)), (61, bump))
    #expect(ruling.codes == [.notUndoable, nil])
    #expect(
      ruling.outcomes[0].rejection?.detail
        == "Another device made the edit, and this one may take back only its own.")
    #expect(
      self.ruling(from: "watch", (60, undo(50)), undoesOnlyOwn: false).recorded.count == 1)
  }

  @Test("takes back counts alone, also as a device of the name that has added the goal")
  func goals() {
    let account = account
    let named = account.recorded.edits.values.filter { $0.edit.type != .bump }
    #expect(!named.isEmpty)
    for edit in named {
      let ruling = ruling(from: edit.device, (60, undo(edit.id)))
      #expect(ruling.codes == [.notUndoable] && ruling.recorded.isEmpty)
    }
  }

  @Test("is told of an edit that there is none of, and of one that is undone already")
  func others() {
    let ruling = ruling(from: "watch", (60, undo(99)), (61, undo(51)), (62, undo(51)))
    #expect(ruling.codes == [.unknownEdit, nil, .notUndoable])
  }

  @Test("answers a recorded undo as before, and another edit of its id as a conflict")
  func recorded() {
    var account = account
    guard case .record(let undone) = account.send(undo(50), id: 70) else {
      Issue.record("it was not undone")
      return
    }
    let ruling = account.state.judged(
      Batch(
        device: "watch",
        proposals: [(70, undo(50)), (70, undo(51)), (50, undo(50))].map {
          .edit(ProposedEdit(id: $0.0, edit: $0.1))
        }, undoesOnlyOwn: true),
      recorded: account.recorded)
    #expect(ruling.statuses[0] == .duplicate(undone.version))
    #expect(ruling.codes == [nil, .idConflict, .idConflict])
  }
}
