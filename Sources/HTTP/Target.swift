/// The target of a request, parsed once. Decisions are made by its parts, never by the text that
/// was sent.
///
/// Origin form (`/goals?active=true`), absolute form (`http://host/goals`) and, for OPTIONS, the
/// asterisk are understood (RFC 9112 §3.2).
package struct Target: Sendable, Equatable {
  /// As it was sent.
  package let text: String
  /// Host and port of an absolute form; nil for the others.
  package let authority: String?
  /// The path's segments, percent-decoded once, dot segments resolved: `/` and `*` have none,
  /// `/goals/` has `goals` and an empty one. No segment holds a backslash or NUL. One that holds a
  /// slash is below `MessageLimits.pathOfSlashes`, and was sent with `%2F`.
  package let segments: [String]
  /// The parameters in order, percent-decoded, a plus read as a space. Empty ones are left out.
  package let query: [QueryItem]

  package var isAsterisk: Bool { text == "*" }

  /// The decoded path, which begins with a slash.
  package var path: String {
    isAsterisk ? "*" : "/" + segments.joined(separator: "/")
  }

  /// Nil for a text that is no target of a request with this method.
  package init?(_ text: String, method: Method = .get, slashesBelow path: String? = nil) {
    do throws(Refusal) {
      try self.init(Array(text.utf8)[...], method: method, slashesBelow: path)
    } catch {
      return nil
    }
  }

  init(
    _ bytes: ArraySlice<UInt8>, method: Method, slashesBelow path: String?
  ) throws(Refusal) {
    text = String(decoding: bytes, as: UTF8.self)
    if text == "*" {
      guard method == .options else {
        throw .malformedRequest("The target * is for OPTIONS only.")
      }
      (authority, segments, query) = (nil, [], [])
    } else if bytes.first == ASCII.slash {
      authority = nil
      (segments, query) = try Target.pathAndQuery(bytes, slashesBelow: path)
    } else {
      let (host, rest) = try Target.absolute(bytes)
      authority = String(decoding: host, as: UTF8.self)
      (segments, query) = try Target.pathAndQuery(rest, slashesBelow: path)
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
  /// Splits `scheme://authority` off. User information is refused, as RFC 9110 §4.2.4 asks.
  private static func absolute(
    _ bytes: ArraySlice<UInt8>
  ) throws(Refusal) -> (authority: ArraySlice<UInt8>, rest: ArraySlice<UInt8>) {
    for scheme in ["http://", "https://"] {
      let start = bytes.prefix(scheme.utf8.count)
      guard start.map(ASCII.lowercased).elementsEqual(scheme.utf8) else { continue }
      let rest = bytes[start.endIndex...]
      let end = rest.firstIndex { $0 == ASCII.slash || $0 == UInt8(ascii: "?") } ?? rest.endIndex
      let host = rest[..<end]
      guard Authority.isValid(host) else {
        throw .malformedRequest("The host in the target is not valid.")
      }
      return (host, rest[end...])
    }
    throw .malformedRequest("The target is neither a path nor an http URI.")
  }

  private static func pathAndQuery(
    _ bytes: ArraySlice<UInt8>, slashesBelow path: String?
  ) throws(Refusal) -> ([String], [QueryItem]) {
    let end = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
    let mayHoldSlashes = path.map { bytes.starts(with: $0.utf8) } ?? false
    let segments = try resolved(bytes[..<end], as: mayHoldSlashes ? .slashedPath : .path)
    guard end < bytes.endIndex else { return (segments, []) }
    return (segments, try items(bytes[(end + 1)...]))
  }

  /// Decodes the segments, and resolves dot segments as RFC 3986 §5.2.4 does; `%2e` is a dot.
  private static func resolved(
    _ path: ArraySlice<UInt8>, as part: Part
  ) throws(Refusal) -> [String] {
    let legal = ByteSet.path
    guard path.allSatisfy(legal.contains) else {
      throw .malformedRequest("The path holds a byte that must be percent-encoded.")
    }
    var result: [String] = []
    result.reserveCapacity(4)
    var rest = path.dropFirst()
    while true {
      let end = rest.firstIndex(of: ASCII.slash)
      let segment = try decoded(rest[..<(end ?? rest.endIndex)], as: part)
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
    for item in query.split(separator: UInt8(ascii: "&")) {
      let equals = item.firstIndex(of: ASCII.equals)
      let name = try decoded(item[..<(equals ?? item.endIndex)], as: .query)
      let value = equals.map { item[($0 + 1)...] } ?? []
      result.append(QueryItem(name, try decoded(value, as: .query)))
    }
    return result
  }

  /// The parts of a target, which are decoded in different ways.
  private enum Part {
    case path
    /// A path whose segments may hold encoded slashes.
    case slashedPath
    case query

    /// Whether the part may hold this byte encoded.
    func mayHold(_ byte: UInt8) -> Bool {
      switch (byte, self) {
      case (0, _): false
      case (ASCII.backslash, .path), (ASCII.backslash, .slashedPath), (ASCII.slash, .path): false
      // NB: open: a switch over numbers.
      default: true
      }
    }
  }

  /// Decodes percent-encoding (RFC 3986 §2.1) once, and refuses a text that is not UTF-8 then. In a
  /// path `%00`, `%2F` and `%5C` are refused, because a proxy may take a decoded slash for a real
  /// one. In a query a plus is a space, and `%00` is refused.
  private static func decoded(
    _ bytes: ArraySlice<UInt8>, as part: Part
  ) throws(Refusal) -> String {
    guard bytes.contains(where: { $0 == ASCII.percent || $0 == UInt8(ascii: "+") }) else {
      return String(decoding: bytes, as: UTF8.self)
    }
    var result: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
      switch byte {
      case ASCII.percent:
        guard let high = rest.popFirst().flatMap(ASCII.hex),
          let low = rest.popFirst().flatMap(ASCII.hex)
        else {
          throw .malformedRequest("A % in the target is not followed by two hexadecimal digits.")
        }
        let value = high << 4 | low
        guard part.mayHold(value) else {
          throw .malformedRequest("The target holds an encoded byte that is not accepted.")
        }
        result.append(value)
      case UInt8(ascii: "+") where part == .query: result.append(ASCII.space)
      default: result.append(byte)
      }
    }
    guard let text = String(validating: result, as: UTF8.self) else {
      throw .malformedRequest("The target is not UTF-8 once it is decoded.")
    }
    return text
  }
}
