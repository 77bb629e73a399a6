/// What a request asks for, parsed once: nothing decides by the text that was sent.
///
/// Origin form (`/goals?active=true`), absolute form (`http://host/goals`) and, for OPTIONS, the
/// asterisk are understood (RFC 9112 §3.2).
package struct Target: Sendable, Equatable {
  package enum Form: Sendable, Equatable {
    case origin
    case absolute
    case asterisk
  }

  package let form: Form
  /// As it was sent.
  package let text: String
  /// Host and port of an absolute form.
  package let authority: String?
  /// The path's segments, percent-decoded once, dot segments resolved: `/` and `*` have none,
  /// `/goals/` has `goals` and an empty one. No segment holds a slash, a backslash or NUL.
  package let segments: [String]
  /// The parameters in order, percent-decoded, a plus read as a space. Empty ones are left out.
  package let query: [QueryItem]

  /// The decoded path, which begins with a slash.
  package var path: String {
    form == .asterisk ? "*" : "/" + segments.joined(separator: "/")
  }

  /// Nil for what is no target of a request with this method.
  package init?(_ text: String, method: Method = .get) {
    do throws(Refusal) {
      try self.init(Array(text.utf8)[...], method: method)
    } catch {
      return nil
    }
  }

  init(_ bytes: ArraySlice<UInt8>, method: Method) throws(Refusal) {
    text = String(decoding: bytes, as: UTF8.self)
    if bytes.first == ASCII.slash {
      form = .origin
      authority = nil
      (segments, query) = try Target.pathAndQuery(bytes)
    } else if bytes.elementsEqual([ASCII.asterisk]) {
      guard method == .options else {
        throw .malformedRequest("The target * is for OPTIONS only.")
      }
      form = .asterisk
      authority = nil
      segments = []
      query = []
    } else {
      let (host, rest) = try Target.absolute(bytes)
      form = .absolute
      authority = String(decoding: host, as: UTF8.self)
      (segments, query) = try Target.pathAndQuery(rest)
    }
  }
}

/// One parameter of a query. Without `=`, its value is empty.
package struct QueryItem: Sendable, Equatable {
  package let name: String
  package let value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

extension Target {
  /// Splits `scheme://authority` off. User information in it is refused, as RFC 9110 §4.2.4 asks.
  private static func absolute(
    _ bytes: ArraySlice<UInt8>
  ) throws(Refusal) -> (authority: ArraySlice<UInt8>, rest: ArraySlice<UInt8>) {
    for scheme in ["http://", "https://"] {
      let start = bytes.prefix(scheme.utf8.count)
      guard start.map(ASCII.lowercased).elementsEqual(scheme.utf8) else { continue }
      let rest = bytes[start.endIndex...]
      let end = rest.firstIndex { $0 == ASCII.slash || $0 == ASCII.question } ?? rest.endIndex
      let host = rest[..<end]
      guard Authority.isValid(host) else {
        throw .malformedRequest("The host in the target is not valid.")
      }
      return (host, rest[end...])
    }
    throw .malformedRequest("The target is neither a path nor an http URI.")
  }

  private static func pathAndQuery(
    _ bytes: ArraySlice<UInt8>
  ) throws(Refusal) -> ([String], [QueryItem]) {
    let end = bytes.firstIndex(of: ASCII.question) ?? bytes.endIndex
    let segments = try resolved(bytes[..<end])
    guard end < bytes.endIndex else { return (segments, []) }
    return (segments, try items(bytes[(end + 1)...]))
  }

  /// Decodes the segments, and resolves dot segments as RFC 3986 §5.2.4 does; `%2e` is a dot.
  private static func resolved(_ path: ArraySlice<UInt8>) throws(Refusal) -> [String] {
    let legal = ByteSet.path
    guard path.allSatisfy(legal.contains) else {
      throw .malformedRequest("The path holds a byte that must be percent-encoded.")
    }
    var result: [String] = []
    result.reserveCapacity(4)
    var rest = path.dropFirst()
    while true {
      let end = rest.firstIndex(of: ASCII.slash)
      let segment = try PercentEncoding.decoded(
        rest[..<(end ?? rest.endIndex)], in: .path)
      switch segment {
      case ".": if end == nil { result.append("") }
      case "..":
        _ = result.popLast()
        if end == nil { result.append("") }
      default: result.append(segment)
      }
      guard let end else { break }
      rest = rest[(end + 1)...]
    }
    return result == [""] ? [] : result
  }

  private static func items(_ query: ArraySlice<UInt8>) throws(Refusal) -> [QueryItem] {
    let legal = ByteSet.query
    guard query.allSatisfy(legal.contains) else {
      throw .malformedRequest("The query holds a byte that must be percent-encoded.")
    }
    var result: [QueryItem] = []
    for item in query.split(separator: ASCII.ampersand) {
      let equals = item.firstIndex(of: ASCII.equals)
      let name = try PercentEncoding.decoded(item[..<(equals ?? item.endIndex)], in: .query)
      let value = equals.map { item[($0 + 1)...] } ?? []
      result.append(QueryItem(name, try PercentEncoding.decoded(value, in: .query)))
    }
    return result
  }
}
