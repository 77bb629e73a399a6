import Brotli
import TestSupport
import Testing

@Suite("Bytes that are compressed with Brotli")
struct BrotliTests {
  private static let efforts: [BrotliEncoder.Effort] = [.usual, .best]

  private static func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 / 3) }
  }

  @Test("are the same each time, and are read back whole", arguments: [0, 1, 100_000], efforts)
  func deterministic(_ count: Int, _ effort: BrotliEncoder.Effort) throws {
    let bytes = Self.bytes(count)
    let packed = try #require(BrotliEncoder.compress(bytes, effort))
    #expect(BrotliEncoder.compress(bytes, effort) == packed)
    #expect(packed.readAsBrotli() == bytes)
    #expect(count < 1000 || packed.count < count / 10)
  }

  @Test("may come in pieces", arguments: [1, 7, 16_384, 70_000])
  func pieces(_ size: Int) throws {
    let bytes = Self.bytes(100_000)
    let encoder = try #require(BrotliEncoder(.usual))
    var rest = bytes[...]
    while !rest.isEmpty {
      encoder.append(Array(rest.prefix(size)))
      encoder.append([])
      rest = rest.dropFirst(size)
    }
    let packed = try #require(encoder.finish())
    #expect(packed.readAsBrotli() == bytes)
  }

  @Test("may be noise, which gets no smaller, and longer than the encoder's window")
  func noise() throws {
    var dice = SeededDice()
    let bytes = (0..<700_000).map { _ in UInt8.random(in: 0...255, using: &dice) }
    let packed = try #require(BrotliEncoder.compress(bytes, .usual))
    #expect(packed.readAsBrotli() == bytes, "GOALS_TEST_SEED=\(dice.seed)")
    #expect(packed.count > 700_000, "GOALS_TEST_SEED=\(dice.seed)")
  }
}
