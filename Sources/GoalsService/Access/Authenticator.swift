import ChangePropagation
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
  private let ends: Changes<Ended>

  /// What opens nothing any more, because it was taken away.
  package enum Ended: Hashable, Sendable {
    case token(TokenRecord.ID)
    /// With all its tokens.
    case account(Account.ID)
  }

  private struct Known {
    var tokens: [[UInt8]: TokenRecord] = [:]
    /// When tokens were last used, as far as the store does not know it yet.
    var uses: [TokenRecord.ID: Instant] = [:]
    /// How often something was taken away: what was read before is not kept after.
    var turns = 0
  }

  package init(store: Store, now: @escaping @Sendable () -> Instant) {
    self.store = store
    self.now = now
    ends = Changes(on: store.updated.network)
  }

  /// Tells what was taken away, once that is durable and no new request is let in by it; on the writer's
  /// queue, in order with the commits. Whoever goes on serving a caller ends that here. That a token
  /// expires is not told: its record says when.
  ///
  /// Who begins to observe asks `admits` after that: the caller may have been taken away just before.
  package var ended: Outlet<Ended> { ends.outlet }

  /// The caller with this token; nil where it is unknown, expired or revoked.
  package func caller(_ token: Token) throws(StoreError) -> Caller? {
    let now = now()
    guard let record = try record(token.secret), record.isValid(at: now) else { return nil }
    known.withLock { $0.uses[record.id] = now }
    return Caller(token: record)
  }

  /// Whether a caller who was let in before would be let in now.
  package func admits(_ caller: Caller) throws(StoreError) -> Bool {
    try record(caller.token.secret)?.isValid(at: now()) ?? false
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

  /// Lets in by this no more, and tells so. To be called once it is durable.
  package func end(_ ended: Ended) {
    known.withLock { known in
      known.tokens = known.tokens.filter { !ended.concerns($0.value) }
      known.turns += 1
      if case .token(let id) = ended { known.uses[id] = nil }
    }
    ends.announce(ended)
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

extension Authenticator.Ended {
  /// Whether a token opens nothing any more because of it.
  func concerns(_ token: TokenRecord) -> Bool {
    switch self {
    case .token(let id): token.id == id
    case .account(let id): token.account == id
    }
  }
}
