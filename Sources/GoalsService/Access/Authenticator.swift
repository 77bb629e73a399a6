import GoalsCore
import GoalsStore
import Synchronization

/// Knows tokens. Those that were asked for lately are in memory, under the SHA-256 of their text.
package final class Authenticator: Sendable {
  /// How many tokens are kept: about 3 MB.
  private static let maximumKnown = 10_000

  private let store: Store
  private let now: @Sendable () -> Instant
  private let known = Mutex(Known())

  private struct Known {
    var tokens: [[UInt8]: TokenRecord] = [:]
    /// How often everything known was forgotten: what was read before is not kept after.
    var turns = 0
  }

  package init(store: Store, now: @escaping @Sendable () -> Instant) {
    self.store = store
    self.now = now
  }

  /// The caller with this token; nil where it is unknown, expired or revoked.
  package func caller(_ token: Token) throws(StoreError) -> Caller? {
    guard let record = try record(token.secret), record.isValid(at: now()) else { return nil }
    return Caller(token: record)
  }

  /// Forgets every token. To be called when one was revoked or an account removed.
  package func forget() {
    known.withLock { known in
      known.tokens = [:]
      known.turns += 1
    }
  }

  private func record(_ secret: [UInt8]) throws(StoreError) -> TokenRecord? {
    let (record, turns) = known.withLock { ($0.tokens[secret], $0.turns) }
    if let record { return record }
    guard let record = try store.book.token(secret) else { return nil }
    known.withLock { known in
      guard known.turns == turns else { return }
      if known.tokens.count >= Self.maximumKnown { known.tokens = [:] }
      known.tokens[secret] = record
    }
    return record
  }
}
