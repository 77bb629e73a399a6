/// A stream or a value that can be observed: ``Changes``, ``Outlet`` and ``Changing``.
public protocol ChangeStream<Value>: Sendable {
  associatedtype Value: Sendable

  /// The stream of the changes from now on.
  var outlet: Outlet<Value> { get }

  /// Calls `observer` with `context` and each change, on the queue of the network, as long as
  /// `context` lives.
  ///
  /// The context is held weakly. When it is gone, the observer is not called any more, and is
  /// forgotten with the next announcement, if not before. So the observer must not hold its own
  /// context; this is why it gets the context as an argument.
  ///
  /// Observers are called in the order in which they were registered; a derived stream is one of
  /// them. An observer registered during an announcement hears the changes that the stream begins
  /// to tell after that. ``Changing`` also tells its current value, at once.
  ///
  /// The observer is registered when this returns: a caller elsewhere waits for the queue.
  @discardableResult
  func observe<Context: AnyObject & Sendable>(
    withContext context: Context, _ observer: @escaping @Sendable (Context, Value) -> Void
  ) -> ObservationHandle
}

extension ChangeStream {
  /// The network of this stream or value.
  public var network: ChangeNetwork { outlet.node.network }
}
