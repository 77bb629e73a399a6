import HTTP
import TestSupport

@testable import HTTPServer

/// An answer, as a client without a socket gets it.
enum Reply: Sendable {
  case whole(Response)
  /// The head, with the first piece of the body, and what is done with the stream after it.
  case stream(Response, ResponseStream, AsyncStream<ResponseStream.Command>)
}

extension Responder {
  /// A responder of no server.
  ///
  /// - Parameters:
  ///   - seat: the visitor's.
  ///   - isAwaited: whether the client still waits.
  ///   - deliver: is given the answer.
  convenience init(
    seat: (any Seat)? = nil, isAwaited: @escaping @Sendable () -> Bool = { true },
    deliver: @escaping @Sendable (Reply) -> Void
  ) {
    let (commands, sink) = AsyncStream.makeStream(of: ResponseStream.Command.self)
    let messages = MessageQueue.handled { message in
      switch message {
      case .answer(_, .whole(let response), _): deliver(.whole(response))
      case .answer(_, .stream(let head, let stream), _): deliver(.stream(head, stream, commands))
      case .command(_, let command):
        sink.yield(command)
        if case .write = command { return }
        sink.finish()
      case .announcement(let bytes, _): sink.yield(.write(bytes, whenSent: nil))
      case .work(let work): work()
      case .inquiry(_, let tell): tell(isAwaited())
      case .adopt, .resume, .dismiss, .found, .drain: break
      }
    }
    self.init(
      streamBuffer: Limits().streamBuffer, messages: messages, token: 0, body: .init(), seat: seat)
  }
}

extension MessageQueue {
  /// A queue of no loop: its messages are handled in order on the threads that post them.
  fileprivate static func handled(
    _ handle: @escaping @Sendable (Loop.Message) -> Void
  )
    -> MessageQueue
  {
    let owner = Locked<Weak?>(nil)
    let queue = MessageQueue {
      guard let queue = owner.value?.queue else { return }
      while true {
        let messages = queue.take()
        if messages.isEmpty { return }
        for message in messages { handle(message) }
      }
    }
    owner.change { $0 = Weak(queue: queue) }
    return queue
  }

  private struct Weak: Sendable {
    weak let queue: MessageQueue?
  }
}

extension Visitor {
  /// A visitor of no server.
  convenience init(_ peer: Peer) {
    self.init(peer, messages: MessageQueue(wake: {}), token: 0)
  }
}
