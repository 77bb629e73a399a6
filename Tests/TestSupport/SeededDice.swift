import Foundation

/// Numbers that a seed repeats (SplitMix64).
///
/// `GOALS_TEST_SEED` in the environment sets the seed of every random test; otherwise each run has
/// its own, and a failure says which.
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

  package static func seedOfRun() -> UInt64 {
    fixedSeed ?? UInt64.random(in: 0...UInt64(UInt32.max))
  }

  /// Calls `body` with so many dice, of one seed after the other; only with those of the fixed
  /// seed, where there is one.
  package static func each(of count: UInt64, _ body: (inout SeededDice) throws -> Void) rethrows {
    let first = seedOfRun()
    for seed in first..<first + (fixedSeed == nil ? count : 1) {
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
