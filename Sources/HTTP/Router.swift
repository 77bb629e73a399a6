/// Finds the route of a request by its method and path.
///
/// A pattern is a path whose segments are literal, or parameters in braces that match any one
/// segment that is not empty: `/v1/goals/{id}/history`. A last parameter `{+name}` matches all
/// segments that are left, slashes included (RFC 6570 §3.2.3). A literal is preferred to a
/// parameter. HEAD is found where GET is, and OPTIONS everywhere.
package struct Router: Sendable {
  package enum Match: Sendable {
    /// The route with this index, and the values of its parameters in order.
    case found(Int, parameters: [String])
    /// OPTIONS, of a path whose routes have these methods.
    case options(allow: [Method])
    /// The routes of the path have these methods only (RFC 9110 §15.5.6).
    case methodNotAllowed(allow: [Method])
    case notFound
  }

  /// The patterns, segment by segment. There are few below each node, so they are searched one by
  /// one.
  private struct Node {
    /// The routes whose pattern ends here.
    var routes: [(method: Method, index: Int)] = []
    var literals: [(text: String, node: Int)] = []
    var parameter: Int?
    /// For all segments that are left.
    var rest: Int?

    func route(_ method: Method) -> Int? { routes.first { $0.method == method }?.index }
  }

  private var nodes = [Node()]

  /// Of two routes with the same method and pattern the first is found.
  package init(_ routes: [(method: Method, pattern: String)] = []) {
    for (index, route) in routes.enumerated() { add(route.method, route.pattern, index) }
  }

  package func match(_ head: RequestHead) -> Match {
    guard !head.target.isAsterisk else {
      return .options(allow: Method.allCases.filter(\.isOffered))
    }
    var values: [String] = []
    guard let node = find(head.target.segments[...], below: 0, &values).map({ nodes[$0] }) else {
      return .notFound
    }
    if let route = node.route(head.method) ?? (head.method == .head ? node.route(.get) : nil) {
      return .found(route, parameters: values)
    }
    let allowed = Method.allCases.filter {
      node.route($0) != nil || $0 == .options || $0 == .head && node.route(.get) != nil
    }
    return head.method == .options ? .options(allow: allowed) : .methodNotAllowed(allow: allowed)
  }

  private mutating func add(_ method: Method, _ pattern: String, _ index: Int) {
    var node = 0
    let segments = pattern.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    for segment in segments == [""] ? [] : segments {
      if segment.hasPrefix("{+"), segment.hasSuffix("}") {
        let next = nodes[node].rest ?? insert()
        nodes[node].rest = next
        node = next
      } else if segment.hasPrefix("{"), segment.hasSuffix("}") {
        let next = nodes[node].parameter ?? insert()
        nodes[node].parameter = next
        node = next
      } else if let known = nodes[node].literals.first(where: { $0.text == segment }) {
        node = known.node
      } else {
        let next = insert()
        nodes[node].literals.append((String(segment), next))
        node = next
      }
    }
    nodes[node].routes.append((method, index))
  }

  private mutating func insert() -> Int {
    nodes.append(Node())
    return nodes.count - 1
  }

  /// The node at these segments; no deeper than the deepest pattern, whatever the path.
  private func find(
    _ segments: ArraySlice<String>, below node: Int, _ values: inout [String]
  ) -> Int? {
    guard let first = segments.first else { return nodes[node].routes.isEmpty ? nil : node }
    let rest = segments.dropFirst()
    if let literal = nodes[node].literals.first(where: { $0.text == first }),
      let found = find(rest, below: literal.node, &values)
    {
      return found
    }
    guard !first.isEmpty else { return nil }
    if let parameter = nodes[node].parameter {
      values.append(first)
      if let found = find(rest, below: parameter, &values) { return found }
      values.removeLast()
    }
    guard let rest = nodes[node].rest else { return nil }
    values.append(segments.joined(separator: "/"))
    return rest
  }
}
