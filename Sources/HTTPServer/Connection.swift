/// A socket with its state and the bytes to send. Its loop alone touches it.
final class Connection {
  let descriptor: Int32
  let token: UInt64
  let visitor: Visitor
  /// The connection came beyond the limit. It does not count as open, and gets one answer.
  let isTurnedAway: Bool
  var state: ConnectionState
  /// Answers the request that was admitted, once it is whole.
  var respond: Handler.Respond?
  /// The events that the poller reports.
  var interest: Poller.Interest
  var stream: ResponseStream?
  var isStreamEnded = false
  var isClosed = false
  /// Until when the system may hand the rest of the last answer to the client; nil before that
  /// answer.
  var retiresBy: Duration?
  private var queue: [Outgoing] = []

  /// Bytes to send.
  struct Outgoing {
    let bytes: [UInt8]
    var offset = 0
    /// How many bytes of a stream's buffer are free once these are sent.
    var counted = 0
    var whenSent: (@Sendable () -> Void)?
  }

  init(
    _ descriptor: Int32, token: UInt64, peer: Peer, isTurnedAway: Bool,
    limits: SharedLimits, _ messages: MessageQueue
  ) {
    self.descriptor = descriptor
    self.token = token
    visitor = Visitor(peer, messages: messages, token: token)
    self.isTurnedAway = isTurnedAway
    interest = .readable
    state = ConnectionState(limits: limits)
  }

  /// Its part of `Loop.bodies`.
  var body = HeldBodies.Body()

  // MARK: Unread bytes

  /// Its part of `Statistics.bytesUnread`: bytes that wait here or in the system.
  private(set) var unread = 0
  /// When the client was last seen to have taken bytes, or to have none to take.
  private(set) var takenAt = Duration.never
  /// How many bytes the system has taken in all.
  var sent = 0
  /// How many of those the client has taken.
  private var taken = 0
  /// How many bytes wait here. An array that is sent in part counts whole, because it is kept
  /// whole.
  private var queued = 0

  /// Whether there may be bytes that the client has not taken.
  var mayBeUnread: Bool { unread > 0 || sent > taken }

  /// Counts the unread bytes anew, and answers by how much they have changed.
  func countUnread(now: Duration) -> Int {
    let held = Socket.unreadBytes(descriptor)
    if unread == 0 || sent - held > taken { takenAt = now }
    taken = sent - held
    defer { unread = queued + held }
    return queued + held - unread
  }

  /// Why the connection may be given up for another one; nil while it is busy.
  func spare(now: Duration) -> Spare? {
    if isTurnedAway { return nil }
    if retiresBy != nil { return .lingering(since: takenAt) }
    return state.spare(isStrangers: visitor.seat == nil, now: now)
  }

  var hasOutput: Bool { !queue.isEmpty }

  /// Whether a piece of its stream may be sent as a chunk at once: nothing has to go before it.
  var takesChunks: Bool { stream != nil && !hasOutput && state.takesChunks }

  func enqueue(_ outgoing: Outgoing) {
    queue.append(outgoing)
    queued += outgoing.bytes.count
  }

  /// Sends as many bytes as the system takes, and answers how many; nil for a lost connection.
  ///
  /// - Parameter whenSent: is called for each array that the system has taken whole.
  func flush(_ whenSent: (Outgoing) -> Void) -> Int? {
    var total = 0
    var first = 0
    defer { if first == queue.count { queue = [] } else { queue.removeFirst(first) } }
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
        case .later: return total
        case .failed: return nil
        }
      }
      first += 1
      queued -= item.bytes.count
      whenSent(item)
    }
    return total
  }
}
