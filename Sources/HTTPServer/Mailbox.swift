import Synchronization

/// What other threads hand to a server's loop. However many messages come while the loop is awake,
/// or before it wakes, it is woken once.
final class Mailbox<Message: Sendable>: Sendable {
  private struct State {
    var messages: [Message] = []
    /// The loop will look before it sleeps.
    var isAwake = false
    var isClosed = false
  }

  private let state = Mutex(State())
  private let wake: @Sendable () -> Void

  init(wake: @escaping @Sendable () -> Void) {
    self.wake = wake
  }

  /// Answers false when the mailbox is closed, and nobody will read the message.
  @discardableResult
  func post(_ message: Message) -> Bool {
    let (isTaken, mustWake) = state.withLock { state in
      guard !state.isClosed else { return (false, false) }
      state.messages.append(message)
      defer { state.isAwake = true }
      return (true, !state.isAwake)
    }
    if mustWake { wake() }
    return isTaken
  }

  /// Takes no more, and answers what is left.
  func close() -> [Message] {
    state.withLock { state in
      state.isClosed = true
      defer { state.messages = [] }
      return state.messages
    }
  }

  /// All that has come. Where there is nothing, the loop has leave to sleep.
  func take() -> [Message] {
    state.withLock { state in
      state.isAwake = !state.messages.isEmpty
      let messages = state.messages
      state.messages = []
      return messages
    }
  }

  /// The loop has begun to work, and will take before it sleeps.
  func awake() {
    state.withLock { $0.isAwake = true }
  }
}
