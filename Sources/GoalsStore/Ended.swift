import GoalsCore

/// A token, an account or a session that was taken away, and opens nothing any more.
package enum Ended: Hashable, Sendable {
  case token(TokenRecord.ID)
  /// With all its tokens.
  case account(Account.ID)
  /// A session, by the SHA-256 of its key.
  case session([UInt8])
}

/// The token or session in whose name a caller asks for a change. Every write but that of edits
/// checks in its own transaction that it still lets the caller in: memory may be older than a
/// revocation on another server.
package struct Authority: Hashable, Sendable {
  package let token: TokenRecord.ID
  /// Of a session, the SHA-256 of its key.
  package let session: [UInt8]?

  package init(token: TokenRecord.ID, session: [UInt8]? = nil) {
    self.token = token
    self.session = session
  }
}
