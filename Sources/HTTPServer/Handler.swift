import HTTP

/// What a server does with requests. All of it is called on the server's queue and must not wait.
package struct Handler: Sendable {
  /// Answers a whole request. The responder is used once, from any thread, now or later; one that is
  /// dropped unused answers 500.
  package typealias Respond = @Sendable (Request, Responder) -> Void

  /// When a head is complete, and before its body is read or `100 Continue` is sent.
  package var admit: @Sendable (RequestHead, Visitor) -> Admission
  /// The answer to a request, or a connection, that the protocol itself refuses; with the head of the
  /// request, where that could be read.
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
package enum Admission: Sendable {
  /// A body of at most this many bytes; a longer one is refused with `bodyTooLarge`. What was found out
  /// from the head goes on in the function that answers the request once it is whole.
  case accept(bodyLimit: Int, Handler.Respond)
  /// Answered at once. If a body was announced it is not read, and the connection is closed.
  case refuse(Response)
}
