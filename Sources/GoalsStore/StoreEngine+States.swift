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

  func advance(
    _ account: Account.ID, to version: Version, after earlier: Snapshot?
  ) throws(StoreError) -> Snapshot? {
    if let seen = seenVersion(of: account), version > seen { return nil }
    let snapshot: Snapshot
    // NB: what the empty log is made over may have changed since, by an import.
    if let earlier, earlier.state.version <= version, earlier.state.version > .none {
      snapshot = earlier
    } else if let beginning = try beginning(of: account) {
      snapshot = beginning
    } else {
      return nil
    }
    if snapshot.state.version == version { return snapshot }
    let next = try read(.long) { view throws(StoreError) in
      try view.advanced(snapshot, of: account, upTo: version, limit: Self.stretch)
    }
    return next.state.version > snapshot.state.version ? next : nil
  }

  private func beginning(of account: Account.ID) throws(StoreError) -> Snapshot? {
    try read(.short) { view throws(StoreError) in try view.beginning(of: account) }
  }

  func removeEverything() throws(StoreError) {
    for account in try read(.long, { view throws(StoreError) in try view.accounts() }) {
      _ = try remove(account.id)
    }
  }

  // MARK: The log, as far as it is seen

  /// The version of the state that is given to whoever asks; nil where it is read from the
  /// database, too.
  ///
  /// A commit is in the database before its states are installed, by as much as a checkpoint takes.
  /// What the log tells meanwhile ends here, so that no list is older than a log that was read
  /// before it.
  private func seenVersion(of account: Account.ID) -> Version? {
    cache.published(account)?.state.version
  }

  func page(
    of account: Account.ID, after version: Version, limit: Int
  ) throws(StoreError) -> LogPage? {
    let page = try read(.long) { view throws(StoreError) in
      try view.page(of: account, after: version, limit: limit)
    }
    guard let page, let seen = seenVersion(of: account) else { return page }
    return page.upTo(seen)
  }

  func search(
    for goal: Goal.ID, of account: Account.ID, after version: Version, limit: Int
  ) throws(StoreError) -> SearchedPage? {
    let searched = try read(.long) { view throws(StoreError) in
      try view.search(for: goal, of: account, after: version, limit: min(limit, Self.stretch))
    }
    guard let searched, let seen = seenVersion(of: account) else { return searched }
    return searched.upTo(seen)
  }

  func entry(_ id: Edit.ID, in account: Account.ID) throws(StoreError) -> LogEntry? {
    let entry = try read(.short) { view throws(StoreError) in try view.entry(id, in: account) }
    guard let entry, let seen = seenVersion(of: account) else { return entry }
    return entry.version <= seen ? entry : nil
  }

  // MARK: What logs take

  func accountGauges() throws(StoreError) -> StoreGauges.Accounts {
    let bytes = try read(.overview) { view throws(StoreError) in try view.logBytes() }
    return StoreGauges.Accounts(
      count: bytes.count, logBytes: bytes.values.reduce(0, +),
      full: bytes.values.count { $0 >= maximumLogBytes })
  }
}
