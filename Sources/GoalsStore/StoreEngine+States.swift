import GoalsCore

/// The states of accounts, those of now and those of before.
extension StoreEngine {
  var isLogShared: Bool { backing.isLogShared }

  func state(of account: Account.ID) throws(StoreError) -> Published? {
    if let published = try present(account) { return published }
    let mark = cache.mark
    guard let snapshot = try read(.long, { try $0.snapshot(of: account) }) else { return nil }
    let published = Published(snapshot)
    cache.offer(published, account, readSince: mark)
    return published
  }

  /// The published state, where it is the log's. What other stores have recorded is read anew.
  func present(_ account: Account.ID) throws(StoreError) -> Published? {
    guard let published = cache.published(account), isLogShared else {
      return cache.published(account)
    }
    let head = try inStore { try backing.heads(of: [account]) }[account]
    if head == Head(version: published.state.version, chain: published.chain) { return published }
    cache.remove(account)
    return nil
  }

  /// How many edits are read at once where many are: few enough that no other reader waits long.
  private static let stretch = 500

  func advance(
    _ account: Account.ID, to version: Version, after earlier: Snapshot?
  ) throws(StoreError) -> Snapshot? {
    if let seen = seenVersion(of: account), version > seen { return nil }
    let snapshot: Snapshot
    // NB: what the empty log is made over may have changed since, by an import.
    if let earlier, earlier.state.version <= version, earlier.state.version > .none {
      snapshot = earlier
    } else if let record = try read(.short, { try $0.account(account) }) {
      snapshot = Snapshot(beginning: record)
    } else {
      return nil
    }
    if snapshot.state.version == version { return snapshot }
    let next = try read(.long) {
      try $0.advanced(snapshot, of: account, upTo: version, limit: Self.stretch)
    }
    return next.state.version > snapshot.state.version ? next : nil
  }

  func removeEverything() throws(StoreError) {
    for account in try read(.long, { try $0.accounts() }) { _ = try remove(account.id) }
  }

  // MARK: The log, as far as it is seen

  /// The version of the state that readers are given; nil where that state is read from the
  /// database, too, or compared with it.
  ///
  /// A commit is in the database before its states are installed: a checkpoint may be between the
  /// two. Meanwhile readers are given the log up to this version only. So no list is older than a
  /// log that was read before it.
  private func seenVersion(of account: Account.ID) -> Version? {
    isLogShared ? nil : cache.published(account)?.state.version
  }

  func page(
    of account: Account.ID, after version: Version, limit: Int
  ) throws(StoreError) -> LogPage? {
    let page = try read(.long) { try $0.page(of: account, after: version, limit: limit) }
    guard let page, let seen = seenVersion(of: account) else { return page }
    return page.upTo(seen)
  }

  func search(
    _ account: Account.ID, for goal: Goal.ID, after version: Version, limit: Int
  ) throws(StoreError) -> LogPage? {
    let page = try read(.long) {
      try $0.search(for: goal, of: account, after: version, limit: min(limit, Self.stretch))
    }
    guard let page, let seen = seenVersion(of: account) else { return page }
    return page.upTo(seen)
  }

  func entry(of account: Account.ID, _ id: Edit.ID) throws(StoreError) -> LogEntry? {
    let entry = try read(.short) { try $0.entry(id, in: account) }
    guard let entry, let seen = seenVersion(of: account) else { return entry }
    return entry.version <= seen ? entry : nil
  }

  // MARK: What logs take

  func maximumLogBytes(isSignedUp: Bool) -> Int {
    isSignedUp
      ? min(environment.signUpLogBytes, environment.maximumLogBytes) : environment.maximumLogBytes
  }

  func accountGauges() throws(StoreError) -> StoreGauges.Accounts {
    let (bytes, signedUp) = try read(.overview) { (try $0.logBytes(), try $0.signedUp()) }
    return StoreGauges.Accounts(
      count: bytes.count, logBytes: bytes.values.reduce(0, +),
      full: bytes.count { $1 >= maximumLogBytes(isSignedUp: signedUp.contains($0)) })
  }
}
