import CSQLite
import Synchronization

/// Stops what a connection is doing, from any thread: the statement that runs ends with
/// `.interrupted` (sqlite.org/c3ref/interrupt.html).
///
/// `@unchecked Sendable`: `sqlite3_interrupt` is one of the few calls that any thread may make, as
/// long as the connection is not closed meanwhile; the mutex sees to that.
package final class Interrupt: @unchecked Sendable {
  private let handle: OpaquePointer
  private let isOpen = Mutex(true)

  init(of handle: OpaquePointer) {
    self.handle = handle
  }

  /// Does nothing when nothing runs, or when the connection was closed.
  package func callAsFunction() {
    isOpen.withLock { isOpen in
      if isOpen { sqlite3_interrupt(handle) }
    }
  }

  func end() {
    isOpen.withLock { $0 = false }
  }
}
