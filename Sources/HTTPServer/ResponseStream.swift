import Synchronization

/// The body of an answer that is written piece by piece, from any thread.
///
/// What the client has not taken yet waits in a bounded buffer; when it would hold more than its
/// limit, the client is cut off. A producer that wants to wait for a slow client instead uses
/// `write(_:whenSent:)`.
package final class ResponseStream: Sendable {
  /// Why a stream is over.
  package enum End: Sendable, Equatable {
    /// `end()` was called.
    case ended
    /// The client went away, the server was stopped, or there was nobody to send a body to.
    case gone
    /// The client did not read fast enough, or there was no more to give it.
    case cutOff
  }

  /// What a writer asked for, handed on in order.
  package enum Command: Sendable {
    case write([UInt8], whenSent: (@Sendable () -> Void)?)
    case end
    case cutOff
  }

  /// Who performs the commands.
  private enum Sink {
    /// The loop that reads this queue, and knows the stream by the token.
    case server(MessageQueue, UInt64)
    case other(@Sendable (Command) -> Void)

    func take(_ command: Command) {
      switch self {
      case .server(let messages, let token): messages.post(.command(token, command))
      case .other(let perform): perform(command)
      }
    }
  }

  private struct State {
    var waiting = 0
    var isOver = false
    /// Commands from before the server took the stream.
    var early: [Command] = []
    var sink: Sink?
    var onClose: (@Sendable (End) -> Void)?
  }

  /// How many bytes may wait.
  package let limit: Int
  private let state: Mutex<State>

  package init(limit: Int, onClose: @escaping @Sendable (End) -> Void) {
    self.limit = limit
    state = Mutex(State(onClose: onClose))
  }

  /// Whether it is worth writing on.
  package var isOpen: Bool { state.withLock { !$0.isOver } }

  /// Answers false when the stream is over, or is now, because too much was waiting.
  @discardableResult
  package func write(_ bytes: [UInt8]) -> Bool {
    guard !bytes.isEmpty else { return isOpen }
    return state.withLock { state in
      guard !state.isOver else { return false }
      count(bytes, &state)
      issue(state.isOver ? .cutOff : .write(bytes, whenSent: nil), &state)
      return !state.isOver
    }
  }

  /// How many streams are told of at once: while the first of many are sent to, the next are counted.
  private static let mostTogether = 1024

  /// Writes the same piece to each of these streams, no two of them the same, as `write(_:)` does to one:
  /// what is common to all is done once.
  package static func write(_ bytes: [UInt8], to streams: [ResponseStream]) {
    guard !bytes.isEmpty else { return }
    var messages: MessageQueue?
    var tokens: [UInt64] = []
    func post() {
      if !tokens.isEmpty { messages?.post(.announcement(bytes, to: tokens)) }
      tokens = []
    }
    for stream in streams {
      guard let (own, token) = stream.begin(bytes) else { continue }
      if own !== messages || tokens.count == mostTogether { post() }
      messages = own
      tokens.append(token)
    }
    post()
  }

  /// Counts a piece, and answers which loop is to be told of it; nil where nobody is, or was.
  private func begin(_ bytes: [UInt8]) -> (MessageQueue, UInt64)? {
    state.withLock { state in
      guard !state.isOver else { return nil }
      count(bytes, &state)
      if !state.isOver, case .server(let messages, let token) = state.sink {
        return (messages, token)
      }
      issue(state.isOver ? .cutOff : .write(bytes, whenSent: nil), &state)
      return nil
    }
  }

  private func count(_ bytes: [UInt8], _ state: inout State) {
    state.isOver = bytes.count > limit - state.waiting
    state.waiting += bytes.count
  }

  /// Writes a piece of any size, and calls back on the server's queue once the system has taken it:
  /// time for the next one. It is not called when the stream ends before.
  package func write(_ bytes: [UInt8], whenSent: @escaping @Sendable () -> Void) {
    state.withLock { state in
      guard !state.isOver else { return }
      issue(.write(bytes, whenSent: whenSent), &state)
    }
  }

  /// Ends the body after what was written.
  package func end() {
    state.withLock { state in
      guard !state.isOver else { return }
      state.isOver = true
      issue(.end, &state)
    }
  }

  /// Breaks the body off, so that whoever reads it can tell that it is not whole.
  package func cutOff() {
    state.withLock { state in
      guard !state.isOver else { return }
      state.isOver = true
      issue(.cutOff, &state)
    }
  }

  /// Hands every command, earlier ones first, to whoever performs it in the server's place, in a test. It
  /// is called under the stream's lock, so it must only pass the command on.
  package func attach(_ sink: @escaping @Sendable (Command) -> Void) {
    attach(.other(sink))
  }

  /// Hands every command, earlier ones first, to the loop that knows the stream by this token.
  func attach(_ messages: MessageQueue, _ token: UInt64) {
    attach(.server(messages, token))
  }

  private func attach(_ sink: Sink) {
    state.withLock { state in
      for command in state.early { sink.take(command) }
      state.early = []
      state.sink = sink
    }
  }

  /// Tells that this many bytes of plain writes wait no more.
  package func sent(_ bytes: Int) {
    state.withLock { $0.waiting -= bytes }
  }

  /// Ends it from the reader's side; only the first call counts.
  package func close(_ end: End) {
    let onClose = state.withLock { state in
      state.isOver = true
      state.early = []
      state.sink = nil
      defer { state.onClose = nil }
      return state.onClose
    }
    onClose?(end)
  }

  private func issue(_ command: Command, _ state: inout State) {
    if let sink = state.sink {
      sink.take(command)
    } else {
      state.early.append(command)
    }
  }
}
