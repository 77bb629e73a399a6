import HTTP
import Synchronization

/// Answers one request, once: whatever is sent after the first answer is dropped. If it goes without
/// having been used, the answer is 500.
package final class Responder: Sendable {
  /// An answer as a handler gives it.
  package enum Answer: Sendable {
    case whole(Response)
    /// The head, with the first piece of the body, and the stream of the others.
    case stream(Response, ResponseStream)
  }

  private enum Destination {
    /// The loop that reads this queue. It knows the connection by the token, and with the answer lets go of
    /// so many bytes of the request's body.
    case server(MessageQueue, UInt64, body: Int)
    case other(isAwaited: @Sendable () -> Bool, @Sendable (Answer) -> Void)
  }

  /// Who asked.
  package let peer: Peer
  private let streamBuffer: Int
  private let destination: Destination
  private let isUsed = Atomic(false)

  /// - Parameters:
  ///   - streamBuffer: see `Limits.streamBuffer`.
  ///   - messages: the queue of the server's loop.
  ///   - token: by which the loop knows the connection.
  ///   - body: how many bytes the request's body has.
  init(
    peer: Peer, streamBuffer: Int, messages: MessageQueue, token: UInt64, body: Int
  ) {
    self.peer = peer
    self.streamBuffer = streamBuffer
    destination = .server(messages, token, body: body)
  }

  /// One of no server, for tests.
  ///
  /// - Parameters:
  ///   - isAwaited: whether the client still waits.
  ///   - deliver: is given what was answered.
  package init(
    peer: Peer = .unix, isAwaited: @escaping @Sendable () -> Bool = { true },
    deliver: @escaping @Sendable (Answer) -> Void
  ) {
    self.peer = peer
    streamBuffer = 262_144
    destination = .other(isAwaited: isAwaited, deliver)
  }

  deinit {
    if !isUsed.load(ordering: .relaxed) { use(.whole(Response(.internalServerError))) }
  }

  /// Has the server's queue do something: what makes an answer there costs nothing where it was found.
  /// Without a server it is done at once.
  package func onServersQueue(_ work: @escaping @Sendable () -> Void) {
    switch destination {
    case .server(let messages, _, _): messages.post(.work(work))
    case .other: work()
    }
  }

  /// Tells, on the server's queue, whether the client still waits for the answer: not if its connection is
  /// lost, or it has ended its side of it. Of the two the system tells no difference before something is
  /// sent, so this is asked for what takes long, and not for other answers.
  package func askIfAwaited(_ tell: @escaping @Sendable (Bool) -> Void) {
    switch destination {
    case .server(let messages, let token, _):
      if !messages.post(.inquiry(token, tell)) { tell(false) }
    case .other(let isAwaited, _): tell(isAwaited())
    }
  }

  package func send(_ response: Response) { use(.whole(response)) }

  /// Begins an answer whose body comes piece by piece; the body of `head` is its first piece.
  ///
  /// - Parameter onClose: is called once when the stream is over, on the server's queue. If the
  ///   responder was used before, or the request was HEAD, that is at once.
  package func stream(
    _ head: Response, onClose: @escaping @Sendable (ResponseStream.End) -> Void = { _ in }
  ) -> ResponseStream {
    let stream = ResponseStream(limit: streamBuffer, onClose: onClose)
    if !use(.stream(head, stream)) { stream.close(.gone) }
    return stream
  }

  @discardableResult
  private func use(_ answer: Answer) -> Bool {
    guard !isUsed.exchange(true, ordering: .acquiringAndReleasing) else { return false }
    switch destination {
    case .server(let messages, let token, let body):
      // It is posted before any command of its stream, and the queue keeps the order.
      let isTaken = messages.post(.answer(token, answer, body: body))
      guard case .stream(_, let stream) = answer else { return true }
      stream.attach(messages, token)
      if !isTaken { stream.close(.gone) }
    case .other(_, let deliver): deliver(answer)
    }
    return true
  }
}
