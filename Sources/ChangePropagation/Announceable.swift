/// A stream on which changes can be announced: ``Changes``, and its ``Inlet``.
public protocol Announceable<Value>: Sendable {
  associatedtype Value: Sendable

  /// Tells `change` to every observer of the stream, on the queue of the network.
  ///
  /// On the queue, outside a turn, they have all been told when `announce` returns. During a turn
  /// (that is, in an observer) the announcement waits until the turn has reached everyone.
  /// Elsewhere it is handed to the queue, without waiting; announcements of one thread keep their
  /// order.
  func announce(_ change: Value)
}
