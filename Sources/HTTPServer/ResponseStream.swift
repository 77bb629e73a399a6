import Synchronization

/// The body of an answer that is written piece by piece, from any thread.
///
/// Pieces that the client has not taken wait in a bounded buffer. When that would hold more than
/// its limit, the client is cut off. A writer that would rather wait for a slow client uses
/// `write(_:whenSent:)`.
package final class ResponseStream: Sendable {
  /// A call of the writer, as the server's loop gets it.
  enum Command: Sendable {
    case write([UInt8], whenSent: (@Sendable () -> Void)?)
    case end
    case cutOff
  }

  private struct State {
    /// How many bytes wait for the client.
    var waiting = 0
    var isOver = false
    var onClose: (@Sendable () -> Void)?
  }

  /// How many bytes may wait for the client.
  package let limit: Int
  /// The queue of the loop, and the token by which the loop knows the connection.
  let messages: MessageQueue
  let token: UInt64
  private let state: Mutex<State>

  init(
    limit: Int, messages: MessageQueue, token: UInt64, onClose: @escaping @Sendable () -> Void
  ) {
    self.limit = limit
    self.messages = messages
    self.token = token
    state = Mutex(State(onClose: onClose))
  }

  /// Whether it is worth writing on.
  package var isOpen: Bool { state.withLock { !$0.isOver } }

  /// Writes a piece. Answers false when the stream is over, or is over now because too many bytes
  /// wait.
  @discardableResult
  package func write(_ bytes: [UInt8]) -> Bool {
    guard !bytes.isEmpty else { return isOpen }
    guard hasRoom(for: bytes) else { return false }
    post(.write(bytes, whenSent: nil))
    return true
  }

  /// How many streams one announcement is for: while it is sent, the streams of the next are
  /// counted.
  private static let mostTogether = 1024

  /// Writes the same piece to each of these streams, as `write(_:)` does to one, and frames it
  /// once. No stream may be there twice.
  package static func write(_ bytes: [UInt8], to streams: [ResponseStream]) {
    guard !bytes.isEmpty else { return }
    var messages: MessageQueue?
    var tokens: [UInt64] = []
    func post() {
      if !tokens.isEmpty { messages?.post(.announcement(bytes, to: tokens)) }
      tokens = []
    }
    for stream in streams where stream.hasRoom(for: bytes) {
      if stream.messages !== messages || tokens.count == mostTogether { post() }
      messages = stream.messages
      tokens.append(stream.token)
    }
    post()
  }

  /// Counts a piece among the bytes that wait, and cuts the client off where those are too many.
  /// Answers whether the piece can be written.
  private func hasRoom(for bytes: [UInt8]) -> Bool {
    state.withLock { state in
      guard !state.isOver else { return false }
      state.isOver = bytes.count > limit - state.waiting
      state.waiting += bytes.count
      if state.isOver { post(.cutOff) }
      return !state.isOver
    }
  }

  /// Writes a piece of any size, and calls back on the server's queue once the system has taken it.
  /// It does not call back when the stream ends before.
  package func write(_ bytes: [UInt8], whenSent: @escaping @Sendable () -> Void) {
    if isOpen { post(.write(bytes, whenSent: whenSent)) }
  }

  /// Ends the body after the pieces that were written.
  package func end() { finish(.end) }

  /// Breaks the body off, so that the client can tell that it is not whole.
  package func cutOff() { finish(.cutOff) }

  private func finish(_ command: Command) {
    let isFirst = state.withLock { state in
      defer { state.isOver = true }
      return !state.isOver
    }
    if isFirst { post(command) }
  }

  private func post(_ command: Command) { messages.post(.command(token, command)) }

  /// Tells that so many bytes, which `write(_:)` has counted, wait no more.
  func sent(_ bytes: Int) {
    state.withLock { $0.waiting -= bytes }
  }

  /// Tells that the stream is over: it was ended or cut off, the client is gone, the server has
  /// stopped, or the answer has no body. Only the first call counts.
  func close() {
    let onClose = state.withLock { state in
      state.isOver = true
      defer { state.onClose = nil }
      return state.onClose
    }
    onClose?()
  }
}
