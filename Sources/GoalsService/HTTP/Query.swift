import GoalsCore
import GoalsWire
import HTTP
import JSON

/// The query of a request. As in `ObjectReader`, every fault is collected.
struct Query {
  private var values: [String: String] = [:]
  /// The faults of the parameters that were asked for.
  private(set) var faults: [Fault] = []

  /// Parameters that are not known, or come twice, are faults.
  init(_ items: [QueryItem], known: [String]) {
    for item in items {
      if !known.contains(item.name) {
        add("there is no such query parameter here", at: item.name)
      } else if values.updateValue(item.value, forKey: item.name) != nil {
        add("\(item.name) is there twice", at: item.name)
      }
    }
  }

  mutating func flag(_ name: String) -> Bool? {
    read(name, "true or false is expected") { $0 == "true" ? true : $0 == "false" ? false : nil }
  }

  /// One of these texts, by what it means.
  mutating func choice<Value>(
    _ name: String, _ values: [String: Value], _ rule: String
  ) -> Value? {
    read(name, rule) { values[$0] }
  }

  mutating func integer(_ name: String, in range: ClosedRange<Int>) -> Int? {
    let end = range.upperBound == .max ? "on" : "to \(range.upperBound)"
    let rule = "a whole number from \(range.lowerBound) \(end) is expected"
    return read(name, rule) { text in
      // As JSON writes a number: no sign, and no zeros before it (RFC 8259 §6).
      let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
      guard text.utf8.allSatisfy(digits.contains),
        text == "0" || text.utf8.first != digits.lowerBound,
        let value = Int(text)
      else { return nil }
      return range.contains(value) ? value : nil
    }
  }

  mutating func version(_ name: String) -> Version? {
    integer(name, in: 0...Int.max).map { Version($0) }
  }

  mutating func day(_ name: String) -> Day? {
    read(name, "a day is written YYYY-MM-DD") { Day($0) }
  }

  mutating func goal(_ name: String, _ rule: String = "a UUID is expected") -> Goal.ID? {
    read(name, rule) { Goal.ID($0) }
  }

  mutating func cursor(_ name: String) -> Cursor? {
    read(name, "a cursor is expected") { Cursor($0) }
  }

  /// Refuses a parameter that can't be there together with others.
  mutating func refuse(_ name: String, _ detail: String) { add(detail, at: name) }

  /// The value that was made of the parameters, once every known one was asked for; or all their
  /// faults.
  func finish<Value>(_ value: Value) -> Validated<Value> {
    faults.isEmpty ? .valid(value) : .invalid(faults)
  }

  private mutating func read<Value>(
    _ name: String, _ rule: String, _ make: (String) -> Value?
  ) -> Value? {
    guard let text = values[name] else { return nil }
    let value = make(text)
    if value == nil { add(rule, at: name) }
    return value
  }

  private mutating func add(_ detail: String, at name: String) {
    faults.append(Fault(pointer: JSONPointer.root[name].description, detail: detail), at: .root)
  }
}
