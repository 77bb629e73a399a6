import HTTP

extension ConnectionState {
  /// An action to perform after an event.
  enum Action: Sendable, Equatable {
    /// Ask the handler whether this request may go on; then call `admitted` or `answered`.
    case admit(RequestHead)
    /// Hand the request to the handler; then call `answered` or `streamed`.
    case respond(Request)
    /// Ask for the answer to this refusal, of the request with this head; then call `answered`.
    case refuse(Refusal, RequestHead?)
    /// Send both, in this order; then call `flushed`.
    case send([UInt8], [UInt8])
    /// Send the beginning of an answer that goes on; then call `flushed`, `wrote` and
    /// `streamEnded`.
    case stream([UInt8])
    /// Serve other connections; then call `resumed`.
    case yield
    /// End the sending side, and read on.
    case shutDown
    case close
  }

  enum Phase {
    case reading
    /// There is input behind the last request, and other connections are served first.
    case yielding
    /// The handler was asked for an admission, or for the answer to a refusal.
    case deciding
    case answering
    case streaming
    case sending(thenCloses: Bool)
    /// The last answer was sent. Bytes that the client still sends are dropped (RFC 9112 §9.6).
    case lingering(bytes: Int)
    case closed
  }
}
