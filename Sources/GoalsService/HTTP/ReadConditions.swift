import HTTP

/// The conditions of a request to read: `If-Match` and `If-None-Match` (RFC 9110 §13.1).
struct ReadConditions: Sendable {
  /// Nil where the field is not there.
  private let match: [String]?
  private let noneMatch: [String]

  init(_ fields: Fields) {
    match = fields.contains(.ifMatch) ? fields.entityTags(.ifMatch) : nil
    noneMatch = fields.entityTags(.ifNoneMatch)
  }

  /// Whether the client has the representation with this tag already, so that 304 will do. Throws
  /// 412 where it asks for another one. The order is that of RFC 9110 §13.2.2.
  func isKnown(_ tag: String) throws(Problem) -> Bool {
    // Compared strongly (RFC 9110 §13.1.1): ours are strong, and a weak tag is none of them.
    if let match, match != ["*"], !match.contains(tag) { throw .preconditionFailed(tag) }
    return noneMatch.contains { $0 == "*" || $0 == tag || $0 == "W/" + tag }
  }

  /// The response of `read`, or 304 where the client has it already.
  func response(
    _ tag: EntityTag, _ read: () -> Response
  ) throws(Problem) -> Response {
    let text = tag.description
    var response = try isKnown(text) ? Response(.notModified) : read()
    response.fields[.entityTag] = text
    response.fields[.cacheControl] = "private, no-cache"
    return response
  }
}
