/// A stream on which changes can be announced: ``Changes``, and its ``Inlet``.
public protocol Announceable<Value>: Sendable {
  associatedtype Value: Sendable

  /// Tells `change` to every observer of the stream, on the queue of the network.
  ///
  /// For a caller on the queue, outside a turn, all observers have been told when `announce`
  /// returns. During a turn (that is, in an observer) the announcement waits until the turn has
  /// reached every observer. For a caller elsewhere the announcement is handed to the queue,
  /// without waiting; announcements of one thread keep their order.
  func announce(_ change: Value)
}
