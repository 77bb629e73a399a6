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
    /// When tokens were last used, as far as the store does not know it yet.
    var uses: [TokenRecord.ID: Instant] = [:]
    /// How often everything known was forgotten: what was read before is not kept after.
    var turns = 0
  }

  package init(store: Store, now: @escaping @Sendable () -> Instant) {
    self.store = store
    self.now = now
  }

  /// The caller with this token; nil where it is unknown, expired or revoked.
  package func caller(_ token: Token) throws(StoreError) -> Caller? {
    let now = now()
    guard let record = try record(token.secret), record.isValid(at: now) else { return nil }
    known.withLock { $0.uses[record.id] = now }
    return Caller(token: record)
  }

  /// When a token was used since the store was told last; nil where it was not.
  package func lastUse(of token: TokenRecord.ID) -> Instant? {
    known.withLock { $0.uses[token] }
  }

  /// Tells the store of the uses since it was told last: once in a while, so that being used costs a
  /// token no write a request.
  package func recordUses() throws(StoreError) {
    let uses = known.withLock { $0.uses }
    guard !uses.isEmpty else { return }
    try store.book.recordUses(uses)
    known.withLock { known in
      for (id, instant) in uses where known.uses[id] == instant { known.uses[id] = nil }
    }
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
