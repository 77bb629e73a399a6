import HTTP
import Synchronization

/// Answers one request, once: a second answer is dropped. A responder that is dropped unused
/// answers 500.
package final class Responder: Sendable {
  /// An answer as the server's loop gets it.
  enum Answer: Sendable {
    case whole(Response)
    /// The head, with the first piece of the body, and the stream of the others.
    case stream(Response, ResponseStream)
  }

  private let streamBuffer: Int
  private let messages: MessageQueue
  private let token: UInt64
  private let body: HeldBodies.Body
  private let owed: Mutex<Owed>

  /// What is kept until the request is answered.
  private struct Owed {
    /// An abandoned request counts for its seat's holder as long as it makes work.
    var seat: (any Seat)?
    var isAnswered = false
  }

  /// - Parameters:
  ///   - streamBuffer: see `Limits.streamBuffer`.
  ///   - messages: the queue of the server's loop.
  ///   - token: by which the loop knows the connection.
  ///   - body: the request's, which the loop lets go of with the answer.
  ///   - seat: the visitor's.
  init(
    streamBuffer: Int, messages: MessageQueue, token: UInt64, body: HeldBodies.Body,
    seat: (any Seat)?
  ) {
    self.streamBuffer = streamBuffer
    self.messages = messages
    self.token = token
    self.body = body
    owed = Mutex(Owed(seat: seat))
  }

  deinit {
    if !owed.withLock(\.isAnswered) { use(.whole(Response(.internalServerError))) }
  }

  /// Does work on the server's queue, so that it costs the caller's queue nothing.
  package func onServersQueue(_ work: @escaping @Sendable () -> Void) {
    messages.post(.work(work))
  }

  /// Tells, on the server's queue, whether the client still waits for the answer. It does not if it
  /// has ended its side of the connection: before bytes are sent, the system cannot tell that from
  /// a lost connection. So this is for answers that take long to make, and for no others.
  package func askIfAwaited(_ tell: @escaping @Sendable (Bool) -> Void) {
    if !messages.post(.inquiry(token, tell)) { tell(false) }
  }

  package func send(_ response: Response) { use(.whole(response)) }

  /// Begins an answer whose body comes piece by piece; the body of `head` is the first piece.
  ///
  /// - Parameter onClose: is called once, on the server's queue, when the stream is over. That is
  ///   at once if the responder was used before, or the request was HEAD.
  package func stream(
    _ head: Response, onClose: @escaping @Sendable () -> Void = {}
  ) -> ResponseStream {
    let stream = ResponseStream(
      limit: streamBuffer, messages: messages, token: token, onClose: onClose)
    if !use(.stream(head, stream)) { stream.close() }
    return stream
  }

  /// Answers false when the answer is dropped, because there was one before or the server has
  /// stopped.
  @discardableResult
  private func use(_ answer: Answer) -> Bool {
    let before = owed.withLock { owed in
      defer { owed = Owed(isAnswered: true) }
      return owed
    }
    return !before.isAnswered && messages.post(.answer(token, answer, body: body))
  }
}
