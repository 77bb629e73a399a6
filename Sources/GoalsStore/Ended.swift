import GoalsCore

/// A token, an account or a session that was taken away, and opens nothing any more.
package enum Ended: Hashable, Sendable {
  case token(TokenRecord.ID)
  /// With all its tokens.
  case account(Account.ID)
  /// A session, by the SHA-256 of its key.
  case session([UInt8])
}

/// By what somebody asks for something. Whatever is written for them beside edits asks in its own
/// transaction whether it still lets them in: memory may be older than a revocation elsewhere.
package struct Authority: Hashable, Sendable {
  package let token: TokenRecord.ID
  /// Of a session, the SHA-256 of its key.
  package let session: [UInt8]?

  package init(token: TokenRecord.ID, session: [UInt8]? = nil) {
    self.token = token
    self.session = session
  }
}
