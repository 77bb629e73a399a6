import Dispatch
import GoalsCore
import Synchronization

/// An import on its way: an imported log becomes that of an account, in portions between which the
/// writer commits what others ask for.
///
/// Nobody sees any of it before all of it is durable; then readers do, and observers are told of a
/// commit without edits. Where nobody holds it any more before it is over, what was written of it
/// is removed.
package final class Import: Sendable {
  /// What came of it.
  package enum Outcome: Hashable, Sendable {
    case adopted(Snapshot)
    /// Something is recorded in the account already.
    case notEmpty
    case unknownAccount
    /// It takes more bytes than an account's log may.
    case tooLarge
  }

  private struct Progress {
    var staged: StagedLog
    /// Whether nothing of it is left to be removed.
    var isSettled = false
  }

  private let account: Account.ID
  private let asker: Authority?
  private let engine: StoreEngine
  private let progress: Mutex<Progress>

  init(
    of log: ImportedLog, into account: Account.ID, by asker: Authority?, _ engine: StoreEngine
  ) {
    self.account = account
    self.asker = asker
    self.engine = engine
    progress = Mutex(Progress(staged: StagedLog(log)))
  }

  deinit {
    let (staged, isSettled) = progress.withLock { ($0.staged, $0.isSettled) }
    guard !isSettled, staged.number != nil else { return }
    DispatchQueue.global(qos: .utility).async { [engine] in engine.discard(staged) }
  }

  /// Writes a portion, and answers what came of the import; nil where it is not over. Blocks the
  /// calling thread until the portion is durable. After an error it is over, too.
  package func advance() throws(StoreError) -> Outcome? {
    try progress.withLock { progress throws(StoreError) in
      let outcome: Outcome?
      do throws(StoreError) {
        outcome = try engine.advance(&progress.staged, into: account, by: asker)
      } catch {
        settle(&progress)
        throw error
      }
      switch outcome {
      case .adopted: progress.isSettled = true
      case .notEmpty, .unknownAccount, .tooLarge: settle(&progress)
      case nil: break
      }
      return outcome
    }
  }

  private func settle(_ progress: inout Progress) {
    guard !progress.isSettled else { return }
    engine.discard(progress.staged)
    progress.isSettled = true
  }
}

extension StoreEngine {
  /// Stages the next portion of a log, or gives the account all of them.
  fileprivate func advance(
    _ log: inout StagedLog, into account: Account.ID, by asker: Authority?
  ) throws(StoreError) -> Import.Outcome? {
    let portion = log.next()
    return try administer { backing in
      // A number that was given in a transaction that failed may be another account's next.
      var next = log
      let outcome = try backing.writeLong { data -> Import.Outcome? in
        try data.admit(asker)
        let page = try data.page(of: account, after: .none, limit: 0)
        guard let page else { return .unknownAccount }
        guard page.head == .none else { return .notEmpty }
        var snapshot = next.log.snapshot
        snapshot.isSignedUp = try data.isSignedUp(account)
        // As if its edits had come one after the other.
        let maximum = maximumLogBytes(isSignedUp: snapshot.isSignedUp)
        guard next.log.bytesBeforeLast < maximum else { return .tooLarge }
        guard let portion else {
          return try data.fill(account, with: next) ? .adopted(snapshot) : .notEmpty
        }
        try data.stage(portion, of: &next)
        return nil
      }
      log = next
      guard case .adopted(let snapshot)? = outcome else { return outcome }
      network.sync {
        cache.install(Published(snapshot), account)
        commits.announce(
          Commit(
            account: account, edits: [], seals: [], after: snapshot.chain, state: snapshot.state))
      }
      return outcome
    }
  }

  /// Removes what is staged of a log. What can't be removed now is removed when the store is opened
  /// next.
  fileprivate func discard(_ log: StagedLog) {
    while let isGone = try? administer({ try $0.writeLong { try $0.discard(log) } }), !isGone {}
  }
}
