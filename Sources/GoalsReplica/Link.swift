import GoalsCore

/// The exchange with the server. Nothing of it outlives the process.
struct Link: Hashable, Sendable {
  enum Doing: Hashable, Sendable {
    case loading
    /// Nothing is under way, and the next request may be sent.
    case ready
    /// In step with the server; asks again at that time.
    case resting(until: Instant)
    case asking(Replica.Request, Replica.Ticket)
    /// Tries again at that time.
    case waiting(until: Instant, Replica.Cause)
    case stopped(Replica.Stop)
  }

  var doing = Doing.loading
  var ticket = 0
  /// How often in a row something failed.
  var failures = 0
  /// How often the log was begun anew since it was last read to its end.
  var restarts = 0
  /// Whether the token was found to be of this account.
  var isKnown = false
  /// Whether the log may have edits that were not read.
  var isBehind = true
  /// Whether the log was not read to its end since it was begun: what is shown is older than it.
  var isCatchingUp = false
  /// Whether the token may write.
  var writes = true
  /// Whether the account's log has its largest size.
  var isFull = false
  /// Whether the log has edits of unknown types.
  var isOutdated = false
  /// The edits that were sent since the last pause: each is sent once before the next.
  var sent: Set<Edit.ID> = []
  var limit = Replica.edits
  /// The zones that are being looked up.
  var zonesAsked: Set<ZoneName> = []
  var following = Following.none
  /// Whether the stream ended twice before it brought anything, so that long polls take its place.
  var pollsInstead = false
  var shortStreams = 0
  /// The time that was last ordered to be waited for.
  var alarm: Instant?
  /// When the list reads as it was last shown; nil where it could not be shown yet.
  var listed: Listed?

  /// From one instant of the server's clock to another, or to the last that there is.
  struct Listed: Hashable, Sendable {
    let from: Instant
    var until: Instant

    func holds(at now: Instant) -> Bool { from <= now && now < until }
  }

  enum Following: Hashable, Sendable {
    case none
    case begun
    /// It is begun again at that time.
    case paused(until: Instant)
  }

  /// Between two requests of a device that follows the log: 5 minutes.
  static let restFollowing: Int64 = 300_000
  /// Between two requests of a device that can't follow it: half a minute.
  static let rest: Int64 = 30_000
  /// The longest pause after failures: 5 minutes.
  static let longestPause: Int64 = 300_000
  /// The longest pause that a server is believed: an hour.
  static let longestAsked: Int64 = 3_600_000

  /// The pause after so many failures: a second, two, four, and so on, and up to a fifth more by
  /// chance.
  func pause(chance: Double, asked: Int?) -> Int64 {
    let doubled = min(1000 << Int64(min(max(failures - 1, 0), 9)), Self.longestPause)
    let wanted = min(Int64(max(asked ?? 0, 0)), Self.longestAsked / 1000) * 1000
    let pause = max(doubled, wanted)
    return pause + Int64(Double(pause) * 0.2 * min(max(chance, 0), 1))
  }
}

/// One call of `decide`.
struct Step {
  let now: Instant
  let chance: Double
  var known: RecordedEdits
  var decisions: [Replica.Decision] = []
  /// Whether the queue has to be folded onto the log's state again.
  var rebases = false
  /// Whether what a person sees has changed.
  var shows = false
  /// The only goal that has changed, where nothing else may have.
  var goal: Goal.ID?

  init(_ event: Replica.Event) {
    now = event.now
    chance = event.chance
    known = event.known
  }

  mutating func tell(_ notice: Replica.Notice) { decisions.append(.tell(notice)) }
}
