import GoalsCore

/// The way of a stream from its place in the log to the head, and along with it, as a state
/// machine: it is told what was read, sent and announced, and says what is to be done, so that
/// every edit is written once and in order.
///
/// Its owner registers it for announcements first, and then looks where the head is: what is
/// committed meanwhile is either read or announced.
struct Follower: Sendable {
  enum Step: Hashable, Sendable {
    /// Nothing: what comes is announced.
    case rest
    /// Read the log after this place; what comes of it is told by `read`.
    case read(after: Version)
    /// Write what was read; that it was taken is told by `sent`.
    case send
    /// Write the announced edits without so many at their beginning.
    case tell(dropping: Int)
  }

  private enum Phase {
    case reading, sending, live
  }

  /// The last edit that was written, or is being.
  private(set) var version: Version
  private var phase = Phase.reading
  /// The last edit that is known to be in the log.
  private var known: Version

  /// Whether the client has yet to take what was read.
  var isSending: Bool { phase == .sending }

  init(at version: Version) {
    self.version = version
    known = version
  }

  /// It is registered, and the head is here; nil where that would have to be read.
  mutating func joined(head: Version?) -> Step {
    guard let head else { return .read(after: version) }
    known = max(known, head)
    return goOn()
  }

  /// The log was read, up to `last`, if there was anything, while its head was here.
  mutating func read(upTo last: Version?, head: Version) -> Step {
    known = max(known, head)
    // NB: more may have been announced since.
    guard let last, last > version else { return goOn() }
    version = last
    phase = .sending
    return .send
  }

  /// What was read has been taken by the client.
  mutating func sent() -> Step { goOn() }

  /// Edits with these versions were committed.
  ///
  /// - Parameter isLong: whether to write them all at once would ask too much of the client: then
  ///   they are read from the log, a page when the one before was taken.
  mutating func announced(_ first: Version, _ last: Version, isLong: Bool = false) -> Step {
    known = max(known, last)
    switch phase {
    case .reading, .sending: return .rest
    case .live:
      guard last > version else { return .rest }
      guard first <= version.next, !isLong else { return goOn() }
      defer { version = last }
      return .tell(dropping: version.number + 1 - first.number)
    }
  }

  private mutating func goOn() -> Step {
    if known <= version {
      phase = .live
      return .rest
    }
    phase = .reading
    return .read(after: version)
  }
}
