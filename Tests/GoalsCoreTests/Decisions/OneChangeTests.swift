import Testing

@testable import GoalsCore

@Suite("A change in two parts")
struct OneChangeTests {
  /// Goals 1 and 2, active, at version 3.
  private let account = TestAccount.with(.some(1), .some(2))
  private let rename = Edit(.alter(1, [.retitling(to: .of("New"))]))
  private let stop = Edit(.setActivity(.keyed([1: false])))

  private func change(
    _ edits: [Edit], precondition: Batch.Precondition? = nil
  ) -> Batch {
    let proposals = zip([201, 202] as [Edit.ID], edits).map { id, edit in
      Proposal.edit(ProposedEdit(id: id, edit: edit))
    }
    return Batch(
      device: "phone", proposals: proposals, isAtomic: true, isOneChange: true,
      precondition: precondition)
  }

  @Test("records both, and neither again")
  func both() throws {
    let first = account.state.judged(change([rename, stop]))
    #expect(first.statuses == [.applied(Version(4)), .applied(Version(5))])
    let again = try #require(first.state).judged(
      change([rename, stop], precondition: .version(.none)),
      recorded: RecordedEdits(first.recorded))
    #expect(again.result == .decided)
    #expect(again.statuses == [.duplicate(Version(4)), .duplicate(Version(5))])
    #expect(again.recorded.isEmpty)
  }

  @Test("is not decided anew where one part was recorded", arguments: [0, 1])
  func half(_ recorded: Int) throws {
    // The other part changes nothing at first.
    var edits = [rename, stop]
    edits[1 - recorded] =
      [
        Edit(.alter(1, [.retitling(to: .of("Goal"))])), Edit(.setActivity(.keyed([1: true]))),
      ][1 - recorded]
    let first = account.state.judged(change(edits))
    #expect(first.statuses[1 - recorded] == .unchanged)
    #expect(first.statuses[recorded] == .applied(Version(4)))
    // Another device has its say in between; now the other part would change something.
    var state = try #require(first.state)
    for (place, edit) in [Edit(.alter(1, [.retitling(to: .of("Other"))])), stop].enumerated()
    where place != recorded {
      state = try #require(state.judged(batch(edit)).state)
    }
    #expect(state.version == Version(5))
    for precondition in [nil, Batch.Precondition.version(.none)] {
      let again = state.judged(
        change(edits, precondition: precondition), recorded: RecordedEdits(first.recorded))
      #expect(again.result == .decided)
      #expect(again.statuses[1 - recorded] == .unchanged)
      #expect(again.statuses[recorded] == .duplicate(Version(4)))
      #expect(again.state == state)
    }
  }

  @Test("is decided anew where nothing of it was recorded")
  func nothing() {
    let same = Edit(.alter(1, []))
    #expect(account.state.judged(change([same, same])).statuses == [.unchanged, .unchanged])
    #expect(account.state.judged(change([same, stop])).statuses[1] == .applied(Version(4)))
  }

  @Test("conflicts with other content under either id", arguments: [0, 1])
  func conflict(_ place: Int) throws {
    let other = try #require(
      account.state.judged(
        Batch(
          device: "phone",
          proposals: [.edit(ProposedEdit(id: [201, 202][place], edit: bump))])
      ).recorded.first)
    let state = try #require(account.state.judged(batch(bump)).state)
    let ruling = state.judged(change([rename, stop]), recorded: RecordedEdits([other]))
    #expect(ruling.result == .batchRejected)
    #expect(ruling.codes[place] == .idConflict)
    #expect(ruling.recorded.isEmpty)
  }
}
