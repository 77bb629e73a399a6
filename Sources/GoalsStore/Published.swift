import GoalsCore

/// The state of an account as everyone sees it, until the writer installs the next.
package final class Published: Sendable {
  package let state: AccountState
  package let chain: Chain
  /// What the log takes.
  let logBytes: Int
  let isSignedUp: Bool
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
    isSignedUp = snapshot.isSignedUp
    book = snapshot.book
    cost = snapshot.state.approximateSize
    countedCost = cost
  }

  /// The state that follows this one.
  init(_ state: AccountState, _ last: Seal, after previous: Published?) {
    self.state = state
    chain = last.chain
    logBytes = last.logBytes
    isSignedUp = previous?.isSignedUp ?? false
    book = previous?.book
    // Counting anew would cost more than the edit did, so what was added is summed up. Many edits
    // leave nothing behind: before the sum is far from the truth, it is counted.
    if let previous, case let sum = previous.cost + previous.growth(to: state, last.logBytes),
      sum <= 2 * previous.countedCost
    {
      cost = sum
      countedCost = previous.countedCost
    } else {
      cost = state.approximateSize
      countedCost = cost
    }
  }

  /// About what the edits between two states have added. A day and a note take less than their edit
  /// does in the log. A note that an undo brings back takes more, so a state may take several times
  /// its cost until it is counted again.
  private func growth(to next: AccountState, _ logBytes: Int) -> Int {
    let (before, after) = (state.roster, next.roster)
    return AccountState.bytesAGoal * (after.everMade - before.everMade)
      + TrackedGoal.bytesAChange * max(0, after.changes - before.changes)
      + max(0, logBytes - self.logBytes)
  }
}

extension AccountState {
  fileprivate static var bytesAGoal: Int { 600 }

  fileprivate var approximateSize: Int {
    (0..<roster.everMade).reduce(1000) { size, slot in
      size + Self.bytesAGoal + roster.look(in: slot) { $0.approximateSize }
    }
  }
}

extension TrackedGoal {
  fileprivate static var bytesAChange: Int { 16 }

  fileprivate var approximateSize: Int {
    let counted = days.count * 24 + changes * Self.bytesAChange
    return notes.all.reduce(counted) { $0 + 200 + $1.note.text.utf8.count }
  }
}
