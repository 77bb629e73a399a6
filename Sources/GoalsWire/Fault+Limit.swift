import GoalsCore
import JSON

extension [Fault] {
  /// How many faults of one value are told. A body of some megabytes can hold millions; telling of
  /// each would take more time and room than a request may.
  package static var maximumTold: Int { 100 }

  /// Adds a fault of a value, if there is room and it is not told yet; the last to be told says
  /// that there are more.
  package mutating func append(_ fault: @autoclosure () -> Fault, at pointer: JSONPointer) {
    if count < Self.maximumTold {
      let fault = fault()
      if !contains(fault) { append(fault) }
    } else {
      append(new: fault(), at: pointer)
    }
  }

  /// As above, for a fault that cannot have been told yet, without looking.
  package mutating func append(new fault: @autoclosure () -> Fault, at pointer: JSONPointer) {
    if count < Self.maximumTold {
      append(fault())
    } else if count == Self.maximumTold {
      append(Fault(pointer: pointer.description, detail: "more is wrong here than is told"))
    }
  }
}
