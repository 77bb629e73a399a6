/// What can be observed: ``Changes``, ``Outlet`` and ``Changing``.
public protocol Observable<Value>: Sendable {
  associatedtype Value: Sendable

  /// The stream of what is told from now on.
  var outlet: Outlet<Value> { get }

  /// Has `observer` called, on the queue of the network, with `context` and each change, as long as
  /// `context` lives.
  ///
  /// The context is held weakly. When it is gone, so is the observation: the observer is not called
  /// any more, and is forgotten with the next announcement, if not before. It must therefore not
  /// hold its own context; that is why it is handed in.
  ///
  /// Observers are called in the order in which they were registered, derived streams among them.
  /// One registered in the midst of an announcement hears what the stream begins to tell after
  /// that. ``Changing`` also tells its current value, at once.
  ///
  /// When it returns the observer is registered: a caller elsewhere waits for the queue.
  @discardableResult
  func observe<Context: AnyObject & Sendable>(
    withContext context: Context, _ observer: @escaping @Sendable (Context, Value) -> Void
  ) -> Observation
}

extension Observable {
  /// The network on which this lives.
  public var network: Network { outlet.node.network }
}
