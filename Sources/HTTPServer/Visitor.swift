/// The other end of one connection, as a handler knows it. Confined to the server's queue.
package final class Visitor {
  package let peer: Peer
  /// What the handler found out by a request and may want for the next one of the connection. It lasts as
  /// long as that, or until an answer is streamed.
  package var attachment: (any AnyObject & Sendable)?

  package init(_ peer: Peer) { self.peer = peer }
}
