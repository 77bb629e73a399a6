import Foundation
import Testing

/// Numbers that a seed repeats (SplitMix64). `GOALS_TEST_SEED` in the environment sets the seed;
/// otherwise each run has its own, and a failure says which.
struct Dice: RandomNumberGenerator {
  let seed: UInt64
  private var state: UInt64

  init() {
    let fixed = ProcessInfo.processInfo.environment["GOALS_TEST_SEED"].flatMap { UInt64($0) }
    self.init(seed: fixed ?? UInt64.random(in: 0...UInt64(UInt32.max)))
  }

  init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  /// What to say beside a failure.
  var note: Comment { "repeat it with GOALS_TEST_SEED=\(seed)" }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func chance(_ part: Int, in whole: Int) -> Bool {
    Int.random(in: 0..<whole, using: &self) < part
  }

  mutating func pick<Value>(_ values: some Collection<Value>, or other: Value) -> Value {
    values.randomElement(using: &self) ?? other
  }
}
