import GoalsCore

/// The state of an account as everyone sees it, until the writer installs the next.
package final class Published: Sendable {
  package let state: AccountState
  package let chain: Chain
  /// About how many bytes it takes.
  let cost: Int

  init(_ snapshot: Snapshot) {
    state = snapshot.state
    chain = snapshot.chain
    cost = snapshot.state.approximateSize
  }

  /// The state that follows this one.
  init(_ state: AccountState, _ chain: Chain, after previous: Published?) {
    self.state = state
    self.chain = chain
    let edits = state.version.number - (previous?.state.version.number ?? 0)
    // Counting anew would cost more than the edit did.
    cost = previous.map { $0.cost + edits * AccountState.bytesAnEdit } ?? state.approximateSize
  }
}

extension AccountState {
  /// About how much an edit adds to a state: a goal, in the worst case.
  fileprivate static var bytesAnEdit: Int { 600 }

  fileprivate var approximateSize: Int {
    (0..<roster.everMade).reduce(1000) { size, slot in
      size + 600 + (roster.goal(in: slot)?.approximateSize ?? 0)
    }
  }
}

extension TrackedGoal {
  fileprivate var approximateSize: Int {
    days.all.count * 24 + notes.count * 200
  }
}
