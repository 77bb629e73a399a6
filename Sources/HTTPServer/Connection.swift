/// A socket with its state and what waits to be sent. Its loop alone touches it.
final class Connection {
  let descriptor: Int32
  let token: UInt64
  let visitor: Visitor
  /// Not counted as open: it came beyond the limit, and gets one answer.
  let isTurnedAway: Bool
  var state: ConnectionState
  /// Answers the request that was admitted, once it is whole.
  var respond: Handler.Respond?
  /// What the poller was told.
  var interest: Poller.Interest
  var stream: ResponseStream?
  var isStreamEnded = false
  var isClosed = false
  private var queue: [Outgoing] = []
  private var first = 0

  /// Bytes to send.
  struct Outgoing {
    let bytes: [UInt8]
    var offset = 0
    /// What a stream counts as waiting until this was sent.
    var counted = 0
    var whenSent: (@Sendable () -> Void)?
  }

  init(
    _ descriptor: Int32, token: UInt64, peer: Peer, isTurnedAway: Bool, limits: Limits,
    _ watchLimits: WatchLimits, _ mailbox: Mailbox<Loop.Message>
  ) {
    self.descriptor = descriptor
    self.token = token
    visitor = Visitor(peer, of: (mailbox, token))
    self.isTurnedAway = isTurnedAway
    interest = .readable
    state = ConnectionState(limits: limits, watchLimits)
  }

  /// What it counts among the bytes of bodies.
  var bodyBytes = 0

  var hasOutput: Bool { first < queue.count }

  /// Whether a piece of its stream may be sent as a chunk at once: nothing has to go before it.
  var takesChunks: Bool { stream != nil && !hasOutput && state.takesChunks }

  func enqueue(_ outgoing: Outgoing) {
    queue.append(outgoing)
  }

  /// Sends what the system takes, and answers how many bytes that was, or nil for a lost connection.
  ///
  /// - Parameter sent: is called for each part that was taken whole.
  func flush(_ sent: (Outgoing) -> Void) -> Int? {
    var total = 0
    while first < queue.count {
      let item = queue[first]
      if item.offset < item.bytes.count {
        let more = first + 1 < queue.count
        switch Socket.send(descriptor, item.bytes, from: item.offset, more: more) {
        case .bytes(let count):
          total += count
          queue[first].offset += count
          if item.offset + count < item.bytes.count { continue }
        case .later:
          dropSent()
          return total
        case .failed: return nil
        }
      }
      first += 1
      sent(item)
    }
    queue = []
    first = 0
    return total
  }

  /// Forgets what was sent, once it is the larger part: a queue that is never empty must not grow.
  private func dropSent() {
    guard first > 16, first > queue.count / 2 else { return }
    queue.removeFirst(first)
    first = 0
  }
}
