import GoalsCore
import GoalsWire
import HTTP

/// What the head of a request says of the edits that it makes: `Idempotency-Key`, `If-Match` and
/// `If-None-Match`.
struct WriteConditions: Sendable {
  /// The id of the request's edit, or of the first of its two.
  let key: Edit.ID
  /// Nil where the field is not there.
  fileprivate let ifMatch: Tags?
  fileprivate let ifNoneMatch: Tags?

  /// What `If-Match` or `If-None-Match` names: `*`, or positions in the log.
  fileprivate enum Tags: Sendable {
    case any
    case heads([Batch.Head])
  }

  /// The precondition of the edits. `goal` is nil where they are of something that always exists.
  func precondition(on goal: Goal.ID?) -> Batch.Precondition? {
    let match: Batch.Precondition? =
      switch ifMatch {
      case nil: nil
      case .any: goal.map { .listed($0) }
      case .heads(let heads): .anyHead(heads)
      }
    let noneMatch: Batch.Precondition? =
      switch ifNoneMatch {
      case nil: nil
      case .any: .unlisted(goal)
      case .heads(let heads): .noHead(heads)
      }
    guard let match, let noneMatch else { return match ?? noneMatch }
    return .all([match, noneMatch])
  }
}

extension Exchange {
  /// The conditions of a write, with a new id where it names none, and its body. Throws all faults
  /// of the request.
  func conditions<Value>(
    with body: Validated<Value>
  ) throws -> (WriteConditions, Value) {
    switch validatedConditions(with: body) {
    case .valid(let parts): return parts
    case .invalid(let faults): throw Problem.invalid(faults)
    }
  }

  /// The conditions of a write and its body, or all faults of the request as a value.
  func validatedConditions<Value>(
    with body: Validated<Value>
  ) -> Validated<(WriteConditions, Value)> {
    // The comparison is weak: the mark of a weak tag does not count (RFC 9110 §13.1.2).
    let noneMatch = tags(.ifNoneMatch, "/If-None-Match") { tag in
      EntityTag.head(of: tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...])
    }
    let conditions = tags(.ifMatch, "/If-Match") { EntityTag.head(of: $0) }.and(noneMatch)
    return idempotencyKey.and(conditions).and(body).after(query.faults).map { parts in
      let ((key, (match, none)), value) = parts
      return (WriteConditions(key: key ?? world.makeID(), ifMatch: match, ifNoneMatch: none), value)
    }
  }

  /// What `Idempotency-Key` says; nil where it is not there.
  private var idempotencyKey: Validated<Edit.ID?> {
    let keys = request.fields.values(.idempotencyKey)
    guard let key = keys.first else { return .valid(nil) }
    guard keys.count == 1, let id = Edit.ID(key) else {
      return .invalid([Fault(pointer: "/Idempotency-Key", detail: "the key is a UUID")])
    }
    return .valid(id)
  }

  /// What `If-Match` or `If-None-Match` says (RFC 9110 §13.1); nil where it is not there. An empty
  /// field names no tag at all, so nothing can match it: it must not pass for a missing one.
  private func tags(
    _ name: FieldName, _ pointer: String, _ head: (String) -> Batch.Head?
  ) -> Validated<WriteConditions.Tags?> {
    guard request.fields.contains(name) else { return .valid(nil) }
    let tags = request.fields.entityTags(name)
    if tags == ["*"] { return .valid(.any) }
    let isWritten = { (tag: String) in
      let opaque = tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
      return opaque.utf8.count > 1 && opaque.hasPrefix("\"") && opaque.hasSuffix("\"")
        && opaque.dropFirst().dropLast().utf8.allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 != 0x7F }
    }
    guard !tags.isEmpty, tags.allSatisfy(isWritten) else {
      return .invalid([Fault(pointer: pointer, detail: "an entity tag is in double quotes")])
    }
    return .valid(.heads(tags.compactMap(head)))
  }
}
