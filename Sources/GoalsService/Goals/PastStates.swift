import GoalsCore
import GoalsStore
import Synchronization

/// The states that accounts had. The one worked out last is kept, so that stepping through the
/// versions of a list folds each edit once.
final class PastStates: Sendable {
  private struct Kept {
    let account: Account.ID
    let snapshot: Snapshot
  }

  private let store: Store
  private let last = Mutex<Kept?>(nil)

  init(in store: Store) { self.store = store }

  /// Folds the log up to a version, a page at a time: a function that returns nil where it is not
  /// there yet.
  func folding(
    of account: Account.ID, at version: Version
  ) -> @Sendable () throws(StoreError) -> Result<Snapshot, Failure>? {
    let known = last.withLock { last in
      last.flatMap { $0.account == account ? $0.snapshot : nil }
    }
    let earlier = Mutex(known)
    return { [self] () throws(StoreError) in
      try earlier.withLock { earlier throws(StoreError) in
        guard let snapshot = try store.log.advance(account, version, earlier) else {
          return .failure(.unknownVersion)
        }
        earlier = snapshot
        guard snapshot.state.version == version else { return nil }
        last.withLock { $0 = Kept(account: account, snapshot: snapshot) }
        return .success(snapshot)
      }
    }
  }

  /// Makes the list as it was when a version was recorded, in portions: a function of how many
  /// steps to take at most, nil where it is not made yet.
  func making(
    of account: Account.ID, at version: Version, in world: World
  ) -> @Sendable (_ steps: Int) throws(StoreError) -> Result<Listing, Failure>? {
    let fold = folding(of: account, at: version)
    let phase = Mutex(Phase.folding)
    return { [self] steps throws(StoreError) in
      try phase.withLock { phase throws(StoreError) in
        try goOn(from: &phase, by: fold, in: world, steps)
      }
    }
  }

  /// First the log is folded, a page at a time, then the list is read.
  private enum Phase {
    case folding
    case reading(GoalsReader, StreakCounts, Cursor)
  }

  private func goOn(
    from phase: inout Phase, by fold: () throws(StoreError) -> Result<Snapshot, Failure>?,
    in world: World, _ steps: Int
  ) throws(StoreError) -> Result<Listing, Failure>? {
    switch phase {
    case .folding:
      let state: AccountState
      let cursor: Cursor
      switch try fold() {
      case nil: return nil
      case .failure(let failure): return .failure(failure)
      case .success(let snapshot):
        state = snapshot.state
        cursor = Cursor(state.version, snapshot.chain)
      }
      guard let calendar = world.calendar(state.calendar) else { return .failure(.noCalendar) }
      // As it read when its last edit was recorded.
      let reader = GoalsReader(
        of: state, at: state.recordedAt ?? AccountState.earliest, in: calendar)
      phase = .reading(reader, StreakCounts(), cursor)
      return nil
    case .reading(var reader, var streaks, let cursor):
      var steps = steps
      let goals = reader.read(&steps, counting: &streaks)
      phase = .reading(reader, streaks, cursor)
      return goals.map { .success(Listing($0, cursor, at: reader.now)) }
    }
  }
}
