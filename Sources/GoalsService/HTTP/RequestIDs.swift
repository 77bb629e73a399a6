import Synchronization

/// Names requests, so that an answer can be found in the log. Two names say nothing of how many
/// requests others made between them: each is a number under a keyed hash.
final class RequestIDs: Sendable {
  private let start: UInt64
  private let count = Atomic(0)

  /// - Parameter start: a number that tells this start of the server from others.
  init(start: UInt64) { self.start = start }

  func next() -> String {
    // SipHash with a key that the standard library draws when the process starts.
    var hasher = Hasher()
    hasher.combine(start)
    hasher.combine(count.wrappingAdd(1, ordering: .relaxed).newValue)
    return String(UInt(bitPattern: hasher.finalize()), radix: 36)
  }
}
