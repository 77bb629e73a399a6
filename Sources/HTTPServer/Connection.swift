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
  /// Until when it is left to the system to hand over the rest, where all was said; nil where it was not.
  var retiresBy: Moment?
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
    _ watchLimits: WatchLimits, _ messages: MessageQueue
  ) {
    self.descriptor = descriptor
    self.token = token
    visitor = Visitor(peer, of: (messages, token))
    self.isTurnedAway = isTurnedAway
    interest = .readable
    state = ConnectionState(limits: limits, watchLimits)
  }

  /// What it counts among the bytes of bodies.
  var bodyBytes = 0

  // MARK: What the client has yet to take

  /// What it counts among the bytes that are unread.
  private(set) var unread = 0
  /// When it was last seen that the client had taken something, or had nothing to take.
  private(set) var takenAt = Moment.never
  /// How much the system has taken in all, and the client of that.
  var sent = 0
  private var taken = 0
  /// Of what waits here; what is begun counts whole, because it is kept whole.
  private var queued = 0

  /// Whether there may be something that the client has yet to take.
  var mayBeUnread: Bool { unread > 0 || sent > taken }

  /// Counts it anew, and answers by how much it has changed.
  func weigh(now: Moment) -> Int {
    let held = Socket.unreadBytes(descriptor)
    if unread == 0 || sent - held > taken { takenAt = now }
    taken = sent - held
    defer { unread = queued + held }
    return queued + held - unread
  }

  /// As what it may be given up for another one; nil while it is busy.
  func spare(now: Moment) -> Spare? {
    if isTurnedAway { return nil }
    return retiresBy == nil ? state.spare(now: now) : .lingering(since: takenAt)
  }

  var hasOutput: Bool { first < queue.count }

  /// Whether a piece of its stream may be sent as a chunk at once: nothing has to go before it.
  var takesChunks: Bool { stream != nil && !hasOutput && state.takesChunks }

  func enqueue(_ outgoing: Outgoing) {
    queue.append(outgoing)
    queued += outgoing.bytes.count
  }

  /// Sends what the system takes, and answers how many bytes that was, or nil for a lost connection.
  ///
  /// - Parameter whenSent: is called for each part that was taken whole.
  func flush(_ whenSent: (Outgoing) -> Void) -> Int? {
    var total = 0
    while first < queue.count {
      let item = queue[first]
      if item.offset < item.bytes.count {
        let more = first + 1 < queue.count
        switch Socket.send(descriptor, item.bytes, from: item.offset, more: more) {
        case .bytes(let count):
          total += count
          sent += count
          queue[first].offset += count
          if item.offset + count < item.bytes.count { continue }
        case .later:
          dropSent()
          return total
        case .failed: return nil
        }
      }
      first += 1
      queued -= item.bytes.count
      whenSent(item)
    }
    queue = []
    first = 0
    return total
  }

  private func dropSent() {
    queue.removeFirst(first)
    first = 0
  }
}
