import GoalsCore

// In tests, values are written down as they are known to be valid; one that is not ends the run.

extension ID: ExpressibleByIntegerLiteral {
  /// In tests a small number is an id.
  public init(integerLiteral value: UInt64) { self.init(high: 0, low: value) }
}

package func known<Value>(_ value: Value?, _ text: some Any) -> Value {
  guard let value else { preconditionFailure("\(text) is no \(Value.self)") }
  return value
}

extension ID {
  /// `00000000-0000-0000-0000-` and the number in twelve hexadecimal digits.
  package static func of(_ number: UInt64) -> ID { ID(high: 0, low: number) }
}

extension Instant {
  package static func at(_ text: String) -> Instant { known(Instant(text), text) }
}

extension Day {
  package static func on(_ text: String) -> Day { known(Day(text), text) }
}

extension Title {
  package static func of(_ text: String) -> Title { known(Title(text), text) }
}

extension GoalUnit {
  package static func of(_ text: String) -> GoalUnit { known(GoalUnit(text), text) }
}

extension Note {
  package static func of(_ text: String) -> Note { known(Note(text), text) }
}

extension Colour {
  package static func of(_ text: String) -> Colour { known(Colour(text), text) }
}

extension Frequency {
  package static func times(_ number: Int) -> Frequency { known(Frequency(number), number) }
}

extension Increment {
  package static func of(_ number: Int) -> Increment { known(Increment(number), number) }
}

extension ZoneName {
  package static func of(_ text: String) -> ZoneName { known(ZoneName(text), text) }
}

extension DayStart {
  package static func of(_ text: String) -> DayStart { known(DayStart(text), text) }
}

extension Period {
  package static func from(_ start: String, to end: String) -> Period {
    known(Period(start: .on(start), end: .on(end)), "\(start)..<\(end)")
  }
}

extension Chain {
  /// A chain that differs from those of other numbers.
  package static func link(_ number: UInt64) -> Chain { Chain(words: (number, 0, 0, number)) }
}

extension Goal {
  /// A goal of which only what matters is said.
  package static func some(
    _ id: Goal.ID, _ title: String = "Goal", _ interval: Interval = .daily, times: Int = 1
  ) -> Goal {
    Goal(id: id, title: .of(title), interval: interval, frequency: .times(times))
  }
}

extension KeyedActivity {
  package static func of(_ elements: (UInt64, Bool)...) -> KeyedActivity {
    KeyedActivity(elements.map { Element(goal: .of($0.0), isActive: $0.1) })
  }
}
