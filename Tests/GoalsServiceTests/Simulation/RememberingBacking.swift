import GoalsCore
import Synchronization

@testable import GoalsStore

/// A store's data in memory that remember what was written, so that an earlier state can be brought
/// back; and that fail to write when they are told to.
final class RememberingBacking: Backing {
  /// Everything that was written, in order.
  struct Content {
    fileprivate var accounts: [AccountRecord] = []
    fileprivate var tokens: [TokenRecord] = []
    fileprivate var transactions: [[Write]] = []
  }

  private let data = MemoryBacking()
  private let written = Mutex(Content())
  private let failure = Mutex<StoreError?>(nil)

  init() {}

  /// The data as they were, written again.
  init(_ content: Content) throws(StoreError) {
    for account in content.accounts { try add(account, with: nil) }
    for token in content.tokens { try add(token) }
    for writes in content.transactions { _ = try persist(writes) }
  }

  var content: Content { written.withLock { $0 } }

  /// Has the next transaction fail.
  func failOnce(with error: StoreError?) { failure.withLock { $0 = error } }

  func persist(_ writes: [Write]) throws(StoreError) -> [Account.ID: [Seal]] {
    if let error = failure.withLock({ $0.take() }) { throw error }
    let seals = try data.persist(writes)
    written.withLock { $0.transactions.append(writes) }
    return seals
  }

  func add(_ account: AccountRecord, with token: TokenRecord?) throws(StoreError) {
    try data.add(account, with: token)
    written.withLock { content in
      content.accounts.append(account)
      if let token { content.tokens.append(token) }
    }
  }

  func add(_ token: TokenRecord) throws(StoreError) {
    try data.add(token)
    written.withLock { $0.tokens.append(token) }
  }

  /// NB: it is not remembered: no simulated device imports.
  func fill(_ account: Account.ID, with log: StagedLog) throws(StoreError) {
    try data.fill(account, with: log)
  }

  func stage(_ portion: StagedLog.Portion, of log: inout StagedLog) throws(StoreError) {}
  func discard(_ log: StagedLog) throws(StoreError) -> Bool { true }

  func remove(_ account: Account.ID) throws(StoreError) -> Bool { try data.remove(account) }

  func revoke(
    _ token: TokenRecord.ID, of account: Account.ID?, at now: Instant
  ) throws(StoreError) -> Bool {
    try data.revoke(token, of: account, at: now)
  }

  func add(_ session: SessionRecord) throws(StoreError) -> [[UInt8]] {
    try data.add(session)
  }

  func endSession(secret: [UInt8]) throws(StoreError) -> Bool {
    try data.endSession(secret: secret)
  }

  func renewSessions(_ renewals: [[UInt8]: Instant]) throws(StoreError) {
    try data.renewSessions(renewals)
  }

  func recordUses(_ uses: [TokenRecord.ID: Instant]) throws(StoreError) {
    try data.recordUses(uses)
  }

  func writersView() throws(StoreError) -> any Reading { try data.writersView() }

  func read<Result>(
    _ length: ReadLength, _ body: (any Reading) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try data.read(length, body)
  }

  func probe(at now: Instant) throws(StoreError) { try data.probe(at: now) }
  func reopen() throws(StoreError) {}
  func close() {}
  var sizes: StoreGauges { StoreGauges() }
}
