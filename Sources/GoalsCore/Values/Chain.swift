/// A link of the hash chain over an account's log: 32 bytes that stand for the initial calendar and
/// every edit up to here. The core carries it and compares it; the shell computes it (SHA-256).
public struct Chain: Hashable, Sendable {
  /// The 32 bytes as four big-endian words.
  public let words: (UInt64, UInt64, UInt64, UInt64)

  /// A link of these words.
  public init(words: (UInt64, UInt64, UInt64, UInt64)) { self.words = words }

  /// Nil unless there are 32 bytes.
  public init?(bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 32 else { return nil }
    func word(_ index: Int) -> UInt64 {
      UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self))
    }
    words = (word(0), word(1), word(2), word(3))
  }

  /// Nil unless there are 32 bytes.
  public init?(bytes: [UInt8]) {
    guard let chain = bytes.withUnsafeBytes({ Self(bytes: $0) }) else { return nil }
    self = chain
  }

  /// The 32 bytes.
  public var bytes: [UInt8] { withBytes { $0.withUnsafeBytes { Array($0) } } }

  /// Lends the 32 bytes to `body` without copying them.
  public func withBytes<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withUnsafeBytes(
      of: (words.0.bigEndian, words.1.bigEndian, words.2.bigEndian, words.3.bigEndian)
    ) { bytes throws(Failure) in
      try body(bytes.assumingMemoryBound(to: UInt8.self).span)
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
