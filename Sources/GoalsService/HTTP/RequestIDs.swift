import Synchronization

/// Names requests, so that an answer can be found in the log. Two names say nothing of how many
/// requests others made between them: each is a number under a keyed hash.
final class RequestIDs: Sendable {
  /// Of a text for 64 bits.
  private static let digits = 13
  private let start: UInt64
  private let count = Atomic(0)

  /// - Parameter start: a number that tells this start of the server from others.
  init(start: UInt64) { self.start = start }

  func next() -> String {
    // SipHash with a key that the standard library draws when the process starts.
    var hasher = Hasher()
    hasher.combine(start)
    hasher.combine(count.wrappingAdd(1, ordering: .relaxed).newValue)
    var bits = UInt(bitPattern: hasher.finalize())
    // Base 32, of which a digit is five bits: nothing is divided.
    return String(unsafeUninitializedCapacity: Self.digits) { text in
      for index in 0..<Self.digits {
        let digit = UInt8(bits & 31)
        text[index] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + (digit - 10)
        bits >>= 5
      }
      return Self.digits
    }
  }
}
