import Synchronization

/// Names requests, so that an answer can be found in the log: by when the server started, as it were,
/// and by their number since.
final class RequestIDs: Sendable {
  private let prefix: String
  private let count = Atomic(0)

  /// - Parameter start: what tells this start of the server from others.
  init(start: UInt64) { prefix = String(UInt32(truncatingIfNeeded: start), radix: 36) + "-" }

  func next() -> String {
    prefix + String(count.wrappingAdd(1, ordering: .relaxed).newValue, radix: 36)
  }
}
