import Testing

@testable import GoalsCore

@Suite("A goal that is put")
struct PutTests {
  private let account = TestAccount.with(.some(1))

  private func put(
    _ goal: Goal, id: Edit.ID = 200, recorded: RecordedEdits = RecordedEdits(),
    in state: AccountState? = nil
  ) -> Ruling {
    (state ?? account.state).judged(
      Batch(device: "phone", proposals: [.put(goal, id: id, at: nil)]), recorded: recorded)
  }

  @Test("is added where its id was never used")
  func add() {
    #expect(put(.some(2)).recorded.map(\.edit.type) == [.add])
  }

  @Test("is updated where it is in the list")
  func update() {
    #expect(put(.some(1, "Other")).recorded.map(\.edit.type) == [.update])
    #expect(put(.some(1)).statuses == [.unchanged])
  }

  @Test("is refused where it was deleted")
  func deleted() {
    var account = account
    account.record(.delete(1))
    #expect(put(.some(1), in: account.state).codes == [.goalExists])
  }

  @Test("again is what it was the first time")
  func retry() throws {
    let added = put(.some(2))
    let edit = try #require(added.recorded.first)
    let again = put(.some(2), recorded: RecordedEdits([edit]), in: added.state)
    #expect(again.statuses == [.duplicate(edit.version)])
    let updated = put(.some(1, "Other"))
    let second = try #require(updated.recorded.first)
    var state = try #require(updated.state)
    state.alter(by: .remove(1), at: .at("2026-11-20T12:00:00Z"))
    let retried = put(.some(1, "Other"), recorded: RecordedEdits([second]), in: state)
    #expect(retried.statuses == [.duplicate(second.version)])
  }

  @Test("under the id of another edit is a conflict")
  func conflict() throws {
    let edit = try #require(account.state.judged(batch(bump)).recorded.first)
    #expect(put(.some(1), id: 101, recorded: RecordedEdits([edit])).codes == [.idConflict])
  }

  @Test("twice in a batch is added once")
  func twice() {
    let put = Proposal.put(.some(2), id: 200, at: nil)
    let other = Proposal.put(.some(2, "Other"), id: 201, at: nil)
    let ruling = account.state.judged(Batch(device: "phone", proposals: [put, put, other]))
    #expect(ruling.recorded.map(\.edit.type) == [.add, .update])
    #expect(ruling.statuses[1] == .duplicate(Version(3)))
  }
}
