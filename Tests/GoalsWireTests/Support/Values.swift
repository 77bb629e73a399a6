import GoalsCore

// In tests, values are written down as they are known to be valid; one that is not ends the run.

func known<Value>(_ value: Value?, _ text: some Any) -> Value {
  guard let value else { preconditionFailure("\(text) is no \(Value.self)") }
  return value
}

extension ID {
  /// `00000000-0000-0000-0000-` and the number in twelve hexadecimal digits.
  static func of(_ number: UInt64) -> ID { ID(high: 0, low: number) }
}

extension Instant {
  static func at(_ text: String) -> Instant { known(Instant(text), text) }
}

extension Day {
  static func on(_ text: String) -> Day { known(Day(text), text) }
}

extension Title {
  static func of(_ text: String) -> Title { known(Title(text), text) }
}

extension Unit {
  static func of(_ text: String) -> Unit { known(Unit(text), text) }
}

extension Note {
  static func of(_ text: String) -> Note { known(Note(text), text) }
}

extension Colour {
  static func of(_ text: String) -> Colour { known(Colour(text), text) }
}

extension Frequency {
  static func times(_ number: Int) -> Frequency { known(Frequency(number), number) }
}

extension Increment {
  static func of(_ number: Int) -> Increment { known(Increment(number), number) }
}

extension ZoneName {
  static func of(_ text: String) -> ZoneName { known(ZoneName(text), text) }
}

extension DayStart {
  static func of(_ text: String) -> DayStart { known(DayStart(text), text) }
}

extension KeyedActivity {
  static func of(_ entries: (UInt64, Bool)...) -> KeyedActivity {
    KeyedActivity(entries.map { Entry(goal: .of($0.0), isActive: $0.1) })
  }
}
