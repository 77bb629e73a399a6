import Foundation

/// Numbers that a seed repeats (SplitMix64).
///
/// In the fast tier the seeds are always the same, so that whoever changes something hears of that
/// change only. With `GOALS_TEST_ALL=1` each run has new ones, and a failure says which.
/// `GOALS_TEST_SEED` in the environment sets the seed of every random test.
package struct SeededDice: RandomNumberGenerator {
  package let seed: UInt64
  private var state: UInt64

  /// The seed that the environment sets, if it does.
  package static let fixedSeed =
    ProcessInfo.processInfo.environment["GOALS_TEST_SEED"].flatMap { UInt64($0) }

  package init(seed: UInt64 = SeededDice.seedOfRun()) {
    self.seed = seed
    state = seed
  }

  /// - Parameter place: which of a test's cases it is for, so that no two draw the same. Where the
  ///   environment sets the seed, every case has that one.
  package static func seedOfRun(_ place: UInt64 = 0) -> UInt64 {
    if let fixedSeed { return fixedSeed }
    return (Tier.isAll ? UInt64.random(in: 0...UInt64(UInt32.max)) : 1) + place << 32
  }

  /// So many seeds, one after the other; only the one that the environment sets, where it does.
  ///
  /// - Parameter found: seeds that found something once. Every run begins with them.
  package static func seeds(
    _ count: UInt64, also found: [UInt64] = [], place: UInt64 = 0
  ) -> [UInt64] {
    if let fixedSeed { return [fixedSeed] }
    let first = seedOfRun(place)
    return found + (first..<first + count)
  }

  /// Calls `body` with the dice of each of these seeds.
  package static func each(
    of count: UInt64, also found: [UInt64] = [], _ body: (inout SeededDice) throws -> Void
  ) rethrows {
    for seed in seeds(count, also: found) {
      var dice = SeededDice(seed: seed)
      try body(&dice)
    }
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// True `part` times in `whole`.
  package mutating func chance(_ part: Int, in whole: Int) -> Bool {
    number(in: 0...whole - 1) < part
  }

  package mutating func number(in range: ClosedRange<Int>) -> Int {
    .random(in: range, using: &self)
  }

  package mutating func number(in range: ClosedRange<Int64>) -> Int64 {
    .random(in: range, using: &self)
  }

  /// One of the elements, of which there has to be one.
  package mutating func one<Element>(of elements: [Element]) -> Element {
    elements[number(in: 0...elements.count - 1)]
  }
}
