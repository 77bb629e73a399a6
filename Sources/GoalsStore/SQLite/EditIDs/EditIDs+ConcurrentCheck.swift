import Dispatch
import GoalsCore
import Synchronization

extension EditIDs {
  /// Checks that edits are found by their ids, through a session of its own, beside the thread that
  /// walks the log: ids lie in no order in their index, so that to look them up takes about a third
  /// of the whole.
  final class ConcurrentCheck: Sendable {
    /// How many stretches of the log may wait, so that it is never held in memory whole.
    private static let maximumWaiting = 4

    private let session: Confined<SQLiteSession>
    private let queue = DispatchQueue(label: "GoalsStore.id-check")
    private let room = DispatchSemaphore(value: maximumWaiting)
    private let fault = Mutex<(any Error)?>(nil)

    init(_ session: consuming sending SQLiteSession) {
      self.session = Confined(session, to: DispatchQueue(label: "GoalsStore.ids"))
    }

    /// Takes entries of a log, in order.
    func check(_ entries: [LogEntry], account: Int64) {
      room.wait()
      queue.async { [self] in
        defer { room.signal() }
        guard fault.withLock({ $0 == nil }) else { return }
        do {
          try session.with { try $0.check(entries, account: account) }
        } catch {
          fault.withLock { $0 = error }
        }
      }
    }

    /// Throws the first fault of the entries given so far, if it was not thrown yet.
    func finish() throws {
      queue.sync {}
      let found = fault.withLock { fault in
        defer { fault = nil }
        return fault
      }
      if let found { throw found }
    }
  }
}
