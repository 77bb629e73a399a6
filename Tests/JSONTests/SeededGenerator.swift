import Foundation

/// SplitMix64: the same numbers from the same seed.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func chance(_ outOf: Int) -> Bool { Int.random(in: 0..<outOf, using: &self) == 0 }
}

/// Calls `body` with some random seeds; `JSON_SEED=…` repeats the one that was seen to fail.
func forRandomSeeds(_ count: UInt64, _ body: (UInt64) throws -> Void) rethrows {
  if let seed = ProcessInfo.processInfo.environment["JSON_SEED"].flatMap(UInt64.init) {
    return try body(seed)
  }
  let first = UInt64.random(in: 0...UInt64(UInt32.max))
  for seed in first..<first + count { try body(seed) }
}
