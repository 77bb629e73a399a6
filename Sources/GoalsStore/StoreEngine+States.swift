import GoalsCore

/// The states of accounts, those of now and those of before.
extension StoreEngine {
  func state(of account: Account.ID) throws(StoreError) -> Published? {
    if let published = cache.published(account) { return published }
    let mark = cache.mark
    let snapshot = try read(.long) { view throws(StoreError) in try view.snapshot(of: account) }
    guard let snapshot else { return nil }
    let published = Published(snapshot)
    cache.offer(published, account, readSince: mark)
    return published
  }

  /// How many edits are read at once where many are: few enough that no other reader waits long.
  private static let stretch = 500

  func state(
    of account: Account.ID, at version: Version, after earlier: Snapshot?
  ) throws(StoreError) -> Snapshot? {
    var snapshot: Snapshot
    // NB: what the empty log is made over may have changed since, by an import.
    if let earlier, earlier.state.version <= version, earlier.state.version > .none {
      snapshot = earlier
    } else if let beginning = try beginning(of: account) {
      snapshot = beginning
    } else {
      return nil
    }
    while snapshot.state.version < version {
      let next = try read(.long) { view throws(StoreError) in
        try view.advanced(snapshot, of: account, upTo: version, limit: Self.stretch)
      }
      guard next.state.version > snapshot.state.version else { return nil }
      snapshot = next
    }
    return snapshot
  }

  private func beginning(of account: Account.ID) throws(StoreError) -> Snapshot? {
    try read(.short) { view throws(StoreError) in try view.beginning(of: account) }
  }

  func accountGauges() throws(StoreError) -> StoreGauges.Accounts {
    let bytes = try read(.overview) { view throws(StoreError) in try view.logBytes() }
    return StoreGauges.Accounts(
      count: bytes.count, logBytes: bytes.values.reduce(0, +),
      full: bytes.values.count { $0 >= maximumLogBytes })
  }
}
