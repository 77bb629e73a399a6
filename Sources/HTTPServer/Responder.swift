import HTTP
import Synchronization

/// Answers one request, once: whatever is sent after the first answer is dropped. If no copy of it
/// is left and none was used, the answer is 500.
package struct Responder: Sendable {
  /// Who asked.
  package let peer: Peer
  private let ticket: Ticket
  private let post: @Sendable (@escaping @Sendable () -> Void) -> Void

  /// - Parameters:
  ///   - streamBuffer: see `Limits.streamBuffer`.
  ///   - post: has work done on the server's queue; left out, it is done at once.
  ///   - deliver: is given what was answered; a test's own, or the server's.
  package init(
    peer: Peer = .unix, streamBuffer: Int = 262_144,
    post: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() },
    deliver: @escaping @Sendable (Reply) -> Void
  ) {
    self.peer = peer
    self.post = post
    ticket = Ticket(streamBuffer: streamBuffer, deliver: deliver)
  }

  /// Has the server's queue do something: what makes an answer there costs nothing where it was found.
  package func onServersQueue(_ work: @escaping @Sendable () -> Void) { post(work) }

  package func send(_ response: Response) {
    ticket.use(.whole(response))
  }

  /// Begins an answer whose body comes piece by piece; the body of `head` is its first piece.
  ///
  /// - Parameter onClose: is called once when the stream is over, on the server's queue. If the
  ///   responder was used before, or the request was HEAD, that is at once.
  package func stream(
    _ head: Response, onClose: @escaping @Sendable (ResponseStream.End) -> Void = { _ in }
  ) -> ResponseStream {
    let stream = ResponseStream(limit: ticket.streamBuffer, onClose: onClose)
    if !ticket.use(.stream(head, stream)) { stream.close(.gone) }
    return stream
  }
}

/// What a handler answered.
package enum Reply: Sendable {
  case whole(Response)
  case stream(Response, ResponseStream)
}

private final class Ticket: Sendable {
  let streamBuffer: Int
  private let deliver: @Sendable (Reply) -> Void
  private let isUsed = Atomic(false)

  init(streamBuffer: Int, deliver: @escaping @Sendable (Reply) -> Void) {
    self.streamBuffer = streamBuffer
    self.deliver = deliver
  }

  deinit {
    use(.whole(Response(.internalServerError)))
  }

  @discardableResult
  func use(_ reply: Reply) -> Bool {
    guard !isUsed.exchange(true, ordering: .acquiringAndReleasing) else { return false }
    deliver(reply)
    return true
  }
}
