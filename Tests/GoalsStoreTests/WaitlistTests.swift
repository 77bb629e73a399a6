import GoalsCore
import Testing

@testable import GoalsStore

@Suite("A batch that waits for the writer") struct WaitlistTests {
  private static let undo = Edit(.undo(ID(high: 0, low: 1)))

  private static func activity(of count: Int) -> Edit {
    Edit(.setActivity(.listed([Bool](repeating: true, count: count))))
  }

  private static func batch(
    _ edits: [Edit], of account: UInt64 = 1, from device: String = "phone"
  ) -> WaitingBatch {
    let proposals = edits.enumerated().map { index, edit in
      Proposal.edit(ProposedEdit(id: ID(high: 1, low: UInt64(index)), edit: edit))
    }
    return WaitingBatch(
      sent: Store.SentBatch(
        account: .number(account), batch: Batch(device: device, proposals: proposals)),
      answer: { _ in })
  }

  /// A batch that has a transaction to itself.
  private static func long(_ account: UInt64, _ device: String) -> WaitingBatch {
    let count = Waitlist.maximumWeight / 251 + 1
    return batch([Edit](repeating: undo, count: count), of: account, from: device)
  }

  /// The devices in the order in which their batches are taken.
  private static func devices(_ waitlist: inout Waitlist) -> [String] {
    var devices: [String] = []
    while !waitlist.isEmpty { devices += waitlist.takeRound().map(\.sent.batch.device) }
    return devices
  }

  @Test(
    "weighs as much as it may take long",
    arguments: [
      ([], 1), ([Edit(.bump(ID(high: 0, low: 1), by: .one, note: nil))], 1),
      ([activity(of: 3)], 1), ([activity(of: 1000)], 251),
      // It may take back such an activity.
      ([undo], 251), ([undo, activity(of: 64)], 268),
    ])
  func weight(_ edits: [Edit], _ weight: Int) {
    #expect(Self.batch(edits).weight == weight)
  }

  @Test("shares a transaction with others only as far as their weights go together")
  func round() {
    var waitlist = Waitlist()
    let most = Waitlist.maximumWeight / 251
    for _ in 0...most { waitlist.append(Self.batch([Self.undo])) }
    #expect(waitlist.takeRound().count == most)
    #expect(waitlist.takeRound().count == 1)
    #expect(waitlist.isEmpty)
  }

  @Test("waits for its account's turn where it takes long, not for all that came before")
  func turns() {
    var waitlist = Waitlist()
    for name in ["a", "b", "c", "d"] { waitlist.append(Self.long(1, name)) }
    #expect(waitlist.takeRound().map(\.sent.batch.device) == ["a"])
    waitlist.append(Self.long(2, "x"))
    waitlist.append(Self.long(2, "y"))
    waitlist.append(Self.long(3, "p"))
    #expect(Self.devices(&waitlist) == ["x", "p", "b", "y", "c", "d"])
    // An account that did not wait has saved up no turns.
    for name in ["e", "f"] { waitlist.append(Self.long(1, name)) }
    for name in ["z", "w"] { waitlist.append(Self.long(2, name)) }
    #expect(Self.devices(&waitlist) == ["e", "z", "f", "w"])
  }

  @Test("keeps its turn where it is taken out and put back, and comes first where it was overtaken")
  func putBack() {
    var waitlist = Waitlist()
    for name in ["a", "b", "c"] { waitlist.append(Self.long(1, name)) }
    for name in ["x", "y"] { waitlist.append(Self.long(2, name)) }
    let held = waitlist.takeOut([.number(1)])
    #expect(waitlist.takeRound().map(\.sent.batch.device) == ["x"])
    waitlist.putBack(held)
    let overtaken = waitlist.takeRound()
    #expect(overtaken.map(\.sent.batch.device) == ["a"])
    waitlist.prepend(overtaken)
    #expect(Self.devices(&waitlist) == ["a", "b", "y", "c"])
  }

  @Test("takes turns by its weight also where it takes little")
  func little() {
    var waitlist = Waitlist()
    let bump = Edit(.bump(ID(high: 0, low: 1), by: .one, note: nil))
    for name in ["a", "b", "c"] { waitlist.append(Self.batch([Self.undo], from: name)) }
    for name in ["x", "y"] { waitlist.append(Self.batch([bump], of: 2, from: name)) }
    waitlist.append(Self.batch([bump], from: "d"))
    waitlist.append(Self.batch([bump], of: 3, from: "p"))
    // So "x" and "y" wait for one undo together, not for three, and "d" is behind its account's.
    #expect(Self.devices(&waitlist) == ["a", "x", "p", "y", "b", "c", "d"])
    // What was taken before counts no more once nobody waits.
    for name in ["e", "f"] { waitlist.append(Self.batch([bump], from: name)) }
    for name in ["z", "w"] { waitlist.append(Self.batch([bump], of: 2, from: name)) }
    #expect(Self.devices(&waitlist) == ["e", "z", "f", "w"])
  }

  @Test("leaves nothing of its account behind, even where the line is never empty")
  func ends() {
    var waitlist = Waitlist()
    let bump = Edit(.bump(ID(high: 0, low: 1), by: .one, note: nil))
    for account in 1...20_000 as ClosedRange<UInt64> {
      waitlist.append(Self.batch([bump], of: account))
      // So some always wait.
      if waitlist.count == 400 { _ = waitlist.takeRound() }
    }
    #expect(waitlist.count >= 200)
    #expect(waitlist.ends.allSatisfy { $0.count < 2500 })
  }
}
