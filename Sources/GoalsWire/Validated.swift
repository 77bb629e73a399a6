import GoalsCore
import JSON

/// A value, or all the faults that kept it from being made.
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

  /// This result after earlier faults: invalid where there are any.
  package func after(_ earlier: [Fault]) -> Validated {
    guard !earlier.isEmpty else { return self }
    var faults = earlier
    if case .invalid(let own) = self { for fault in own { faults.append(fault, at: .root) } }
    return .invalid(faults)
  }

  /// Both values, or the faults of both.
  package func and<Other>(_ other: Validated<Other>) -> Validated<(Value, Other)> {
    switch (self, other) {
    case (.valid(let value), .valid(let other)): return .valid((value, other))
    case (.invalid(let faults), .valid), (.valid, .invalid(let faults)): return .invalid(faults)
    case (.invalid(var faults), .invalid(let more)):
      for fault in more { faults.append(fault, at: .root) }
      return .invalid(faults)
    }
  }
}

extension Validated: Sendable where Value: Sendable {}
