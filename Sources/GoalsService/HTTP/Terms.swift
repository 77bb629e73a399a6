import GoalsCore
import GoalsWire
import HTTP

/// What the head of a request says of the edits that it makes.
struct Terms: Sendable {
  /// The id of its edit, or of the first of two.
  let key: Edit.ID
  let precondition: Batch.Precondition?
}

extension Exchange {
  /// What a write says with `Idempotency-Key`, or a new id where there is none, with `If-Match`, and in
  /// its body; throws everything that is wrong with the request.
  func terms<Value>(
    with body: Validated<Value>, in world: World
  ) throws(Problem) -> (Terms, Value) {
    let ((key, precondition), value) = try valid(idempotencyKey.and(ifMatch).and(body))
    return (Terms(key: key ?? world.makeID(), precondition: precondition), value)
  }

  /// `If-Match` where a batch says `ifVersion` instead: what can't be looked at must not pass for something
  /// that held (RFC 9110 §13.1.1).
  var faultsOfIfMatch: [Fault] {
    guard request.fields.contains(.ifMatch) else { return [] }
    return [Fault(pointer: "/If-Match", detail: "a batch says ifVersion instead")]
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

  /// What `If-Match` says (RFC 9110 §13.1.1); nil where it is not there or is `*`. An empty one asks for
  /// something, if only the client knew what: it must not pass for none.
  private var ifMatch: Validated<Batch.Precondition?> {
    guard request.fields[.ifMatch] != nil else { return .valid(nil) }
    let tags = request.fields.entityTags(.ifMatch)
    if tags == ["*"] { return .valid(nil) }
    let isWritten = { (tag: String) in
      let opaque = tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
      return opaque.utf8.count > 1 && opaque.hasPrefix("\"") && opaque.hasSuffix("\"")
        && opaque.dropFirst().dropLast().utf8.allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 != 0x7F }
    }
    guard !tags.isEmpty, tags.allSatisfy(isWritten) else {
      return .invalid([Fault(pointer: "/If-Match", detail: "an entity tag is in double quotes")])
    }
    return .valid(.anyHead(tags.compactMap { EntityTag.head(of: $0) }))
  }
}
