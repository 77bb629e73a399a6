import GoalsCore

@testable import GoalsStore

extension Store.Log {
  /// The state at a version of the log; nil where there is no such account or no such version.
  func state(
    _ account: Account.ID, _ version: Version, _ earlier: Snapshot?
  ) throws(StoreError) -> Snapshot? {
    var snapshot = try advance(account, version, earlier)
    while let now = snapshot, now.state.version < version {
      snapshot = try advance(account, version, now)
    }
    return snapshot
  }
}
