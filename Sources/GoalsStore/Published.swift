import GoalsCore

/// The state of an account as everyone sees it, until the writer installs the next.
package final class Published: Sendable {
  package let state: AccountState
  package let chain: Chain
  /// What the log takes.
  let logBytes: Int
  /// Where the book stood when it was read, of a log that is shared.
  let book: BookHead?
  /// About how many bytes it takes.
  let cost: Int
  /// The cost when it was counted last.
  private let countedCost: Int

  init(_ snapshot: Snapshot) {
    state = snapshot.state
    chain = snapshot.chain
    logBytes = snapshot.logBytes
    book = snapshot.book
    cost = snapshot.state.approximateSize
    countedCost = cost
  }

  /// The state that follows this one.
  init(_ state: AccountState, _ last: Seal, after previous: Published?) {
    self.state = state
    chain = last.chain
    logBytes = last.logBytes
    book = previous?.book
    // Counting anew would cost more than the edit did, so what edits may have added is only summed
    // up. Many leave nothing behind: before the sum is far from the truth, it is counted.
    let edits = state.version.number - (previous?.state.version.number ?? 0)
    if let previous, previous.cost + edits * AccountState.bytesAnEdit <= 2 * previous.countedCost {
      cost = previous.cost + edits * AccountState.bytesAnEdit
      countedCost = previous.countedCost
    } else {
      cost = state.approximateSize
      countedCost = cost
    }
  }
}

extension AccountState {
  /// About how much an edit adds to a state: a note of 500 code points, in the worst case.
  fileprivate static var bytesAnEdit: Int { 200 + 4 * 500 }

  fileprivate var approximateSize: Int {
    (0..<roster.everMade).reduce(1000) { size, slot in
      size + 600 + (roster.goal(in: slot)?.approximateSize ?? 0)
    }
  }
}

extension TrackedGoal {
  fileprivate var approximateSize: Int {
    notes.all.reduce(days.count * 24 + changes * 16) { $0 + 200 + $1.note.text.utf8.count }
  }
}
