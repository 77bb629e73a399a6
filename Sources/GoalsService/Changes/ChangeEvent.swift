import GoalsCore
import GoalsWire
import HTTP
import JSON

/// What a stream of changes tells, as the bytes of `text/event-stream` (WHATWG HTML §9.2).
enum ChangeEvent {
  /// The place where a stream starts: the client has it even if nothing ever happens.
  static func start(_ cursor: Cursor) -> [UInt8] {
    ServerSentEvent(data: "", id: cursor.description).bytes
  }

  /// The client's place is of another history: it reads everything anew, and goes on from here.
  static func reset(_ head: Cursor) -> [UInt8] {
    ServerSentEvent(type: "reset", data: "{}", id: head.description).bytes
  }

  /// A recorded edit, with the place after it.
  static func edit(_ payload: [UInt8], _ cursor: Cursor) -> [UInt8] {
    ServerSentEvent(
      type: "edit", data: String(decoding: payload, as: UTF8.self), id: cursor.description
    ).bytes
  }

  /// Periods of these goals ended. It has no id: it is no place in the log.
  static func elapse(_ goals: [Goal.ID]) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.array("goals") { json in
        for goal in goals { json.value(goal) }
      }
    }
    return ServerSentEvent(
      type: "elapse", data: String(decoding: json.bytes, as: UTF8.self)
    ).bytes
  }

  /// Shows both ends that the other is still there.
  static let heartbeat = ServerSentEvent.comment("")
}
