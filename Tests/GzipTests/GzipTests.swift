import Gzip
import TestSupport
import Testing

@Suite("Bytes that are compressed")
struct GzipTests {
  private static func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 / 3) }
  }

  @Test("are the same each time, and name neither a time nor a file", arguments: [0, 1, 100_000])
  func deterministic(_ count: Int) throws {
    let bytes = Self.bytes(count)
    let gzip = try #require(GzipEncoder.compress(bytes, .best))
    #expect(GzipEncoder.compress(bytes, .best) == gzip)
    // RFC 1952 §2.3: ID1, ID2, CM, FLG, MTIME.
    #expect(gzip.prefix(8) == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0])
    #expect(isize(gzip) == count)
    #expect(count < 1000 || gzip.count < count / 10)
  }

  @Test("may come in pieces", arguments: [1, 7, 16_384, 70_000])
  func pieces(_ size: Int) throws {
    let bytes = Self.bytes(100_000)
    let encoder = try #require(GzipEncoder(.usual))
    var rest = bytes[...]
    while !rest.isEmpty {
      encoder.append(Array(rest.prefix(size)))
      encoder.append([])
      rest = rest.dropFirst(size)
    }
    let gzip = try #require(encoder.finish())
    #expect(isize(gzip) == bytes.count)
    // RFC 1952 §2.3.1: CRC32 of all the bytes, in whatever pieces they came.
    let whole = try #require(GzipEncoder.compress(bytes, .best))
    #expect(gzip.suffix(8) == whole.suffix(8))
  }

  @Test("may be noise, which gets no smaller")
  func noise() throws {
    var dice = SeededDice()
    let bytes = (0..<200_000).map { _ in UInt8.random(in: 0...255, using: &dice) }
    let gzip = try #require(GzipEncoder.compress(bytes, .usual))
    #expect(isize(gzip) == bytes.count, "GOALS_TEST_SEED=\(dice.seed)")
    #expect(gzip.count > 200_000, "GOALS_TEST_SEED=\(dice.seed)")
  }

  /// RFC 1952 §2.3.1: how many bytes there were.
  private func isize(_ gzip: [UInt8]) -> Int {
    gzip.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
