import GoalsStore

/// Something that happened which whoever runs the server may want to know. It never holds a token,
/// a title or a note.
package enum Happening: Hashable, Sendable {
  case store(StoreEvent)
  /// A request was answered.
  case answered(operation: String, status: Int)
  /// A request failed in a way that should not be; its id was told to the client.
  case failed(requestID: String, operation: String)
  case started(listeners: [String])
  case draining
  case stopped
}
