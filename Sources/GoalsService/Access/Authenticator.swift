import ChangePropagation
import GoalsCore
import GoalsStore
import Synchronization

/// Knows tokens and sessions. Those that were asked for lately are in memory, under the SHA-256 of
/// their text.
package final class Authenticator: Sendable {
  /// How many are kept: about 3 MB.
  private static let maximumKnown = 10_000
  /// How long after a renewal a use renews a session again, in milliseconds: a day.
  private static let renewalInterval: Int64 = 86_400_000

  private let store: Store
  private let now: @Sendable () -> Instant
  /// The time since some moment.
  private let uptime: @Sendable () -> Duration
  private let known = Mutex(Known())
  private let ends: Changes<Ended>

  private struct Known {
    var grants: [Key: Grant] = [:]
    /// When tokens were last used, where the store was not told yet.
    var uses: [TokenRecord.ID: Instant] = [:]
    /// When sessions were renewed, where the store was not told yet.
    var renewals: [[UInt8]: Instant] = [:]
    /// The number of times that something was taken away. A grant that was read in one epoch is
    /// not kept in the next.
    var epoch = 0
    /// How many looks have begun at what other servers took away.
    var looks = 0
    /// When the last look began that was finished; nil where there are no other servers.
    var heardAt: Duration?

    /// How long nothing was heard of other servers; nil where there are none.
    func silence(at uptime: () -> Duration) -> Duration? { heardAt.map { uptime() - $0 } }

    /// Whether somebody may have been shut out elsewhere without its being heard here.
    func isDeaf(at uptime: () -> Duration) -> Bool {
      silence(at: uptime).map { $0 > Authenticator.maximumSilence } ?? false
    }
  }

  /// After so long without hearing of other servers, nothing that is remembered lets anyone in. So
  /// a token that is revoked on one server is refused on all within this time, also by a server
  /// that was paused or cut off meanwhile.
  static let maximumSilence = Duration.seconds(2)

  /// The SHA-256 of a text, by which a grant is found. Nobody can choose it, so a part of it will
  /// do as a hash.
  private struct Key: Hashable {
    let secret: [UInt8]

    func hash(into hasher: inout Hasher) {
      secret.prefix(8).withUnsafeBytes { hasher.combine(bytes: $0) }
    }
  }

  /// What lets a caller in: a token; for a session the one it was opened with.
  private struct Grant {
    let token: TokenRecord
    var session: SessionRecord?

    func isValid(at now: Instant) -> Bool {
      token.isValid(at: now) && session?.isValid(at: now) ?? true
    }
  }

  package init(store: Store, in world: World) {
    self.store = store
    now = world.now
    uptime = world.uptime
    ends = Changes(on: store.updated.network)
    if store.others != nil { heardOfOthers(at: uptime()) }
  }

  /// Announces everything that is taken away, once that is durable and lets no new request in; on
  /// the writer's queue, in order with the commits. An observer that goes on serving a caller ends
  /// that here. The expiry of a token is not announced: its record says when.
  ///
  /// A new observer asks `admits` once it observes: the caller's token may have been taken away
  /// just before.
  package var ended: Outlet<Ended> { ends.outlet }

  /// The caller who shows this credential. Nil where the credential is unknown, expired or over,
  /// and where the token, or the token of the session, is revoked.
  package func caller(_ shown: Credential) throws(StoreError) -> Caller? {
    let now = now()
    let isSession = if case .session = shown { true } else { false }
    guard let grant = try grant(shown.secret, ofSession: isSession), grant.isValid(at: now) else {
      return nil
    }
    known.withLock { $0.uses[grant.token.id] = now }
    return Caller(token: grant.token, session: grant.session)
  }

  /// The caller without a look at the store. Nil where the credential is not in memory, and where
  /// other servers may have shut it out unnoticed.
  func remembered(_ shown: Credential) -> Caller? {
    let now = now()
    return known.withLock { known in
      guard !known.isDeaf(at: uptime), let grant = known.grants[Key(secret: shown.secret)],
        grant.isValid(at: now)
      else { return nil }
      known.uses[grant.token.id] = now
      return Caller(token: grant.token, session: grant.session)
    }
  }

  /// Whether a look at the store goes over a network: then it may take long.
  var isStoreRemote: Bool { store.others != nil }

  /// Whether a caller who was let in before would be let in now.
  package func admits(_ caller: Caller) throws(StoreError) -> Bool {
    try grant(of: caller) != nil
  }

  /// Whether a caller whose request goes on is still let in, as far as it is known here. A failure
  /// of the store is tracked: then the caller stays.
  func admits(_ caller: Caller, in world: World) -> Bool {
    let secret = caller.session?.secret ?? caller.token.secret
    let grant = known.withLock { $0.isDeaf(at: uptime) ? nil : $0.grants[Key(secret: secret)] }
    if let grant, grant.isValid(at: now()) { return true }
    return (try? world.catching { try admits(caller) }.get()) ?? true
  }

  /// Whether a caller who was let in by a token would be let in now, without a look at the token.
  /// False where anything was taken away since, and where other servers may have done that
  /// unnoticed. A caller who is let in has used the token.
  ///
  /// - Parameter epoch: the epoch before the caller was let in.
  func admits(_ caller: Caller, since epoch: Int) -> Bool {
    let now = now()
    guard caller.session == nil, caller.token.isValid(at: now) else { return false }
    return known.withLock { known in
      guard known.epoch == epoch, !known.isDeaf(at: uptime) else { return false }
      // A look at other servers asks only about grants in memory.
      if known.heardAt != nil, known.grants[Key(secret: caller.token.secret)] == nil {
        return false
      }
      known.uses[caller.token.id] = now
      return true
    }
  }

  /// A caller who was let in before; nil for one who would not be let in now. A session that was
  /// renewed long ago is renewed, so that it lasts on from now.
  package func renewed(_ caller: Caller) throws(StoreError) -> Caller? {
    guard let grant = try grant(of: caller) else { return nil }
    guard let session = grant.session else { return caller }
    let now = now()
    let isDue = now.milliseconds - session.renewedAt.milliseconds >= Self.renewalInterval
    if isDue {
      known.withLock { known in
        known.renewals[session.secret] = now
        known.grants[Key(secret: session.secret)]?.session = session.renewed(at: now)
      }
    }
    return Caller(token: grant.token, session: session, isSessionRenewed: isDue)
  }

  private func grant(of caller: Caller) throws(StoreError) -> Grant? {
    let secret = caller.session?.secret ?? caller.token.secret
    let grant = try grant(secret, ofSession: caller.session != nil)
    return grant.flatMap { $0.isValid(at: now()) ? $0 : nil }
  }

  /// Changes with everything that is taken away. While it stays the same, a caller who was let in
  /// by a token is let in until the token expires.
  package var epoch: Int { known.withLock { $0.epoch } }

  /// When a token was used since the store was told last; nil where it was not.
  package func lastUse(of token: TokenRecord.ID) -> Instant? {
    known.withLock { $0.uses[token] }
  }

  /// Tells the store of the uses and renewals since the last call. This is called once in a while,
  /// so that a request costs no write.
  package func recordUses() throws(StoreError) {
    let (uses, renewals) = known.withLock { ($0.uses, $0.renewals) }
    if !uses.isEmpty {
      try store.book.recordUses(uses)
      known.withLock { known in
        for (id, instant) in uses where known.uses[id] == instant { known.uses[id] = nil }
      }
    }
    if !renewals.isEmpty {
      try store.book.renewSessions(renewals)
      known.withLock { known in
        for (secret, instant) in renewals where known.renewals[secret] == instant {
          known.renewals[secret] = nil
        }
      }
    }
  }

  /// How long nothing was heard of other servers; nil where there are none.
  var silence: Duration? { known.withLock { $0.silence(at: uptime) } }

  /// Whether somebody may have been shut out elsewhere without its being heard here.
  var isDeaf: Bool { known.withLock { $0.isDeaf(at: uptime) } }

  /// Begins a look at what other servers took away, and answers all that is let in from memory.
  ///
  /// A grant that is being read at this moment may be older than the look, so it is not kept. The
  /// caller asks the store which of the answered ones have ended, calls `end` with each of these,
  /// and then `heardOfOthers`. From then on nothing in memory is older than this call.
  func beginLook() -> [Ended] {
    known.withLock { known in
      known.looks += 1
      return known.grants.values.map { Ended($0.token, $0.session) }
    }
  }

  /// A look that began at this moment is over.
  func heardOfOthers(at uptime: Duration) { known.withLock { $0.heardAt = uptime } }

  /// Lets nobody in by this any more, and announces it. The caller has made it durable before.
  package func end(_ ended: Ended) {
    known.withLock { known in
      known.grants = known.grants.filter { !ended.concerns($0.value.token, $0.value.session) }
      known.epoch += 1
      switch ended {
      case .session(let secret): known.renewals[secret] = nil
      // When a revoked token was used last is still told.
      case .token, .account: break
      }
    }
    ends.announce(ended)
  }

  private func grant(_ secret: [UInt8], ofSession isSession: Bool) throws(StoreError) -> Grant? {
    let key = Key(secret: secret)
    let (grant, epoch, looks) = known.withLock { known in
      (known.isDeaf(at: uptime) ? nil : known.grants[key], known.epoch, known.looks)
    }
    if let grant { return grant }
    guard let read = try read(secret, ofSession: isSession) else { return nil }
    return known.withLock { known in
      var grant = read
      if let renewal = known.renewals[secret] {
        grant.session = grant.session?.renewed(at: renewal)
      }
      // A grant that has ended is not remembered: a take-over of the database may have lost its
      // end.
      guard known.epoch == epoch, known.looks == looks, grant.isValid(at: now()) else {
        return grant
      }
      if known.grants.count >= Self.maximumKnown { known.grants = [:] }
      known.grants[key] = grant
      return grant
    }
  }

  private func read(_ secret: [UInt8], ofSession isSession: Bool) throws(StoreError) -> Grant? {
    if isSession {
      return try store.book.session(secret).map { Grant(token: $1, session: $0) }
    }
    return try store.book.token(secret).map { Grant(token: $0) }
  }
}

extension Ended {
  /// The end of a token, or of the session that it has opened, which shuts out its callers.
  init(_ token: TokenRecord, _ session: SessionRecord?) {
    self = session.map { .session($0.secret) } ?? .token(token.id)
  }

  /// Whether it shuts this caller out.
  package func concerns(_ caller: Caller) -> Bool { concerns(caller.token, caller.session) }

  fileprivate func concerns(_ token: TokenRecord, _ session: SessionRecord?) -> Bool {
    switch self {
    case .token(let id): token.id == id
    case .account(let id): token.account == id
    case .session(let secret): session?.secret == secret
    }
  }
}
