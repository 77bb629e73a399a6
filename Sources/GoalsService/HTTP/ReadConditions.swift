import HTTP

/// What a request to read says of what it has, or wants, by `If-Match` and `If-None-Match` (RFC
/// 9110 §13.1).
struct ReadConditions: Sendable {
  /// Nil where the field is not there.
  private let match: [String]?
  private let noneMatch: [String]

  init(_ fields: Fields) {
    match = fields.contains(.ifMatch) ? fields.entityTags(.ifMatch) : nil
    noneMatch = fields.entityTags(.ifNoneMatch)
  }

  /// Whether the client has what is there already, so that 304 says all, by the order of RFC 9110
  /// §13.2.2; throws 412 where it wants something else.
  func isKnown(_ tag: String) throws(Problem) -> Bool {
    // Compared strongly (RFC 9110 §13.1.1): ours are strong, and what says that it is weak is none
    // of them.
    if let match, match != ["*"], !match.contains(tag) { throw .preconditionFailed(tag) }
    return noneMatch.contains { $0 == "*" || $0 == tag || $0 == "W/" + tag }
  }

  /// What is read, or 304 where the client has it already.
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
