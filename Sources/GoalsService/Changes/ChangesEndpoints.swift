import GoalsCore
import GoalsWire
import HTTP

extension Endpoint {
  static let followChanges = Endpoint(.get, "/v1/changes", query: ["after"]) { exchange in
    var query = exchange.query
    let last = exchange.lastEventID
    // It wins: an `EventSource` comes back to the address that it was made with (WHATWG HTML
    // §9.2.3).
    let cursor: Cursor? = if case .valid(let id?) = last { id } else { query.cursor("after") }
    _ = try exchange.valid(query.finish(()).and(last))
    let completion = exchange.completing { (following: Following) in
      let hub = exchange.hub
      let head = Response(
        .ok,
        fields: [
          .contentType: "text/event-stream", .cacheControl: "no-store",
          "X-Accel-Buffering": "no", "X-Content-Type-Options": "nosniff",
        ],
        body: following.isReset
          ? ChangeEvent.reset(following.start) : ChangeEvent.start(following.start))
      // The function that a stream keeps for its end holds no more than it needs: thousands may be
      // open.
      let (number, account) = (hub.nextNumber(), following.caller.account)
      let stream = exchange.stream(head) { [hub] in hub.leave(number, of: account) }
      hub.join(following, as: number, stream)
    }
    return .changes(.follow(by: try exchange.caller, after: cursor, completion))
  }
}

extension Exchange {
  /// The cursor that a client has come to; nil where it has none, or says nothing.
  fileprivate var lastEventID: Validated<Cursor?> {
    let ids = request.fields.values("Last-Event-ID")
    guard let id = ids.first, !(ids.count == 1 && id.isEmpty) else { return .valid(nil) }
    guard ids.count == 1, let cursor = Cursor(id) else {
      return .invalid([Fault(pointer: "/Last-Event-ID", detail: "a cursor is expected")])
    }
    return .valid(cursor)
  }
}
