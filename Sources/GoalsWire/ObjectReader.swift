import GoalsCore
import JSON

/// Takes a JSON object apart and collects everything that is wrong with it: fields that are
/// missing, break their rule, are unknown, or come twice.
package struct ObjectReader {
  package let pointer: JSONPointer
  package private(set) var faults: [Fault] = []
  /// What was not asked for yet; nil where it is no object that is read here.
  private var fields: JSONFields?

  /// How many fields are looked at: far more than any object here has.
  package static let maximumFields = 1000
  /// How many bytes of a field's name are looked at, escapes not yet resolved.
  static let maximumNameBytes = 256

  /// The reader of an object. For anything else all there is to say is in `faults`, and `isObject`
  /// is false.
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

  /// A field as it is, without asking for it; nil where it is not there.
  func first(_ name: StaticString) -> JSONValue? { fields?[name] }

  /// A field that has to be there; nil where it is not, or breaks its rule.
  package mutating func required<Value>(
    _ name: StaticString, _ reading: @autoclosure () -> Reading<Value>
  ) -> Value? {
    guard let value = take(name) else {
      if isObject { add("\(name) is missing", at: name) }
      return nil
    }
    return read(value, name, reading())
  }

  /// A field that may be left out; nil where it is, and where it breaks its rule.
  package mutating func optional<Value>(
    _ name: StaticString, _ reading: @autoclosure () -> Reading<Value>
  ) -> Value? {
    take(name).flatMap { read($0, name, reading()) }
  }

  /// The raw value of a field, for those who read it themselves.
  package mutating func take(_ name: StaticString) -> JSONValue? {
    guard let (value, repeats) = fields?.take(name) else { return nil }
    for _ in 0..<repeats { add("\(name) is there twice", at: name) }
    return value
  }

  /// Passes over fields that clients may send back though only the server sets them.
  package mutating func ignore(_ names: [StaticString]) {
    for name in names { _ = take(name) }
  }

  /// Passes over every field that was not asked for yet.
  mutating func passOverRest() { fields?.removeAll() }

  /// Takes note of something wrong with a field.
  package mutating func add(_ detail: String, at name: StaticString) {
    faults.append(Fault(pointer: pointer["\(name)"].description, detail: detail), at: pointer)
  }

  package mutating func add(_ more: [Fault]) {
    for fault in more { faults.append(fault, at: pointer) }
  }

  /// Everything that is wrong, once every known field was asked for: what is left is unknown.
  package mutating func finish() -> [Fault] {
    // A field that is unknown may be there many times, and is told once.
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
