import GoalsCore
import JSON

/// A way to read one JSON value: its rule, in words for a person, and a function that returns the
/// value, or nil where the value breaks the rule.
package struct Reading<Value> {
  package let rule: String
  package let read: (JSONValue) -> Value?

  package init(_ rule: String, _ read: @escaping (JSONValue) -> Value?) {
    self.rule = rule
    self.read = read
  }

  /// The same reading, in which null becomes nil.
  package var orNull: Reading<Value?> {
    Reading<Value?>("\(rule), or null") { [read] value in
      value.isNull ? .some(nil) : read(value).map(Optional.some)
    }
  }

  /// A string that becomes a value.
  package static func text(_ rule: String, _ make: @escaping (String) -> Value?) -> Reading {
    Reading(rule) { $0.shortText.flatMap(make) }
  }
}

extension Reading where Value == Bool {
  package static var flag: Reading { Reading("true or false is expected") { $0.bool } }
}

extension Reading where Value == Int {
  package static func integer(_ range: ClosedRange<Int>) -> Reading {
    Reading("a whole number from \(range.lowerBound) to \(range.upperBound) is expected") {
      $0.number?.integer.flatMap { Int(exactly: $0) }.flatMap { range.contains($0) ? $0 : nil }
    }
  }
}

extension Reading where Value == String {
  package static var string: Reading { Reading("a string is expected") { $0.shortText } }
}

extension Reading where Value == Version {
  package static var version: Reading {
    Reading("a version is a whole number, 0 or more") {
      $0.number?.integer.flatMap { Int(exactly: $0) }.flatMap { $0 >= 0 ? Version($0) : nil }
    }
  }
}

extension Reading {
  package static func id<Subject>() -> Reading where Value == ID<Subject> {
    Reading("an id is a UUID") { $0.withShortText { ID(utf8: $0) } }
  }
}

extension Reading where Value == Instant {
  package static var instant: Reading {
    Reading("an instant is an RFC 3339 date and time with an offset") {
      $0.withShortText { Instant(utf8: $0) }
    }
  }
}

extension Reading where Value == Day {
  package static var day: Reading {
    Reading("a day is written YYYY-MM-DD") { $0.withShortText { Day(utf8: $0) } }
  }
}

extension Reading where Value == Title {
  package static var title: Reading { .text(Title.rule) { Title($0) } }
}

extension Reading where Value == Colour {
  package static var colour: Reading { .text(Colour.rule) { Colour($0) } }
}

extension Reading where Value == Interval {
  package static var interval: Reading {
    .text("an interval is daily, weekly or monthly") { Interval($0) }
  }
}

extension Reading where Value == Frequency {
  package static var frequency: Reading {
    Reading(Frequency.rule) { $0.number?.integer.flatMap { Frequency($0) } }
  }
}

extension Reading where Value == GoalUnit? {
  /// An empty text counts as null.
  package static var unit: Reading {
    Reading("\(GoalUnit.rule), or it is null") { value in
      if value.isNull { return .some(nil) }
      guard let text = value.shortText else { return nil }
      return text.isEmpty ? .some(nil) : GoalUnit(text).map(Optional.some)
    }
  }
}

extension Reading where Value == Increment {
  package static var increment: Reading {
    Reading(Increment.rule) { $0.number?.integer.flatMap { Increment($0) } }
  }
}

extension Reading where Value == Note {
  package static var note: Reading { .text(Note.rule) { Note($0) } }
}

extension Reading where Value == Weekday {
  package static var weekday: Reading {
    .text("a week start is monday, tuesday, … or sunday") { Weekday($0) }
  }
}

extension Reading where Value == DayStart {
  package static var dayStart: Reading {
    .text("a day start is written HH:MM, from 00:00 to 12:00") { DayStart($0) }
  }
}

extension JSONValue {
  /// The largest number of bytes of a string that is read: more than any text here may have, with
  /// room for the white space around a title.
  static let maximumTextBytes = 65_536

  /// The string, if it has at most that many bytes; nil for anything else.
  var shortText: String? {
    withShortText { String(decoding: $0, as: UTF8.self) }
  }

  /// The result of `body` on the bytes of such a string; nil for anything else.
  func withShortText<Value>(_ body: (UnsafeRawBufferPointer) -> Value?) -> Value? {
    guard let string, string.encodedCount <= Self.maximumTextBytes else { return nil }
    var made: Value?
    string.visitUTF8 { made = body($0) }
    return made
  }
}
