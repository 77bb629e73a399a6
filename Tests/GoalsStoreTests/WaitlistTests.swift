import GoalsCore
import Testing

@testable import GoalsStore

@Suite("A change that waits for the writer") struct WaitlistTests {
  private static let undo = Edit(.undo(ID(high: 0, low: 1)))

  private static func activity(of count: Int) -> Edit {
    Edit(.setActivity(.listed([Bool](repeating: true, count: count))))
  }

  private static func change(_ edits: [Edit]) -> WaitingChange {
    let proposals = edits.enumerated().map { index, edit in
      Proposal.edit(ProposedEdit(id: ID(high: 1, low: UInt64(index)), edit: edit))
    }
    return WaitingChange(
      change: Store.Change(
        account: .number(1), batch: Batch(device: "phone", proposals: proposals)),
      answer: { _ in })
  }

  @Test(
    "weighs as much as it may take long",
    arguments: [
      ([Edit(.bump(ID(high: 0, low: 1), by: .one, note: nil))], 1),
      ([activity(of: 31)], 1), ([activity(of: 1000)], 32),
      // It may take back such an activity.
      ([undo], 16), ([undo, activity(of: 64)], 19),
    ])
  func weight(_ edits: [Edit], _ weight: Int) {
    #expect(Self.change(edits).weight == weight)
  }

  @Test("shares a transaction with others only as far as their weights go together")
  func round() {
    var waitlist = Waitlist()
    let most = Waitlist.maximumWeight / 16
    for _ in 0...most { waitlist.append(Self.change([Self.undo])) }
    #expect(waitlist.takeBatch().count == most)
    #expect(waitlist.takeBatch().count == 1)
    #expect(waitlist.isEmpty)
  }
}
