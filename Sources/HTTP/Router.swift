/// Finds the route of a request by its method and path.
///
/// A pattern is a path whose segments are literal, or parameters in braces that match any one
/// segment that is not empty: `/v1/goals/{id}/history`. A literal is preferred to a parameter. HEAD
/// is answered where GET is, and OPTIONS everywhere.
package struct Router<Route: Sendable>: Sendable {
  package enum Match: Sendable {
    case found(Route, Parameters)
    /// OPTIONS, where no route has it: the methods that are there.
    case options(allow: [Method])
    /// The path is known, with these methods only (RFC 9110 §15.5.6).
    case methodNotAllowed(allow: [Method])
    case notFound
  }

  private var root = Node()

  package init() {}

  /// Of two routes with the same method and pattern the first counts.
  package init(_ routes: [(Method, String, Route)]) {
    for (method, pattern, route) in routes { add(method, pattern, route) }
  }

  package mutating func add(_ method: Method, _ pattern: String, _ route: Route) {
    var names: [String] = []
    let segments = Router.segments(pattern).map { segment -> Segment in
      guard segment.hasPrefix("{"), segment.hasSuffix("}") else { return .literal(segment) }
      names.append(String(segment.dropFirst().dropLast()))
      return .parameter
    }
    root.add(segments[...], method, Entry(route: route, names: names))
  }

  package func match(_ head: RequestHead) -> Match {
    guard head.target.form != .asterisk else {
      return .options(allow: Method.allCases.filter(\.isOffered))
    }
    return match(head.method, head.segments)
  }

  package func match(_ method: Method, _ segments: [String]) -> Match {
    var values: [String] = []
    guard let node = root.find(segments[...], &values) else { return .notFound }
    if let entry = node.entries[method] ?? (method == .head ? node.entries[.get] : nil) {
      return .found(entry.route, Parameters(names: entry.names, values: values))
    }
    return method == .options
      ? .options(allow: node.allowed) : .methodNotAllowed(allow: node.allowed)
  }

  private static func segments(_ pattern: String) -> [String] {
    let parts = pattern.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    return parts == [""] ? [] : parts.map(String.init)
  }
}

/// The values of a pattern's parameters.
package struct Parameters: Sendable, Equatable {
  package let names: [String]
  package let values: [String]

  package subscript(_ name: String) -> String? {
    guard let index = names.firstIndex(of: name), index < values.count else { return nil }
    return values[index]
  }
}

extension Router {
  private enum Segment {
    case literal(String)
    case parameter
  }

  private struct Entry: Sendable {
    let route: Route
    let names: [String]
  }

  private struct Node: Sendable {
    var entries: [Method: Entry] = [:]
    var literals: [String: Node] = [:]
    /// None or one; an array, because a struct cannot hold itself.
    var parameter: [Node] = []

    var allowed: [Method] {
      Method.allCases.filter {
        entries[$0] != nil || $0 == .options || $0 == .head && entries[.get] != nil
      }
    }

    /// As deep as the pattern has segments.
    mutating func add(_ segments: ArraySlice<Segment>, _ method: Method, _ entry: Entry) {
      switch segments.first {
      case nil: if entries[method] == nil { entries[method] = entry }
      case .literal(let text):
        literals[text, default: Node()].add(segments.dropFirst(), method, entry)
      case .parameter:
        if parameter.isEmpty { parameter.append(Node()) }
        parameter[0].add(segments.dropFirst(), method, entry)
      }
    }

    /// No deeper than the deepest pattern, whatever the path.
    func find(_ segments: ArraySlice<String>, _ values: inout [String]) -> Node? {
      guard let first = segments.first else { return entries.isEmpty ? nil : self }
      if let node = literals[first]?.find(segments.dropFirst(), &values) { return node }
      guard let node = parameter.first, !first.isEmpty else { return nil }
      values.append(first)
      if let found = node.find(segments.dropFirst(), &values) { return found }
      values.removeLast()
      return nil
    }
  }
}
