import HTTP

/// The functions by which a server answers requests. They are called on the server's queue and must
/// not wait.
package struct Handler: Sendable {
  /// Answers a whole request. The responder is used once, from any thread, now or later. One that
  /// is dropped unused answers 500.
  package typealias Respond = @Sendable (Request, Responder) -> Void

  /// Is called when a head is complete, before its body is read or `100 Continue` is sent.
  package var admit: @Sendable (RequestHead, Visitor) -> Admission
  /// The answer to a request or a connection that the protocol itself refuses. The head is that of
  /// the request, where it could be read.
  package var refusal: @Sendable (Refusal, RequestHead?) -> Response

  package init(
    admit: @escaping @Sendable (RequestHead, Visitor) -> Admission,
    refusal: @escaping @Sendable (Refusal, RequestHead?) -> Response
  ) {
    self.admit = admit
    self.refusal = refusal
  }
}

/// Whether a request may go on to send its body.
package enum Admission {
  /// With a body of at most this many bytes; a longer one is refused with `bodyTooLarge`. The
  /// function answers the request once it is whole. It keeps the findings of `admit`.
  case accept(bodyLimit: Int, Handler.Respond)
  /// The request is answered at once. If a body was announced it is not read, and the connection is
  /// closed.
  case refuse(Response)
  /// The handler has to look something up, which takes time. It hands on what it finds, from any
  /// thread. Then `admit` is called again with the same head, and finds it as the visitor's
  /// attachment.
  case lookUp((@escaping @Sendable (any AnyObject & Sendable) -> Void) -> Void)
}
