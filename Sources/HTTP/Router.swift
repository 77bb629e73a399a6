/// Finds the route of a request by its method and path.
///
/// A pattern is a path whose segments are literal, or parameters in braces that match any one
/// segment that is not empty: `/v1/goals/{id}/history`. A literal is preferred to a parameter. HEAD
/// is found where GET is, and OPTIONS everywhere.
package struct Router<Route: Sendable>: Sendable {
  package enum Match: Sendable {
    case found(Route, Parameters)
    /// OPTIONS, of a path whose routes have these methods.
    case options(allow: [Method])
    /// The routes of the path have these methods only (RFC 9110 §15.5.6).
    case methodNotAllowed(allow: [Method])
    case notFound

    package var route: Route? { if case .found(let route, _) = self { route } else { nil } }
  }

  // The tree holds no routes, so that it is not generic: no type has to be made at run time.
  private var tree = RouteTree()
  private let routes: [Route]

  /// Of two routes with the same method and pattern the first is found.
  package init(_ routes: [(Method, String, Route)] = []) {
    self.routes = routes.map { $0.2 }
    for (index, (method, pattern, _)) in routes.enumerated() { tree.add(method, pattern, index) }
  }

  package func match(_ head: RequestHead) -> Match {
    guard !head.target.isAsterisk else {
      return .options(allow: Method.allCases.filter(\.isOffered))
    }
    return match(head.method, head.segments)
  }

  package func match(_ method: Method, _ segments: [String]) -> Match {
    var values: [String] = []
    guard let node = tree.find(segments[...], below: 0, &values) else { return .notFound }
    if let leaf = tree.leaf(node, method) ?? (method == .head ? tree.leaf(node, .get) : nil) {
      return .found(routes[leaf.route], Parameters(names: leaf.names, values: values))
    }
    let allowed = tree.methods(node)
    return method == .options ? .options(allow: allowed) : .methodNotAllowed(allow: allowed)
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

/// The patterns of routes, segment by segment.
struct RouteTree: Sendable {
  /// Where a pattern ends.
  struct Leaf {
    let method: Method
    /// The index of the route.
    let route: Int
    /// Of the pattern's parameters.
    let names: [String]
  }

  /// There are few below each, so they are searched one by one.
  private struct Node {
    var leaves: [Leaf] = []
    var literals: [(text: String, node: Int)] = []
    var parameter: Int?
  }

  private var nodes = [Node()]

  func leaf(_ node: Int, _ method: Method) -> Leaf? {
    nodes[node].leaves.first { $0.method == method }
  }

  func methods(_ node: Int) -> [Method] {
    Method.allCases.filter {
      leaf(node, $0) != nil || $0 == .options || $0 == .head && leaf(node, .get) != nil
    }
  }

  mutating func add(_ method: Method, _ pattern: String, _ route: Int) {
    var node = 0
    var names: [String] = []
    for segment in RouteTree.segments(pattern) {
      if segment.hasPrefix("{"), segment.hasSuffix("}") {
        names.append(String(segment.dropFirst().dropLast()))
        let next = nodes[node].parameter ?? insert()
        nodes[node].parameter = next
        node = next
      } else if let known = nodes[node].literals.first(where: { $0.text == segment }) {
        node = known.node
      } else {
        let next = insert()
        nodes[node].literals.append((segment, next))
        node = next
      }
    }
    guard leaf(node, method) == nil else { return }
    nodes[node].leaves.append(Leaf(method: method, route: route, names: names))
  }

  private mutating func insert() -> Int {
    nodes.append(Node())
    return nodes.count - 1
  }

  /// The node at these segments; no deeper than the deepest pattern, whatever the path.
  func find(_ segments: ArraySlice<String>, below node: Int, _ values: inout [String]) -> Int? {
    guard let first = segments.first else { return nodes[node].leaves.isEmpty ? nil : node }
    let rest = segments.dropFirst()
    if let literal = nodes[node].literals.first(where: { $0.text == first }),
      let found = find(rest, below: literal.node, &values)
    {
      return found
    }
    guard let parameter = nodes[node].parameter, !first.isEmpty else { return nil }
    values.append(first)
    if let found = find(rest, below: parameter, &values) { return found }
    values.removeLast()
    return nil
  }

  private static func segments(_ pattern: String) -> [String] {
    let parts = pattern.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    return parts == [""] ? [] : parts.map(String.init)
  }
}
