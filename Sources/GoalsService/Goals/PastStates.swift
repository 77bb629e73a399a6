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
  ) -> @Sendable () throws -> Snapshot? {
    let known = last.withLock { last in
      last.flatMap { $0.account == account ? $0.snapshot : nil }
    }
    let earlier = Mutex(known)
    return { [self] in
      try earlier.withLock { earlier in
        let snapshot = try store.log.advance(account, version, earlier).or(.unknownVersion)
        earlier = snapshot
        guard snapshot.state.version == version else { return nil }
        last.withLock { $0 = Kept(account: account, snapshot: snapshot) }
        return snapshot
      }
    }
  }

  /// Makes the list as it was when a version was recorded, in portions: a function of how many
  /// steps to take at most, nil where it is not made yet. First the log is folded, a page at a
  /// time, then the list is read.
  func making(
    of account: Account.ID, at version: Version, in world: World
  ) -> @Sendable (_ steps: Int) throws -> Listing? {
    let fold = folding(of: account, at: version)
    let reader = Mutex<PastListReader?>(nil)
    return { steps in
      try reader.withLock { reader in
        if reader != nil { return reader?.goOn(steps) }
        if let snapshot = try fold() { reader = try PastListReader(snapshot, in: world) }
        return nil
      }
    }
  }

  /// Reads the list of a past state.
  private struct PastListReader {
    private let cursor: Cursor
    private var reader: GoalsReader
    private var streaks = StreakCounts()

    init(_ snapshot: Snapshot, in world: World) throws(Failure) {
      let state = snapshot.state
      let calendar = try world.calendar(state.calendar).or(.noCalendar)
      cursor = Cursor(state.version, snapshot.chain)
      // As it read when its last edit was recorded.
      reader = GoalsReader(of: state, at: state.recordedAt ?? AccountState.earliest, in: calendar)
    }

    mutating func goOn(_ steps: Int) -> Listing? {
      var steps = steps
      return reader.read(&steps, counting: &streaks).map { Listing($0, cursor, at: reader.now) }
    }
  }
}
