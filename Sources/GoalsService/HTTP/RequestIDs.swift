import Synchronization

/// Names requests, so that an answer can be found in the log. Two names say nothing of how many
/// requests others made between them: each is a number under a keyed hash.
final class RequestIDs: Sendable {
  /// Of a text for 64 bits.
  private static let digits = 13
  private let key: (UInt64, UInt64)
  private let count = Atomic<UInt64>(0)

  /// - Parameter key: tells this start of the server from others, and is nobody else's to know.
  init(key: (UInt64, UInt64)) { self.key = key }

  func next() -> String {
    var bits = Self.hash(count.wrappingAdd(1, ordering: .relaxed).newValue, key)
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

  /// SipHash-1-3 of eight bytes (Aumasson and Bernstein, INDOCRYPT 2012). Swift's `Hasher` is the
  /// same, but draws its key by itself.
  private static func hash(_ word: UInt64, _ key: (UInt64, UInt64)) -> UInt64 {
    var (v0, v1) = (key.0 ^ 0x736f_6d65_7073_6575, key.1 ^ 0x646f_7261_6e64_6f6d)
    var (v2, v3) = (key.0 ^ 0x6c79_6765_6e65_7261, key.1 ^ 0x7465_6462_7974_6573)
    func rotate(_ value: UInt64, by bits: UInt64) -> UInt64 {
      value &<< bits | value &>> (64 - bits)
    }
    func round() {
      v0 &+= v1
      v2 &+= v3
      v1 = rotate(v1, by: 13) ^ v0
      v3 = rotate(v3, by: 16) ^ v2
      v0 = rotate(v0, by: 32) &+ v3
      v2 &+= v1
      v3 = rotate(v3, by: 21) ^ v0
      v1 = rotate(v1, by: 17) ^ v2
      v2 = rotate(v2, by: 32)
    }
    func take(_ block: UInt64) {
      v3 ^= block
      round()
      v0 ^= block
    }
    take(word)
    // The last block has no bytes but the length of all.
    take(8 << 56)
    v2 ^= 0xff
    for _ in 0..<3 { round() }
    return v0 ^ v1 ^ v2 ^ v3
  }
}
