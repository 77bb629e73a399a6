import GoalsCore

/// A value, or everything that is wrong with what should have become one.
package enum Validated<Value> {
  case valid(Value)
  /// Never empty.
  case invalid([Fault])

  package func map<Other>(_ transform: (Value) -> Other) -> Validated<Other> {
    switch self {
    case .valid(let value): .valid(transform(value))
    case .invalid(let faults): .invalid(faults)
    }
  }
}

extension Validated: Sendable where Value: Sendable {}
