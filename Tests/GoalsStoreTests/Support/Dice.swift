import TestSupport
import Testing

typealias Dice = TestSupport.SeededDice

extension Dice {
  /// What to say beside a failure.
  var note: Comment { "repeat it with GOALS_TEST_SEED=\(seed)" }

  mutating func pick<Value>(_ values: some Collection<Value>, or other: Value) -> Value {
    values.randomElement(using: &self) ?? other
  }
}
