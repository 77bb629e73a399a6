import GoalsCore
import JSON

/// Takes a JSON object apart and collects everything that is wrong with it: fields that are missing,
/// break their rule, are unknown, or come twice.
package struct ObjectReader {
  package let pointer: JSONPointer
  package private(set) var faults: [Fault] = []
  private var members: [(name: JSONString, value: JSONValue)]

  /// The reader of an object. For anything else all there is to say is in `faults`, and `isObject`
  /// is false.
  package init(_ value: JSONValue, at pointer: JSONPointer = .root) {
    self.pointer = pointer
    if let members = value.members {
      self.members = Array(members)
      isObject = true
    } else {
      members = []
      isObject = false
      faults = [Fault(pointer: pointer.description, detail: "an object is expected")]
    }
  }

  package let isObject: Bool

  /// A field that has to be there; nil where it is not, or breaks its rule.
  package mutating func required<Value>(
    _ name: StaticString, _ reading: Reading<Value>
  ) -> Value? {
    guard let value = take(name) else {
      if isObject { add("\(name) is missing", at: name) }
      return nil
    }
    return read(value, name, reading)
  }

  /// A field that may be left out; nil where it is, and where it breaks its rule.
  package mutating func optional<Value>(
    _ name: StaticString, _ reading: Reading<Value>
  ) -> Value? {
    take(name).flatMap { read($0, name, reading) }
  }

  /// The raw value of a field, for those who read it themselves.
  package mutating func take(_ name: StaticString) -> JSONValue? {
    guard let place = members.firstIndex(where: { $0.name == name }) else { return nil }
    let value = members.remove(at: place).value
    while let again = members.firstIndex(where: { $0.name == name }) {
      members.remove(at: again)
      add("\(name) is there twice", at: name)
    }
    return value
  }

  /// Passes over fields that clients may send back though only the server sets them.
  package mutating func ignore(_ names: [StaticString]) {
    for name in names { _ = take(name) }
  }

  /// Passes over every field that was not asked for yet.
  mutating func passOverRest() { members = [] }

  /// Takes note of something wrong with a field.
  package mutating func add(_ detail: String, at name: StaticString) {
    faults.append(Fault(pointer: pointer["\(name)"].description, detail: detail))
  }

  package mutating func add(_ more: [Fault]) { faults += more }

  /// Everything that is wrong, once every known field was asked for: what is left is unknown.
  package mutating func finish() -> [Fault] {
    for (name, _) in members {
      let name = String(name)
      faults.append(
        Fault(pointer: pointer[name].description, detail: "there is no such field here"))
    }
    members = []
    return faults
  }

  private mutating func read<Value>(
    _ value: JSONValue, _ name: StaticString, _ reading: Reading<Value>
  ) -> Value? {
    guard let value = reading.read(value) else {
      add(reading.rule, at: name)
      return nil
    }
    return value
  }
}
