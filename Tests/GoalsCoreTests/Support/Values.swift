import GoalsCore

// In tests, values are written down as they are known to be valid; one that is not ends the run.

extension ID: ExpressibleByIntegerLiteral {
  /// In tests a small number is an id.
  public init(integerLiteral value: UInt64) { self.init(high: 0, low: value) }
}

func known<Value>(_ value: Value?, _ text: some Any) -> Value {
  guard let value else { preconditionFailure("\(text) is no \(Value.self)") }
  return value
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

extension Period {
  static func from(_ start: String, to end: String) -> Period {
    known(Period(start: .on(start), end: .on(end)), "\(start)..<\(end)")
  }
}

extension Chain {
  /// A chain that differs from those of other numbers.
  static func link(_ number: UInt64) -> Chain { Chain(words: (number, 0, 0, number)) }
}

extension Goal {
  /// A goal of which only what matters is said.
  static func some(
    _ id: Goal.ID, _ title: String = "Goal", _ interval: Interval = .daily, times: Int = 1
  ) -> Goal {
    Goal(id: id, title: .of(title), interval: interval, frequency: .times(times))
  }
}
