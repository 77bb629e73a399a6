import GoalsCore
import GoalsWire
import HTTP
import JSON

/// The events of a stream of changes, as the bytes of `text/event-stream` (WHATWG HTML §9.2).
enum ChangeEvent {
  /// The cursor where a stream starts: the client has it even if nothing ever happens.
  static func start(_ cursor: Cursor) -> [UInt8] {
    ServerSentEvent.block(data: "", id: cursor.description)
  }

  /// The client's cursor is of another history. The client reads everything anew, and goes on from
  /// `head`.
  static func reset(_ head: Cursor) -> [UInt8] {
    ServerSentEvent.block(type: "reset", data: "{}", id: head.description)
  }

  /// A recorded edit, with the cursor after it.
  static func edit(_ payload: [UInt8], _ cursor: Cursor) -> [UInt8] {
    ServerSentEvent.block(
      type: "edit", data: String(decoding: payload, as: UTF8.self), id: cursor.description)
  }

  /// Periods of these goals ended. The event has no id, because it is not in the log.
  static func elapse(_ goals: [Goal.ID]) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.array("goals") { json in
        for goal in goals { json.value(goal) }
      }
    }
    return ServerSentEvent.block(
      type: "elapse", data: String(decoding: json.bytes, as: UTF8.self))
  }

  /// Shows both ends that the other is still there.
  static let heartbeat = ServerSentEvent.block(comment: "")
}
