import Testing

@testable import HTTP

private let router = Router<String>([
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
])

private func found(_ method: Method, _ path: String) -> String? {
  guard let target = Target(path) else { return nil }
  return switch router.match(RequestHead(method: method, target: target)) {
  case .found(let route, let parameters):
    parameters.values.isEmpty ? route : "\(route) \(parameters.values.joined(separator: " "))"
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
      // HEAD wherever GET is.
      (.head, "/goals/7", "goal 7"), (.head, "/own", "head"),
    ])
  func found(method: Method, path: String, route: String) {
    #expect(HTTPTests.found(method, path) == route)
  }

  @Test(
    "is not found for another path",
    arguments: ["/x", "/goals/", "/goals//history", "/goals/7/", "//", "/goals/7/x", "/Goals"])
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

  @Test("names the values of its parameters")
  func parameters() {
    guard case .found(_, let parameters) = router.match(.get, ["goals", "7", "bumps", "8"]) else {
      Issue.record("The route is not found.")
      return
    }
    #expect(parameters["goal"] == "7")
    #expect(parameters["bump"] == "8")
    #expect(parameters["id"] == nil)
  }

  @Test("is not found by a path of thousands of segments, without harm")
  func deep() {
    #expect(HTTPTests.found(.get, "/goals" + String(repeating: "/a", count: 4000)) == "404")
  }
}

@Suite("A server-sent event")
struct ServerSentEventTests {
  private func text(_ event: ServerSentEvent) -> String {
    String(decoding: event.bytes, as: UTF8.self)
  }

  @Test("is a block of lines that an empty line ends")
  func block() {
    #expect(
      text(ServerSentEvent(type: "edit", data: "{}", id: "7"))
        == "id: 7\nevent: edit\ndata: {}\n\n")
    #expect(text(ServerSentEvent(data: "", id: "7")) == "id: 7\ndata:\n\n")
    #expect(text(ServerSentEvent(id: "7")) == "id: 7\n\n")
  }

  @Test("has its data cut where a client sees a line end")
  func lines() {
    #expect(
      text(ServerSentEvent(data: "a\nb\r\nc\rd\n"))
        == "data: a\ndata: b\ndata: c\ndata: d\ndata:\n\n")
    #expect(text(ServerSentEvent(data: " a")) == "data:  a\n\n")
  }

  @Test("cannot be split by its id or type")
  func injection() {
    #expect(
      text(ServerSentEvent(type: "a\ndata: x", id: "b\r\n\0\nc")) == "id: bc\nevent: adata: x\n\n")
  }

  @Test("may be a comment")
  func comment() {
    #expect(ServerSentEvent.comment("here") == Array(": here\n\n".utf8))
    #expect(ServerSentEvent.comment("") == Array(":\n\n".utf8))
  }
}
