import Testing

@testable import GoalsCore

/// An undo of one of a chain's edits: 0 is the edit at its start, 1 the first undo that was
/// recorded, and so on. Then the day's count; nil where the undo is refused, which changes nothing.
private typealias Link = (target: Int, count: Int?)

@Suite("A chain of undo and redo")
struct UndoChainTests {
  /// The day has 10, to which the edit at the start adds 3.
  private static let chains: [[Link]] = [
    [(0, 10), (0, nil)],
    [(0, 10), (1, 13), (1, nil), (0, 10), (0, nil), (1, nil), (2, nil), (3, 13)],
    [(0, 10), (1, 13), (2, 10), (0, nil), (1, nil), (2, nil), (3, 13), (3, nil)],
    [(0, 10), (1, 13), (2, 10), (3, 13), (0, 10), (4, nil), (3, nil), (5, 13)],
    [(0, 10), (1, 13), (0, 10), (3, 13), (0, 10), (5, 13), (1, nil), (3, nil), (5, nil), (6, 10)],
  ]

  @Test(
    "takes nothing off twice and gives nothing back twice: only its latest can be undone, or its start where that stands",
    arguments: chains)
  private func chain(_ chain: [Link]) {
    var account = TestAccount.living(with: .some(1))
    account.record(.bump(1, by: .of(10), note: nil))
    var edits = [account.record(.bump(1, by: .of(3), note: .of("x")))]
    for link in chain {
      let before = account.state
      let verdict = account.send(Edit(.undo(edits[link.target])))
      if let count = link.count {
        #expect(account.counts() == ["2026-11-20: \(count)"], "\(link)")
        #expect(account.state.roster.goal(1)?.notes.count == (count == 13 ? 1 : 0), "\(link)")
        if let recorded = verdict.recorded { edits.append(recorded.id) }
      } else {
        #expect(verdict.rejection == .notUndoable, "\(link)")
        #expect(account.state == before, "\(link)")
      }
    }
  }
}
