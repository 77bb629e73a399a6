import GoalsCore
import GoalsStore
import GoalsWire
import HTTP

/// The operation that goes on.
extension Exchange {
  func followChanges() throws(Problem) -> Inquiry {
    var query = query
    let last = lastEventID
    // It wins: an `EventSource` comes back to the address that it was made with (WHATWG HTML §9.2.3).
    let cursor: Cursor? = if case .valid(let id?) = last { id } else { query.cursor("after") }
    _ = try valid(query.finish(()).and(last))
    return Inquiry(
      message: .changes(.follow(try caller(), after: cursor)),
      streaming: { reply in
        guard case .following(let following) = reply else { return nil }
        return Streamed(
          head: Response(
            .ok,
            fields: [
              .contentType: "text/event-stream", .cacheControl: "no-store",
              "X-Accel-Buffering": "no", "X-Content-Type-Options": "nosniff",
            ], body: following.firstEvent),
          begin: { following.begin($0) }, ended: following.end)
      })
  }

  /// The place that a client has come to; nil where it has none, or says nothing.
  private var lastEventID: Validated<Cursor?> {
    let ids = request.fields.values("Last-Event-ID")
    guard let id = ids.first, !(ids.count == 1 && id.isEmpty) else { return .valid(nil) }
    guard ids.count == 1, let cursor = Cursor(id) else {
      return .invalid([Fault(pointer: "/Last-Event-ID", detail: "a cursor is expected")])
    }
    return .valid(cursor)
  }
}
