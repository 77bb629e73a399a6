/// The other end of one connection, as a handler knows it. Confined to the server's queue.
package final class Visitor {
  package let peer: Peer
  /// What the handler found out by a request and may want for the next one of the connection. It lasts as
  /// long as that, or until an answer is streamed.
  package var attachment: (any AnyObject & Sendable)?
  /// By what the handler counts the connection. It lasts as long as the attachment does.
  package var place: (any AnyObject & Sendable)?
  /// Of the loop that has the connection, with the token by which it knows it.
  private let loop: (messages: MessageQueue, token: UInt64)?

  /// One of no server, for tests.
  package convenience init(_ peer: Peer) { self.init(peer, of: nil) }

  init(_ peer: Peer, of loop: (messages: MessageQueue, token: UInt64)?) {
    self.peer = peer
    self.loop = loop
  }

  /// What ends the connection, from any thread: at once, or with the answer that it waits for.
  package var dismissal: @Sendable () -> Void {
    { [loop] in _ = loop?.messages.post(.dismiss(loop?.token ?? 0)) }
  }
}
