/// A stream of changes that keeps none of them: the source of a network.
///
/// An observer hears the changes that are announced after it was registered. Hand out the ``inlet``
/// to code that announces, and the ``outlet`` to code that observes. The `Changes` itself does
/// both.
public final class Changes<Value: Sendable>: Announceable, ChangeStream {
  private let node: Node<Value>

  /// A source of changes, whose observers are called on the network's queue.
  public init(on network: ChangeNetwork) {
    node = Node(on: network)
  }

  /// The end that only announces.
  public var inlet: Inlet<Value> { Inlet(node) }

  /// The end that only observes.
  public var outlet: Outlet<Value> { Outlet(node) }

  /// Tells every observer of a change, in the order of the announcements.
  public func announce(_ change: Value) {
    inlet.announce(change)
  }

  /// Calls the observer with every change that is announced from now on, while the context lives.
  @discardableResult
  public func observe<Context: AnyObject & Sendable>(
    withContext context: Context, _ observer: @escaping @Sendable (Context, Value) -> Void
  ) -> ObservationHandle {
    outlet.observe(withContext: context, observer)
  }
}
