/// The announcing end of ``Changes``. It may be used from anywhere, and keeps the stream alive.
public struct Inlet<Value: Sendable>: Announceable {
  private let node: Node<Value>

  init(_ node: Node<Value>) {
    self.node = node
  }

  /// Tells every observer of a change, in the order of the announcements.
  public func announce(_ change: Value) {
    node.network.announce(change, on: node)
  }
}
