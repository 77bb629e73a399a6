import GoalsCore
import JSON

/// Takes a JSON object apart and collects all its faults: fields that are missing, break their
/// rule, are unknown, or come twice.
package struct ObjectReader {
  package let pointer: JSONPointer
  package private(set) var faults: [Fault] = []
  /// The fields that are not taken yet; nil where the value is no object that can be read here.
  private var fields: JSONFields?

  /// The largest number of fields of an object: far more than any object here has.
  package static let maximumFields = 1000
  /// The largest length of a field's name, in bytes with the escapes as they are written.
  static let maximumNameBytes = 256

  /// The reader of an object. For anything else `isObject` is false, and `faults` has the one
  /// fault.
  package init(_ value: JSONValue, at pointer: JSONPointer = .root) {
    self.pointer = pointer
    fields = value.members.map { JSONFields($0, atMost: Self.maximumFields + 1) }
    let refusal: String? =
      if let fields {
        if fields.count > Self.maximumFields {
          "an object has at most \(Self.maximumFields) fields here"
        } else if fields.hasName(longerThan: Self.maximumNameBytes) {
          "no field's name is longer than \(Self.maximumNameBytes) bytes here"
        } else {
          nil
        }
      } else {
        "an object is expected"
      }
    isObject = refusal == nil
    if let refusal {
      fields = nil
      faults = [Fault(pointer: pointer.description, detail: refusal)]
    }
  }

  package let isObject: Bool

  /// The value of a field, which stays among the fields; nil where the field is not there.
  package func first(_ name: StaticString) -> JSONValue? { fields?[name] }

  /// Takes and reads a required field; nil where it is missing or breaks its rule.
  package mutating func required<Value>(
    _ name: StaticString, _ reading: @autoclosure () -> Reading<Value>
  ) -> Value? {
    guard let value = take(name) else {
      if isObject { add("\(name) is missing", at: name) }
      return nil
    }
    return read(value, name, reading())
  }

  /// Takes and reads an optional field; nil where it is left out or breaks its rule.
  package mutating func optional<Value>(
    _ name: StaticString, _ reading: @autoclosure () -> Reading<Value>
  ) -> Value? {
    take(name).flatMap { read($0, name, reading()) }
  }

  /// Takes the raw value of a field, for a caller that reads the value itself.
  package mutating func take(_ name: StaticString) -> JSONValue? {
    guard let (value, repeats) = fields?.take(name) else { return nil }
    for _ in 0..<repeats { add("\(name) is there twice", at: name) }
    return value
  }

  /// Passes over fields that clients may send back though only the server sets them.
  package mutating func ignore(_ names: [StaticString]) {
    for name in names { _ = take(name) }
  }

  /// Passes over every field that is not taken yet.
  mutating func passOverRest() { fields?.removeAll() }

  /// Adds a fault of a field.
  package mutating func add(_ detail: String, at name: StaticString) {
    faults.append(Fault(pointer: pointer["\(name)"].description, detail: detail), at: pointer)
  }

  package mutating func add(_ more: [Fault]) {
    for fault in more { faults.append(fault, at: pointer) }
  }

  /// All faults, once every known field is taken: the fields that are left are unknown.
  package mutating func finish() -> [Fault] {
    // An unknown field may be there many times, and is reported once.
    var told: Set<JSONString> = []
    guard let fields, fields.count > 0 else { return faults }
    for name in fields.names where told.insert(name).inserted {
      faults.append(
        new: Fault(
          pointer: pointer[String(name)].description, detail: "there is no such field here"),
        at: pointer)
    }
    passOverRest()
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
