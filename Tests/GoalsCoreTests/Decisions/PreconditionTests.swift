import Testing

@testable import GoalsCore

@Suite("A batch that expects a version")
struct PreconditionTests {
  private let account = TestAccount.with(.some(1), .some(2))

  @Test("is recorded where it is the present one")
  func holds() {
    #expect(
      account.state.judged(batch(bump, precondition: .version(Version(3)))).recorded.count == 1)
  }

  @Test("is not recorded where it is another", arguments: [0, 2, 4])
  func fails(_ version: Int) {
    let ruling = account.state.judged(batch(bump, bump, precondition: .version(Version(version))))
    #expect(ruling.result == .versionMismatch)
    #expect(ruling.version == Version(3))
    #expect(ruling.state == account.state)
    #expect(ruling.recorded.isEmpty)
    #expect(ruling.outcomes.isEmpty)
  }

  @Test("compares it with the version before the batch, not with its own edits")
  func ownEdits() {
    let ruling = account.state.judged(batch(bump, bump, precondition: .version(Version(3))))
    #expect(ruling.version == Version(5))
  }

  @Test("says, where it fails, the outcomes of the edits that were recorded before, and no others")
  func recordedBefore() throws {
    let old = try #require(account.log.last)
    let new = ProposedEdit(id: 200, edit: bump)
    let ruling = account.state.judged(
      Batch(
        device: "phone",
        proposals: [
          .edit(new), .edit(ProposedEdit(id: old.id, edit: old.edit)), .edit(new),
          .edit(ProposedEdit(id: 201, edit: bad)),
        ], precondition: .version(Version(2))), recorded: account.recorded)
    #expect(ruling.result == .versionMismatch)
    #expect(ruling.outcomes.map(\.id) == [old.id])
    #expect(ruling.statuses == [.duplicate(old.version)])
  }

  @Test("answers as ever where nothing would be recorded, whatever it expects")
  func nothing() throws {
    let old = try #require(account.log.last)
    let proposals: [Proposal] = [
      .edit(ProposedEdit(id: old.id, edit: old.edit)),
      .edit(ProposedEdit(id: 200, edit: Edit(.alter(1, [])))),
      .edit(ProposedEdit(id: 201, edit: bad)),
    ]
    for precondition in [Batch.Precondition.version(.none), .anyHead([])] {
      let ruling = account.state.judged(
        Batch(device: "phone", proposals: proposals, precondition: precondition),
        recorded: account.recorded)
      #expect(ruling.result == .decided)
      #expect(ruling.statuses.prefix(2) == [.duplicate(old.version), .unchanged])
    }
  }

  @Test(
    "and the chain there, compares both",
    arguments: [
      ([(3, 1)], true), ([(3, 2)], false), ([(2, 1)], false), ([(4, 1)], false), ([], false),
      ([(2, 1), (3, 1)], true), ([(3, 2), (2, 1)], false),
    ] as [([(Int, UInt64)], Bool)])
  func head(_ heads: [(Int, UInt64)], holds: Bool) {
    let precondition = Batch.Precondition.anyHead(
      heads.map { Batch.Head(version: Version($0), chainPrefix: $1) })
    let ruling = account.state.judged(batch(bump, precondition: precondition), chain: .link(1))
    #expect(ruling.result == (holds ? .decided : .versionMismatch))
  }

  @Test("and the chain there, which nobody can know yet, is refused")
  func unknownChain() {
    let precondition = Batch.Precondition.anyHead([
      Batch.Head(version: Version(3), chainPrefix: 1)
    ])
    let ruling = account.state.judged(batch(bump, precondition: precondition), chain: nil)
    #expect(ruling.result == .versionMismatch)
  }

  @Test("may hold an activity array; any other may not")
  func array() {
    let array = Edit(.setActivity(.listed([false, true])))
    #expect(account.state.judged(batch(array)).codes == [.versionRequired])
    #expect(account.state.judged(batch(array, precondition: .version(Version(3)))).codes == [nil])
    let head = Batch.Precondition.anyHead([
      Batch.Head(version: Version(3), chainPrefix: 1)
    ])
    #expect(account.state.judged(batch(array, precondition: head)).codes == [nil])
    #expect(
      account.state.judged(batch(array, precondition: .version(Version(2)))).result
        == .versionMismatch)
  }

  @Test("may hold an array that names a state, and none by what must not be so")
  func arrayOfNoState() {
    let array = Edit(.setActivity(.listed([false, true])))
    for precondition: Batch.Precondition in [.noHead([]), .listed(1), .unlisted(9)] {
      #expect(
        account.state.judged(batch(array, precondition: precondition)).codes == [.versionRequired])
      let both = Batch.Precondition.all([precondition, .version(Version(3))])
      #expect(account.state.judged(batch(array, precondition: both)).codes == [nil])
    }
  }

  @Test(
    "or of a goal, is recorded where that is so",
    arguments: [
      (.listed(1), true), (.listed(9), false), (.unlisted(1), false), (.unlisted(9), true),
      (.unlisted(nil), false), (.noHead([]), true),
      (.noHead([.init(version: Version(3), chainPrefix: 1)]), false),
      (.noHead([.init(version: Version(3), chainPrefix: 2)]), true),
      (.all([.listed(1), .unlisted(9)]), true), (.all([.listed(1), .unlisted(2)]), false),
    ] as [(Batch.Precondition, Bool)])
  func goal(_ precondition: Batch.Precondition, holds: Bool) {
    let ruling = account.state.judged(batch(bump, precondition: precondition), chain: .link(1))
    #expect(ruling.result == (holds ? .decided : .versionMismatch))
    #expect(ruling.recorded.isEmpty != holds)
    #expect(holds || ruling.state == account.state)
  }

  @Test("that something is not so, is looked at where nothing would change, but not in a retry")
  func idle() throws {
    let old = try #require(account.log.last)
    for precondition: Batch.Precondition in [
      .unlisted(1), .unlisted(nil), .noHead([.init(version: Version(3), chainPrefix: 1)]),
    ] {
      func result(_ edit: ProposedEdit) -> Ruling.Result {
        account.state.judged(
          Batch(device: "phone", proposals: [.edit(edit)], precondition: precondition),
          recorded: account.recorded
        ).result
      }
      #expect(result(ProposedEdit(id: 200, edit: Edit(.alter(1, [])))) == .versionMismatch)
      #expect(result(ProposedEdit(id: old.id, edit: old.edit)) == .decided)
    }
  }
}
