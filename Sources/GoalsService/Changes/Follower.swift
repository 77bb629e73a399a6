import GoalsCore

/// The way of a stream from its cursor to the head, and along with it, as a state machine. It is
/// told which edits were read, sent and announced, and answers the next step, so that every edit is
/// written once and in order.
///
/// Its owner registers it for announcements first, and then looks for the head: an edit that is
/// committed meanwhile is either read or announced.
///
/// A database whose standby took over may have lost the last edits and recorded others in their
/// place, of the same versions. So positions are compared with their chains.
struct Follower: Sendable {
  enum Step: Hashable, Sendable {
    /// Nothing: the next edits are announced.
    case rest
    /// Read the log after this version, and call `read`.
    case read(after: Version)
    /// Write the edits that were read, and call `sent` once the client has taken them.
    case send
    /// Write the announced edits.
    case tell
    /// End the stream: the log has no longer what was written. The client comes back with its
    /// cursor, and is told so.
    case end
  }

  private enum Phase: Equatable {
    /// The log is read, up to a version that was known when that began.
    case reading(upTo: Version)
    case sending, live
  }

  /// The last edit that was written, or is being.
  private(set) var cursor: Cursor
  private var phase: Phase
  /// The last edit that is known to be in the log.
  private var known: Version
  /// The end of the log that was learned last.
  private var head: Cursor?

  /// Whether the client has yet to take the edits that were read.
  var isSending: Bool { phase == .sending }

  /// Whether it has all that is known, and is told what comes.
  var isLive: Bool { phase == .live }

  init(at cursor: Cursor) {
    self.cursor = cursor
    known = cursor.version
    phase = .reading(upTo: cursor.version)
  }

  /// It is registered, and this is the head; nil where the head is not in memory.
  mutating func joined(head: Cursor?) -> Step {
    guard let head else { return .read(after: cursor.version) }
    note(head)
    return goOn()
  }

  /// The log was read after the cursor, up to `last`; nil where there was nothing. The log's head
  /// was `head` then.
  ///
  /// - Parameter start: the position after which it was read, as the log has it; nil where it does
  ///   not reach so far.
  mutating func read(from start: Cursor?, to last: Cursor?, head: Version) -> Step {
    guard start == cursor else { return .end }
    if last == nil, phase == .reading(upTo: known) {
      // A database that lost its last commits has no longer what was known. Nothing was announced
      // since, so to read again would find nothing again.
      known = cursor.version
    }
    known = max(known, head)
    // NB: more may have been announced since.
    guard let last else { return goOn() }
    cursor = last
    phase = .sending
    return .send
  }

  /// The client has taken the edits that were read.
  mutating func sent() -> Step { goOn() }

  /// Edits were committed that follow `start`, up to `last`.
  ///
  /// - Parameter isLong: whether they are too much to be written at once: then they are read from
  ///   the log, each page once the one before was taken.
  mutating func announced(from start: Cursor, to last: Cursor, isLong: Bool = false) -> Step {
    guard phase == .live, start == cursor, !isLong else {
      return learned(head: last, isPresent: false)
    }
    note(last)
    cursor = last
    return .tell
  }

  /// The log ended there.
  ///
  /// - Parameter isPresent: whether that is known to be later than all that the follower was told.
  mutating func learned(head: Cursor, isPresent: Bool) -> Step {
    note(head)
    switch phase {
    // NB: a read, or a page that is being sent, goes on from there by itself. To read the edits
    // twice would tell them twice.
    case .reading, .sending: return .rest
    case .live: return isPresent && head.version < cursor.version ? .end : goOn()
    }
  }

  private mutating func note(_ head: Cursor) {
    known = max(known, head.version)
    self.head = head
  }

  private mutating func goOn() -> Step {
    // The log has another edit in the place of the last one that was written.
    if let head, head.version == cursor.version, head != cursor { return .end }
    if known <= cursor.version {
      phase = .live
      return .rest
    }
    phase = .reading(upTo: known)
    return .read(after: cursor.version)
  }
}
