import Foundation
import JSON

/// Whether a value says the same here and to Foundation's `JSONSerialization`.
package func agree(_ own: JSONValue, _ foreign: Any) -> Bool {
  switch own.kind {
  case .null:
    return foreign is NSNull
  case .bool:
    return foreign as? Bool == own.bool
  case .number:
    guard let number = own.number, let foreign = foreign as? NSNumber,
      let expected = Double(number.text)
    else { return false }
    // Foundation goes by way of `Decimal`, and misses the nearest `Double` by a few steps.
    return abs(foreign.doubleValue - expected) <= 1e-14 * abs(expected)
  case .string:
    guard let string = own.string, let foreign = foreign as? String else { return false }
    return Array(String(string).utf8) == Array(foreign.utf8)
  case .array:
    guard let elements = own.elements, let foreign = foreign as? [Any] else { return false }
    return elements.count == foreign.count && zip(elements, foreign).allSatisfy(agree)
  case .object:
    guard let members = own.members, let foreign = foreign as? [String: Any] else { return false }
    return members.count == foreign.count
      && members.allSatisfy { name, value in
        foreign[String(name)].map { agree(value, $0) } ?? false
      }
  }
}

/// Whether no name comes twice, not even for `String`, which takes two ways to write é for the
/// same.
package func isUnambiguous(_ value: JSONValue) -> Bool {
  if let members = value.members {
    return Set(members.map { String($0.name) }).count == members.count
      && members.allSatisfy { isUnambiguous($0.value) }
  }
  return value.elements?.allSatisfy(isUnambiguous) ?? true
}
