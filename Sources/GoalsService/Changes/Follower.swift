import GoalsCore

/// The way of a stream from its version to the head, and along with it, as a state machine. It is
/// told which edits were read, sent and announced, and answers the next step, so that every edit is
/// written once and in order.
///
/// Its owner registers it for announcements first, and then looks for the head: an edit that is
/// committed meanwhile is either read or announced.
struct Follower: Sendable {
  enum Step: Hashable, Sendable {
    /// Nothing: the next edits are announced.
    case rest
    /// Read the log after this version, and call `read`.
    case read(after: Version)
    /// Write the edits that were read, and call `sent` once the client has taken them.
    case send
    /// Write the announced edits without so many at their beginning.
    case tell(dropping: Int)
  }

  private enum Phase: Equatable {
    /// The log is read, up to a version that was known when that began.
    case reading(upTo: Version)
    case sending, live
  }

  /// The last edit that was written, or is being.
  private(set) var version: Version
  private var phase: Phase
  /// The last edit that is known to be in the log.
  private var known: Version

  /// Whether the client has yet to take the edits that were read.
  var isSending: Bool { phase == .sending }

  /// Whether the log had no edit when it was read.
  var hasSeenEmptyLog: Bool { phase == .live && version == .none }

  init(at version: Version) {
    self.version = version
    known = version
    phase = .reading(upTo: version)
  }

  /// It is registered, and this is the head; nil where the head is not in memory.
  mutating func joined(head: Version?) -> Step {
    guard let head else { return .read(after: version) }
    known = max(known, head)
    return goOn()
  }

  /// The log was read, up to `last`, if there was anything, while its head was here.
  mutating func read(upTo last: Version?, head: Version) -> Step {
    if last == nil, phase == .reading(upTo: known), head <= version {
      // A database that lost its last commits has no longer what was known. Nothing was announced
      // since, so to read again would find nothing again.
      known = version
    }
    known = max(known, head)
    // NB: more may have been announced since.
    guard let last, last > version else { return goOn() }
    version = last
    phase = .sending
    return .send
  }

  /// The client has taken the edits that were read.
  mutating func sent() -> Step { goOn() }

  /// Edits with these versions were committed.
  ///
  /// - Parameter isLong: whether they are too much to be written at once: then they are read from
  ///   the log, each page once the one before was taken.
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

  /// The log has edits up to here, which nobody announced: another server recorded them.
  mutating func learned(head: Version) -> Step {
    known = max(known, head)
    switch phase {
    // NB: what is being read or sent goes on from there by itself. Reading it twice tells it twice.
    case .reading, .sending: return .rest
    case .live: return goOn()
    }
  }

  private mutating func goOn() -> Step {
    if known <= version {
      phase = .live
      return .rest
    }
    phase = .reading(upTo: known)
    return .read(after: version)
  }
}
