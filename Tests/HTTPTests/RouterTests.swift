import Testing

@testable import HTTP

private let routes: [(Method, String, name: String)] = [
  (.get, "/", "root"),
  (.get, "/goals", "list"),
  (.post, "/goals", "create"),
  (.get, "/goals/{id}", "goal"),
  (.delete, "/goals/{id}", "delete"),
  (.get, "/goals/{id}/history", "history"),
  (.get, "/goals/active", "active"),
  (.get, "/goals/{goal}/bumps/{bump}", "bump"),
  (.options, "/own", "options"),
  (.head, "/own", "head"),
  (.get, "/zones/list", "zones"),
  (.get, "/zones/{+name}", "zone"),
]
private let router = Router(routes.map { ($0.0, $0.1) })

private func found(_ method: Method, _ path: String) -> String? {
  guard let target = Target(path, slashesBelow: "/zones/") else { return nil }
  return switch router.match(RequestHead(method: method, target: target)) {
  case .found(let index, let parameters): ([routes[index].name] + parameters).joined(separator: " ")
  case .options(let allow): "options \(Method.allow(allow))"
  case .methodNotAllowed(let allow): "405 \(Method.allow(allow))"
  case .notFound: "404"
  }
}

@Suite("A route")
struct RouterTests {
  @Test(
    "is found by method and path",
    arguments: [
      (Method.get, "/", "root"), (.get, "/goals", "list"), (.post, "/goals", "create"),
      (.get, "/goals/7", "goal 7"), (.get, "/goals/a%20b", "goal a b"),
      (.delete, "/goals/7", "delete 7"), (.get, "/goals/7/history", "history 7"),
      (.get, "/goals/7/bumps/8", "bump 7 8"), (.get, "/x/../goals", "list"),
      // A literal is preferred, and left again where it leads nowhere.
      (.get, "/goals/active", "active"), (.get, "/goals/active/history", "history active"),
      // A parameter for all that is left takes every segment, and encoded slashes.
      (.get, "/zones/UTC", "zone UTC"), (.get, "/zones/a/b/c", "zone a/b/c"),
      (.get, "/zones/a%2Fb", "zone a/b"), (.get, "/zones/a%2F../c", "zone a/../c"),
      (.get, "/zones/list", "zones"), (.get, "/zones/list/a", "zone list/a"),
      (.get, "/zones/a/", "zone a/"),
      // HEAD wherever GET is.
      (.head, "/goals/7", "goal 7"), (.head, "/own", "head"),
    ])
  func found(method: Method, path: String, route: String) {
    #expect(HTTPTests.found(method, path) == route)
  }

  @Test(
    "is not found for another path",
    arguments: [
      "/x", "/goals/", "/goals//history", "/goals/7/", "//", "/goals/7/x", "/Goals", "/zones",
      "/zones/", "/zones//a",
    ])
  func notFound(path: String) {
    #expect(HTTPTests.found(.get, path) == "404")
    #expect(HTTPTests.found(.options, path) == "404")
  }

  @Test(
    "tells exactly the methods of its path",
    arguments: [
      (Method.put, "/goals", "405 GET, HEAD, POST, OPTIONS"),
      (.trace, "/goals", "405 GET, HEAD, POST, OPTIONS"), (.query, "/own", "405 HEAD, OPTIONS"),
      (.post, "/goals/7", "405 GET, HEAD, DELETE, OPTIONS"), (.get, "/own", "405 HEAD, OPTIONS"),
      (.options, "/goals", "options GET, HEAD, POST, OPTIONS"), (.options, "/own", "options"),
      (.options, "*", "options GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"),
    ])
  func methods(method: Method, path: String, expected: String) throws {
    if path == "*" {
      let target = try #require(Target("*", method: .options))
      guard
        case .options(let allow) = router.match(RequestHead(method: .options, target: target))
      else {
        Issue.record("The asterisk is not answered.")
        return
      }
      #expect("options \(Method.allow(allow))" == expected)
    } else {
      #expect(HTTPTests.found(method, path) == expected)
    }
  }

  @Test("is not found by a path of thousands of segments, without harm")
  func deep() {
    #expect(HTTPTests.found(.get, "/goals" + String(repeating: "/a", count: 4000)) == "404")
  }
}

@Suite("A server-sent event")
struct ServerSentEventTests {
  private func text(_ block: [UInt8]) -> String { String(decoding: block, as: UTF8.self) }

  @Test("is a block of lines that an empty line ends")
  func block() {
    #expect(
      text(ServerSentEvent.block(type: "edit", data: "{}", id: "7"))
        == "id: 7\nevent: edit\ndata: {}\n\n")
    #expect(text(ServerSentEvent.block(data: "", id: "7")) == "id: 7\ndata:\n\n")
    #expect(text(ServerSentEvent.block(id: "7")) == "id: 7\n\n")
  }

  @Test("has its data cut where a client sees a line end")
  func lines() {
    #expect(
      text(ServerSentEvent.block(data: "a\nb\r\nc\rd\n"))
        == "data: a\ndata: b\ndata: c\ndata: d\ndata:\n\n")
    #expect(text(ServerSentEvent.block(data: " a")) == "data:  a\n\n")
  }

  @Test("cannot be split by its id or type")
  func injection() {
    #expect(
      text(ServerSentEvent.block(type: "a\ndata: x", id: "b\r\n\0\nc"))
        == "id: b\nid: \0\nid: c\nevent: a\nevent: data: x\n\n")
  }

  @Test("may be a comment")
  func comment() {
    #expect(text(ServerSentEvent.block(comment: "here")) == ": here\n\n")
    #expect(text(ServerSentEvent.block(comment: "")) == ":\n\n")
  }
}
