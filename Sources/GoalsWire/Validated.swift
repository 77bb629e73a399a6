import GoalsCore
import JSON

/// A value, or everything that is wrong with what should have become one.
///
/// Its functions are inlinable: where they are used is known what they are about, and no type has to be
/// made for them while a request waits.
package enum Validated<Value> {
  case valid(Value)
  /// Never empty.
  case invalid([Fault])

  @inlinable package func map<Other>(_ transform: (Value) -> Other) -> Validated<Other> {
    switch self {
    case .valid(let value): .valid(transform(value))
    case .invalid(let faults): .invalid(faults)
    }
  }

  /// Both values, or everything that is wrong with either.
  @inlinable package func and<Other>(_ other: Validated<Other>) -> Validated<(Value, Other)> {
    switch (self, other) {
    case (.valid(let value), .valid(let other)): return .valid((value, other))
    case (.invalid(let faults), .valid), (.valid, .invalid(let faults)): return .invalid(faults)
    case (.invalid(let faults), .invalid(let more)): return .invalid(joined(faults, more))
    }
  }

  package func joined(_ faults: [Fault], _ more: [Fault]) -> [Fault] {
    var faults = faults
    for fault in more { faults.append(fault, at: .root) }
    return faults
  }
}

extension Validated: Sendable where Value: Sendable {}
