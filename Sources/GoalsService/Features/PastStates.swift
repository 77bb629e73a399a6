import GoalsCore
import GoalsStore
import Synchronization

/// The states that accounts had. The one worked out last is kept, so that whoever steps through the
/// versions of a list has each edit folded once.
final class PastStates: Sendable {
  private struct Kept {
    let account: Account.ID
    let snapshot: Snapshot
  }

  private let store: Store
  private let last = Mutex<Kept?>(nil)

  init(in store: Store) { self.store = store }

  /// The state when a version was recorded; nil where the log does not reach it.
  func state(of account: Account.ID, at version: Version) throws(StoreError) -> Snapshot? {
    let known = last.withLock { last in
      last.flatMap { $0.account == account ? $0.snapshot : nil }
    }
    guard let snapshot = try store.log.state(account, version, known) else { return nil }
    last.withLock { $0 = Kept(account: account, snapshot: snapshot) }
    return snapshot
  }
}

extension Listing {
  /// The list as it read when the last edit of a past state was recorded; nil where no calendar can be had.
  init?(past snapshot: Snapshot, in world: World) {
    let state = snapshot.state
    guard let calendar = world.calendar(state.calendar) else { return nil }
    let instant = state.recordedAt ?? AccountState.earliest
    let cursor = Cursor(state.version, snapshot.chain)
    self.init(
      state.goals(at: instant, in: calendar), cursor, at: instant,
      tag: .past(cursor))
  }
}
