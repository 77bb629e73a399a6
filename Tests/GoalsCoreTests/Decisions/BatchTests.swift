import Testing

@testable import GoalsCore

@Suite("A batch")
struct BatchTests {
  /// Goals 1 and 2, active, at version 3.
  private let account = TestAccount.with(.some(1), .some(2))

  @Test("has an outcome for each edit, in the order of the request")
  func outcomes() {
    let ruling = account.state.judged(batch(bump, bad, Edit(.alter(1, [])), bump))
    #expect(ruling.result == .decided)
    #expect(ruling.outcomes.map(\.id) == [101, 102, 103, 104])
    #expect(ruling.statuses[0] == .applied(Version(4)))
    #expect(ruling.codes[1] == .unknownGoal)
    #expect(ruling.statuses[2] == .unchanged)
    #expect(ruling.statuses[3] == .applied(Version(5)))
    #expect(ruling.version == Version(5))
    #expect(ruling.recorded.map(\.version.number) == [4, 5])
    #expect(ruling.state == ruling.recorded.reduce(account.state) { $1.transform($0) })
    #expect(ruling.outcomes.map(\.recorded) == [ruling.recorded[0], nil, nil, ruling.recorded[1]])
  }

  @Test("of nothing changes nothing")
  func empty() {
    let ruling = account.state.judged(batch(precondition: .version(Version(99))))
    #expect(ruling.result == .decided)
    #expect(ruling.outcomes.isEmpty)
    #expect(ruling.state == account.state)
    #expect(ruling.version == Version(3))
  }

  @Test("is decided edit by edit, each on what the ones before it leave")
  func overlay() {
    let ruling = account.state.judged(
      batch(
        Edit(.add(.some(3))), Edit(.setActivity(.keyed([3: true]))),
        Edit(.bump(3, by: .of(2), note: nil)), Edit(.bump(3, by: .of(-3), note: nil)),
        Edit(.delete(3)), Edit(.bump(3, by: .one, note: nil)), Edit(.add(.some(3)))))
    #expect(ruling.codes == [nil, nil, nil, .belowZero, nil, .unknownGoal, .goalExists])
  }

  @Test("names at most so many goals, and an undo names those of the edit that it takes back")
  func goalsNamed() {
    let most = AccountState.maximumGoalsNamed
    func activity(of count: Int) -> Edit {
      let elements = (1...UInt64(count)).map {
        KeyedActivity.Element(goal: .of($0), isActive: true)
      }
      return Edit(.setActivity(.keyed(KeyedActivity(unique: elements))))
    }
    // The edits of a batch have the ids 101, 102, ….
    for count in [most / 4, most / 4 + 1] {
      let ruling = account.state.judged(
        batch(activity(of: count), Edit(.undo(101)), Edit(.undo(102)), Edit(.undo(103))))
      #expect(ruling.result == (count == most / 4 ? .decided : .tooLarge))
      #expect(ruling.outcomes.count == (count == most / 4 ? 4 : 0))
      #expect(ruling.state == account.state)
    }
  }

  @Test("holds the same edit twice, and applies it once")
  func duplicates() {
    let first = ProposedEdit(id: 200, edit: bump)
    let other = ProposedEdit(id: 200, edit: Edit(.bump(1, by: .of(2), note: nil)))
    let ruling = account.state.judged(
      Batch(device: "phone", proposals: [.edit(first), .edit(first), .edit(other)]))
    #expect(ruling.statuses.prefix(2) == [.applied(Version(4)), .duplicate(Version(4))])
    #expect(ruling.outcomes[1].recorded == ruling.recorded[0])
    #expect(ruling.codes[2] == .idConflict)
    #expect(ruling.recorded.count == 1)
  }

  @Test("says of an id that is taken whether the log has it or the batch")
  func takenID() throws {
    let old = try #require(account.log.last)
    let delete = Edit(.delete(1))
    let proposals = [(200, bump), (200, delete), (old.id, delete)].map { id, edit in
      Proposal.edit(ProposedEdit(id: id, edit: edit))
    }
    for isAtomic in [false, true] {
      let ruling = account.state.judged(
        Batch(device: "phone", proposals: proposals, isAtomic: isAtomic),
        recorded: account.recorded)
      #expect(ruling.codes == [nil, .idConflict, .idConflict])
      #expect(
        ruling.outcomes.compactMap(\.rejection?.detail) == [
          "An earlier edit of this batch has this id, with other content.",
          "An edit with this id was recorded as version 3, with other content.",
        ])
    }
  }

  @Test("may send again what was rejected before it in the same batch")
  func again() {
    let delete = ProposedEdit(id: 200, edit: Edit(.delete(3)))
    let add = ProposedEdit(id: 201, edit: Edit(.add(.some(3))))
    let ruling = account.state.judged(
      Batch(device: "phone", proposals: [.edit(delete), .edit(add), .edit(delete)]))
    #expect(ruling.codes == [.unknownGoal, nil, nil])
  }

  @Test("knows an edit of its own when it takes it back")
  func undo() {
    let ruling = account.state.judged(
      batch(bump, Edit(.undo(101)), Edit(.undo(101)), Edit(.undo(102))))
    #expect(ruling.codes == [nil, nil, .notUndoable, nil])
    #expect(ruling.state?.roster.goal(1)?.days[.on("2026-11-20")].count == 1)
  }

  @Test("names the ids that have to be looked up: its own, and those that it takes back")
  func lookUp() {
    let refusal = Rejection(.invalid, "")
    let batch = Batch(
      device: "phone",
      proposals: [
        .edit(ProposedEdit(id: 1, edit: bump)), .edit(ProposedEdit(id: 2, edit: Edit(.undo(3)))),
        .put(.some(9), id: 4, at: nil), .refused(refusal, id: 5, sent: nil),
        .refused(refusal, id: nil, sent: "x"), .edit(ProposedEdit(id: 1, edit: bump)),
      ])
    var ids: [Edit.ID] = [9]
    batch.addIDs(toLookUp: &ids)
    #expect(ids.first == 9)
    #expect(Set(ids.dropFirst()) == [1, 2, 3, 4])
  }

  @Test("says the name of its token in what is recorded")
  func device() {
    #expect(account.state.judged(batch(bump)).recorded.map(\.device) == ["phone"])
  }
}

