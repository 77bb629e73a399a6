import GoalsCore
import JSON

/// The body of a request that sends edits.
package struct BatchBody: Hashable, Sendable {
  package let proposals: [Proposal]
  package let isAtomic: Bool
  package let ifVersion: Version?

  /// Reads `{"edits": […], "atomic": false, "ifVersion": 41}`. Edits that are not valid are
  /// proposals that are refused; only what is wrong with the rest makes the whole invalid.
  package static func read(
    _ value: JSONValue, edits limit: ClosedRange<Int>, by reader: ProposalReader
  ) -> Validated<BatchBody> {
    var object = ObjectReader(value)
    let proposals = object.validated("edits") { value, pointer in
      read(edits: value, at: pointer, limit: limit, by: reader)
    }
    let isAtomic = object.optional("atomic", .flag)
    let ifVersion = object.optional("ifVersion", .version)
    let faults = object.finish()
    guard faults.isEmpty, let proposals else { return .invalid(faults) }
    return .valid(
      BatchBody(proposals: proposals, isAtomic: isAtomic ?? false, ifVersion: ifVersion))
  }

  private static func read(
    edits value: JSONValue, at pointer: JSONPointer, limit: ClosedRange<Int>,
    by reader: ProposalReader
  ) -> Validated<[Proposal]> {
    guard let elements = value.elements, limit.contains(elements.count) else {
      let detail = "an array of \(limit.lowerBound) to \(limit.upperBound) edits is expected"
      return .invalid([Fault(pointer: pointer.description, detail: detail)])
    }
    return .valid(elements.enumerated().map { reader.read($1, at: pointer[$0]) })
  }
}
