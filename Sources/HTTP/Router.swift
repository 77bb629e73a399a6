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

    package var route: Route? { if case .found(let route, _) = self { route } else { nil } }
  }

  // What is found out is the table's, which knows no routes: so no type has to be made at run time.
  private let table: RouteTable
  private let routes: [Route]

  /// Of two routes with the same method and pattern the first counts.
  package init(_ routes: [(Method, String, Route)] = []) {
    var table = RouteTable()
    for (place, (method, pattern, _)) in routes.enumerated() {
      table.add(method, pattern, place)
    }
    self.table = table
    self.routes = routes.map { $0.2 }
  }

  package func match(_ head: RequestHead) -> Match {
    guard head.target.form != .asterisk else { return .options(allow: RouteTable.methods) }
    return match(head.method, head.segments)
  }

  package func match(_ method: Method, _ segments: [String]) -> Match {
    switch table.find(method, segments) {
    case .found(let place, let parameters): .found(routes[place], parameters)
    case .otherwise(let allowed):
      method == .options ? .options(allow: allowed) : .methodNotAllowed(allow: allowed)
    case .nothing: .notFound
    }
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

/// Which route, by its place in their list, is at a path.
struct RouteTable: Sendable {
  enum Found {
    case found(Int, Parameters)
    /// There are routes, but for other methods.
    case otherwise([Method])
    case nothing
  }

  /// What a server offers anywhere.
  static let methods = Method.allCases.filter(\.isOffered)

  private struct Entry {
    let method: Method
    let route: Int
    /// Of the pattern's parameters.
    let names: [String]
  }

  /// A place in the tree of segments. There are few below each, so they are looked through.
  private struct Node {
    var entries: [Entry] = []
    var literals: [(text: String, node: Int)] = []
    var parameter: Int?

    func entry(_ method: Method) -> Entry? { entries.first { $0.method == method } }

    var allowed: [Method] {
      Method.allCases.filter {
        entry($0) != nil || $0 == .options || $0 == .head && entry(.get) != nil
      }
    }
  }

  private var nodes = [Node()]

  mutating func add(_ method: Method, _ pattern: String, _ route: Int) {
    var node = 0
    var names: [String] = []
    for segment in RouteTable.segments(pattern) {
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
    guard nodes[node].entry(method) == nil else { return }
    nodes[node].entries.append(Entry(method: method, route: route, names: names))
  }

  private mutating func insert() -> Int {
    nodes.append(Node())
    return nodes.count - 1
  }

  func find(_ method: Method, _ segments: [String]) -> Found {
    var values: [String] = []
    guard let place = find(segments[...], below: 0, &values) else { return .nothing }
    let entry = nodes[place].entry(method) ?? (method == .head ? nodes[place].entry(.get) : nil)
    guard let entry else { return .otherwise(nodes[place].allowed) }
    return .found(entry.route, Parameters(names: entry.names, values: values))
  }

  /// No deeper than the deepest pattern, whatever the path.
  private func find(
    _ segments: ArraySlice<String>, below place: Int, _ values: inout [String]
  ) -> Int? {
    guard let first = segments.first else { return nodes[place].entries.isEmpty ? nil : place }
    let rest = segments.dropFirst()
    if let literal = nodes[place].literals.first(where: { $0.text == first }),
      let found = find(rest, below: literal.node, &values)
    {
      return found
    }
    guard let parameter = nodes[place].parameter, !first.isEmpty else { return nil }
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
