import TestSupport

typealias Dice = TestSupport.SeededDice

extension Dice {
  mutating func chance(_ percent: Int) -> Bool { chance(percent, in: 100) }

  mutating func number(_ range: ClosedRange<Int>) -> Int { number(in: range) }

  mutating func pick<Value>(_ first: Value, _ others: Value...) -> Value {
    others.randomElement(using: &self).map { chance(100 / (others.count + 1)) ? first : $0 }
      ?? first
  }
}
