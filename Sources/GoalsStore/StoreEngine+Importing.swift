import GoalsCore

/// What came of an import.
package enum Adoption: Sendable {
  case adopted
  /// Something is recorded in the account already.
  case notEmpty
  case unknownAccount
  /// It takes more bytes than an account's log may.
  case tooLarge
  /// The token by which it came is revoked.
  case refused
}

extension StoreEngine {
  /// Gives an account whose log is empty this one. Nobody sees any of it before all of it is durable;
  /// then readers do, and observers are told of a commit without edits.
  func adopt(
    _ log: ImportedLog, by account: Account.ID, with token: TokenRecord.ID?
  ) throws(StoreError) -> Adoption {
    try administer { backing throws(StoreError) in
      if revocations.include(token) { return .refused }
      let page = try backing.writersView().page(of: account, after: .none, limit: 0)
      guard let page else { return .unknownAccount }
      guard page.head == .none else { return .notEmpty }
      // As if its edits had come one after the other.
      guard log.bytesBeforeLast < maximumLogBytes else { return .tooLarge }
      try backing.fill(account, with: log)
      cache.install(Published(log.snapshot), account)
      commits.announce(
        Commit(account: account, edits: [], seals: [], state: log.snapshot.state))
      return .adopted
    }
  }
}
