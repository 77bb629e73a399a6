/// A link of the hash chain over an account's log: 32 bytes that stand for the initial calendar and
/// every edit up to here. The core carries it and compares it; the shell computes it (SHA-256).
public struct Chain: Hashable, Sendable {
  public let words: (UInt64, UInt64, UInt64, UInt64)

  public init(words: (UInt64, UInt64, UInt64, UInt64)) { self.words = words }

  /// Nil unless there are 32 bytes.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 32 else { return nil }
    var words: [UInt64] = [0, 0, 0, 0]
    for (place, byte) in bytes.enumerated() {
      words[place / 8] = words[place / 8] << 8 | UInt64(byte)
    }
    self.words = (words[0], words[1], words[2], words[3])
  }

  public var bytes: [UInt8] {
    [words.0, words.1, words.2, words.3].flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * $0)) }
    }
  }

  public static func == (left: Self, right: Self) -> Bool { left.words == right.words }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(words.0)
  }
}

extension Chain {
  /// The first eight bytes, which name the chain to a client.
  public var prefix: UInt64 { words.0 }
}
