import GoalsCore
import JSON

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

  /// The same behind what was found wrong before it.
  package func after(_ earlier: [Fault]) -> Validated {
    guard !earlier.isEmpty else { return self }
    var faults = earlier
    if case .invalid(let own) = self { for fault in own { faults.append(fault, at: .root) } }
    return .invalid(faults)
  }

  /// Both values, or everything that is wrong with either.
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
