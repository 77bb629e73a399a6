import GoalsCore
import JSON

extension [Fault] {
  /// The largest number of faults of one value that are reported. A body of some megabytes can hold
  /// millions; reporting each would take more time and memory than a request may.
  package static var maximumTold: Int { 100 }

  /// Adds a fault of a value, unless it is there already. After the last fault that has room comes
  /// one that says that there are more.
  package mutating func append(_ fault: @autoclosure () -> Fault, at pointer: JSONPointer) {
    if count < Self.maximumTold {
      let fault = fault()
      if !contains(fault) { append(fault) }
    } else {
      append(new: fault(), at: pointer)
    }
  }

  /// Adds a fault that cannot be there yet, without a search.
  package mutating func append(new fault: @autoclosure () -> Fault, at pointer: JSONPointer) {
    if count < Self.maximumTold {
      append(fault())
    } else if count == Self.maximumTold {
      append(Fault(pointer: pointer.description, detail: "more is wrong here than is told"))
    }
  }
}
