import Synchronization

/// A value that a test and the threads it starts share.
package final class Locked<Value: Sendable>: Sendable {
  private let mutex: Mutex<Value>

  package init(_ value: Value) { mutex = Mutex(value) }

  package var value: Value { mutex.withLock { $0 } }

  package func change<Result: Sendable>(
    _ body: (inout Value) throws -> Result
  ) rethrows -> Result {
    try mutex.withLock { try body(&$0) }
  }
}