@Suite("A proposal that is no edit")
struct RefusedProposalTests {
  private let invalid = Rejection(
    .invalid, "", faults: [Fault(pointer: "/edits/0/type", detail: "")])
  private let account = TestAccount.with(.some(1))

  @Test("is rejected as it was refused, with its id as it was sent, and blocks no other")
  func refusal() {
    let ruling = account.state.judged(
      Batch(
        device: "phone",
        proposals: [
          .refused(invalid, id: nil, sent: "first"), .refused(invalid, id: nil, sent: nil),
          .refused(invalid, id: 7, sent: "ID"), .edit(ProposedEdit(id: 8, edit: bump)),
        ]))
    #expect(ruling.outcomes.prefix(3).allSatisfy { $0.rejection == invalid })
    #expect(ruling.outcomes.map(\.sent) == ["first", nil, "ID", nil])
    #expect(ruling.outcomes.map(\.id) == [nil, nil, 7, 8])
    #expect(ruling.statuses[3] == .applied(Version(3)))
  }

  @Test("is rejected so whether its id is recorded or not: there is no content to compare")
  func recordedID() {
    let ruling = account.state.judged(
      Batch(
        device: "phone",
        proposals: [
          .refused(invalid, id: account.log[0].id, sent: nil),
          .edit(ProposedEdit(id: 8, edit: bump)), .refused(invalid, id: 8, sent: nil),
        ]),
      recorded: account.recorded)
    #expect(ruling.codes == [.invalid, nil, .invalid])
  }

  @Test("fails an atomic batch")
  func atomic() {
    let ruling = account.state.judged(
      Batch(
        device: "phone",
        proposals: [
          .edit(ProposedEdit(id: 8, edit: bump)), .refused(invalid, id: nil, sent: nil),
        ], isAtomic: true))
    #expect(ruling.result == .batchRejected)
    #expect(ruling.statuses[0] == .skipped)
  }
}

@Suite("An atomic batch")
struct AtomicBatchTests {
  private let account = TestAccount.with(.some(1))

  @Test("without a rejection is recorded as any other")
  func whole() {
    let edits = batch(bump, Edit(.alter(1, [])), bump, isAtomic: true)
    let ruling = account.state.judged(edits)
    #expect(ruling.result == .decided)
    #expect(ruling.recorded.count == 2)
  }

  @Test("with a rejection, wherever it is, leaves everything as it was", arguments: 0..<3)
  func rejected(_ place: Int) {
    var edits = [bump, bump]
    edits.insert(bad, at: place)
    let ruling = account.state.judged(batch(edits[0], edits[1], edits[2], isAtomic: true))
    #expect(ruling.result == .batchRejected)
    #expect(ruling.recorded.isEmpty)
    #expect(ruling.state == account.state)
    #expect(ruling.version == account.state.version)
    #expect(ruling.codes[place] == .unknownGoal)
    #expect(ruling.statuses.filter { $0 == .skipped }.count == 2)
    #expect(ruling.outcomes.allSatisfy { $0.recorded == nil })
  }

  @Test("that fails still says which edits were recorded before, and which would change nothing")
  func others() throws {
    let old = try #require(account.log.last)
    let first = ProposedEdit(id: 200, edit: bump)
    let ruling = account.state.judged(
      Batch(
        device: "phone",
        proposals: [
          .edit(ProposedEdit(id: old.id, edit: old.edit)),
          .edit(ProposedEdit(id: 201, edit: Edit(.alter(1, [])))),
          .edit(first), .edit(first), .edit(ProposedEdit(id: 202, edit: bad)),
        ], isAtomic: true), recorded: account.recorded)
    #expect(
      ruling.statuses.prefix(4) == [.duplicate(old.version), .unchanged, .skipped, .skipped])
    #expect(ruling.outcomes[0].recorded == old)
  }

  @Test("that fails says so whatever version is expected")
  func precondition() {
    let edits = batch(bump, bad, isAtomic: true, precondition: .version(Version(99)))
    #expect(account.state.judged(edits).result == .batchRejected)
  }
}
