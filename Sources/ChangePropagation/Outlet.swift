/// A stream of changes that can only be observed: the observing end of ``Changes``, or a stream
/// that `map`, `filter` or `merge` makes. It keeps the stream alive.
public struct Outlet<Value: Sendable>: ChangeStream {
  let node: Node<Value>

  init(_ node: Node<Value>) {
    self.node = node
  }

  /// Itself.
  public var outlet: Outlet<Value> { self }

  /// Calls the observer with every change that is announced from now on, while the context lives.
  @discardableResult
  public func observe<Context: AnyObject & Sendable>(
    withContext context: Context, _ observer: @escaping @Sendable (Context, Value) -> Void
  ) -> ObservationHandle {
    node.network.sync { node.listen(withContext: context, observer) }
  }
}
