import Testing

@testable import GoalsCore

@Suite("A frequency")
struct FrequencyTests {
  @Test(
    "is from 1 to 1000000",
    arguments: [
      (Int.min, false), (-1, false), (0, false), (1, true), (1_000_000, true), (1_000_001, false),
      (Int.max, false),
    ])
  func limits(_ number: Int, isFrequency: Bool) {
    #expect(Frequency(number)?.value == (isFrequency ? number : nil))
  }

  @Test("is read from numbers of any width")
  func width() {
    #expect(Frequency(UInt64.max) == nil)
    #expect(Frequency(UInt8(7)) == .times(7))
  }

  @Test("is 1 where nothing is said, and has an order")
  func order() {
    #expect(Frequency.default == .times(1))
    #expect(Frequency.times(2) < .times(10))
  }
}

@Suite("What a bump counts by")
struct IncrementTests {
  @Test(
    "is from -1000000 to 1000000, but not 0",
    arguments: [
      (Int.min, false), (-1_000_001, false), (-1_000_000, true), (-1, true), (0, false), (1, true),
      (1_000_000, true), (1_000_001, false), (Int.max, false),
    ])
  func limits(_ number: Int, isIncrement: Bool) {
    #expect(Increment(number)?.value == (isIncrement ? number : nil))
  }

  @Test("is read from numbers of any width")
  func width() {
    #expect(Increment(UInt64.max) == nil)
    #expect(Increment.one == .of(1))
  }
}

@Suite("A version")
struct VersionTests {
  @Test("begins at 0 and goes on by 1")
  func counting() {
    #expect(Version.none.number == 0)
    #expect(Version.none.next == Version(1))
    #expect(Version(1).next > Version(1))
    #expect(Version(41).description == "41")
  }

  @Test("is never negative, and never traps")
  func edges() {
    #expect(Version(-1) == .none)
    #expect(Version(.min) == .none)
    #expect(Version(.max).next == .none)
  }
}

@Suite("A link of the chain")
struct ChainTests {
  @Test("is 32 bytes, which it gives back")
  func bytes() {
    let bytes = (0..<32).map { UInt8($0 * 8 + 1) }
    #expect(Chain(bytes: bytes)?.bytes == bytes)
    #expect(Chain(bytes: bytes)?.prefix == 0x0109_1119_2129_3139)
  }

  @Test("is nothing of another length", arguments: [0, 1, 31, 33, 64])
  func length(_ count: Int) {
    #expect(Chain(bytes: [UInt8](repeating: 7, count: count)) == nil)
  }

  @Test("differs where any byte does", arguments: 0..<32)
  func equality(_ place: Int) {
    var bytes = [UInt8](repeating: 0, count: 32)
    let zero = Chain(bytes: bytes)
    bytes[place] = 1
    #expect(Chain(bytes: bytes) != zero)
  }
}
