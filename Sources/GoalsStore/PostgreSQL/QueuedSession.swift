import Dispatch
import GoalsCore
import PostgreSQL
import Synchronization

/// A session by which many read, one after the other.
///
/// Where one fails because no server answers, those that wait behind it fail with it: each would
/// wait as long for the same, and a silent server would hold the last of them for minutes.
final class QueuedSession: Sendable {
  private struct Failures {
    var count = 0
    var last: PostgreSQLError?
  }

  /// Accounts whose heads are asked for together, and the answer.
  ///
  /// `@unchecked Sendable` because both are touched under the lock of `next`.
  private final class Probe: @unchecked Sendable {
    var accounts: Set<Account.ID> = []
    var heads: [Account.ID: Head]?
  }

  private let session: Confined<PostgreSQLSession>
  private let failures = Mutex(Failures())
  private let next = Mutex(Probe())

  init(_ session: consuming sending PostgreSQLSession, _ name: String) {
    self.session = Confined(session, to: DispatchQueue(label: "GoalsStore.postgresql-\(name)"))
  }

  func with<Result>(_ body: (PostgreSQLSession) throws -> Result) throws -> Result {
    let asked = failures.withLock { $0.count }
    return try session.with { session in
      let failures = self.failures.withLock { $0 }
      if failures.count != asked, let last = failures.last { throw last }
      do {
        return try body(session)
      } catch let error as PostgreSQLError where !session.isOpen {
        self.failures.withLock {
          $0.count += 1
          $0.last = error
        }
        throw error
      }
    }
  }

  /// Where the log of each account ends that there is, at a moment after the call. All calls that
  /// wait get their answer from one query.
  func heads(of accounts: [Account.ID]) throws -> [Account.ID: Head] {
    let probe = next.withLock { next in
      next.accounts.formUnion(accounts)
      return next
    }
    return try with { session in
      if let heads = next.withLock({ _ in probe.heads }) { return heads }
      let asked = next.withLock { next in
        next = Probe()
        return Array(probe.accounts)
      }
      let heads = try session.heads(of: asked)
      next.withLock { _ in probe.heads = heads }
      return heads
    }
  }

  func close() { session.with { $0.close() } }
}
