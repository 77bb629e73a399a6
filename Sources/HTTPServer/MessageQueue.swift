import Synchronization

/// The messages of other threads to a server's loop, in order. However many come while the loop is
/// awake, or before it wakes, it is woken once.
final class MessageQueue: Sendable {
  private struct State {
    var messages: [Loop.Message] = []
    /// The loop will look before it sleeps.
    var isAwake = false
    var isClosed = false
  }

  /// For how many messages memory is reserved at most.
  private static let reserved = 64
  private let state = Mutex(State())
  private let wake: @Sendable () -> Void

  init(wake: @escaping @Sendable () -> Void) {
    self.wake = wake
  }

  /// Answers false when the queue is closed, and the loop will not read the message.
  @discardableResult
  func post(_ message: Loop.Message) -> Bool {
    let (isTaken, mustWake) = state.withLock { state in
      guard !state.isClosed else { return (false, false) }
      state.messages.append(message)
      defer { state.isAwake = true }
      return (true, !state.isAwake)
    }
    if mustWake { wake() }
    return isTaken
  }

  /// Closes the queue to new messages, and answers those that are left.
  func close() -> [Loop.Message] {
    state.withLock { state in
      state.isClosed = true
      defer { state.messages = [] }
      return state.messages
    }
  }

  /// All messages that have come. Where there are none, the loop may sleep.
  func take() -> [Loop.Message] {
    state.withLock { state in
      let taken = state.messages
      state.isAwake = !taken.isEmpty
      state.messages = []
      // About as many come again while these are handled.
      state.messages.reserveCapacity(min(taken.count, MessageQueue.reserved))
      return taken
    }
  }

  /// Tells that the loop has begun to work, and will take messages before it sleeps.
  func awake() {
    state.withLock { $0.isAwake = true }
  }
}
