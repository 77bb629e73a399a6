import Foundation
import Testing

/// Numbers that a seed repeats (SplitMix64).
struct SeededDice: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// What `GOALS_TEST_SEED` says; otherwise each run has its own.
  static func seedOfRun() -> UInt64 {
    ProcessInfo.processInfo.environment["GOALS_TEST_SEED"].flatMap { UInt64($0) }
      ?? UInt64.random(in: 0...UInt64(UInt32.max))
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// True `part` times in `whole`.
  mutating func chance(_ part: Int, in whole: Int) -> Bool { number(in: 0...whole - 1) < part }

  mutating func number(in range: ClosedRange<Int>) -> Int { .random(in: range, using: &self) }

  mutating func number(in range: ClosedRange<Int64>) -> Int64 { .random(in: range, using: &self) }

  mutating func one<Element>(of elements: [Element]) -> Element {
    elements[number(in: 0...elements.count - 1)]
  }
}
