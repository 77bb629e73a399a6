import GoalsCore

/// A token, an account or a session that was taken away, and opens nothing any more.
package enum Ended: Hashable, Sendable {
  case token(TokenRecord.ID)
  /// With all its tokens.
  case account(Account.ID)
  /// A session, by the SHA-256 of its key.
  case session([UInt8])
}

/// What one store of a shared log tells the others that it took away.
package struct EndedElsewhere: Hashable, Sendable {
  package typealias ID = GoalsCore.ID<EndedElsewhere>

  /// The same, however often it is read.
  package let id: ID
  package let ended: Ended
}
