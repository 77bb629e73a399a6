import GoalsCore
import JSON

/// The body of a request that sends edits.
package struct BatchBody: Hashable, Sendable {
  package let proposals: [Proposal]
  package let isAtomic: Bool
  package let ifVersion: Version?

  /// Reads `{"edits": […], "atomic": false, "ifVersion": 41}`. An edit that is not valid becomes a
  /// refused proposal. Only a fault outside of the single edits makes the whole invalid.
  package static func read(
    _ value: JSONValue, edits limit: ClosedRange<Int>, by reader: ProposalReader
  ) -> Validated<BatchBody> {
    var object = ObjectReader(value)
    let body = BatchBody(from: &object, edits: limit, by: reader)
    let faults = object.finish()
    return faults.isEmpty ? .valid(body) : .invalid(faults)
  }

  /// Reads the same members from an object that may hold others, and adds the faults to the
  /// object's. Where the limit allows 0 edits, `edits` may be left out.
  package init(
    from object: inout ObjectReader, edits limit: ClosedRange<Int>, by reader: ProposalReader
  ) {
    let isOptional = limit.contains(0)
    let read = object.validated("edits", isOptional: isOptional) { value, pointer in
      Self.read(edits: value, at: pointer, limit: limit, by: reader)
    }
    proposals = read ?? []
    isAtomic = object.optional("atomic", .flag) ?? false
    ifVersion = object.optional("ifVersion", .version)
  }

  private static func read(
    edits value: JSONValue, at pointer: JSONPointer, limit: ClosedRange<Int>,
    by reader: ProposalReader
  ) -> Validated<[Proposal]> {
    guard let elements = value.elements, limit.contains(elements.count) else {
      let detail = "an array of \(limit.lowerBound) to \(limit.upperBound) edits is expected"
      return .invalid([Fault(pointer: pointer.description, detail: detail)])
    }
    return .valid(elements.map { reader.read($0) })
  }
}
