/// An object by which a handler counts a connection.
package protocol Seat: AnyObject, Sendable {
  /// The number of the connection's holder. All connections of a holder share the memory for bodies
  /// (see `HeldBodies`).
  var holder: UInt64 { get }
}

/// The client of one connection, as a handler knows it. Confined to the server's queue.
package final class Visitor {
  package let peer: Peer
  /// An object that the handler keeps for the connection's next request, until the connection ends
  /// or an answer is streamed.
  package var attachment: (any AnyObject & Sendable)?
  /// An object by which the handler counts the connection. It lasts as long as the attachment does,
  /// and until a request is answered whose client has gone.
  /// Without one the connection is a stranger's, whose slow bodies give way (see `Spare`).
  package var seat: (any Seat)?
  /// The queue of the connection's loop, and the token by which the loop knows the connection.
  private let messages: MessageQueue
  private let token: UInt64

  init(_ peer: Peer, messages: MessageQueue, token: UInt64) {
    self.peer = peer
    self.messages = messages
    self.token = token
  }

  /// A function that ends the connection, from any thread: at once, or after the answer that it
  /// waits for. A request that is not whole is answered 503.
  package var dismissal: @Sendable () -> Void {
    { [messages, token] in _ = messages.post(.dismiss(token)) }
  }
}
