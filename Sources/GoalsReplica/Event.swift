import GoalsCore

extension Replica {
  /// An input of the replica.
  public struct Event: Hashable, Sendable {
    /// What has happened.
    public let kind: Kind
    /// The device's present time.
    public let now: Instant
    /// A random number from 0 to 1, so that not all devices come back in the same moment.
    public let chance: Double
    /// The recorded edits that `Replica.lookUps(for:)` names, with their chains of undo and redo,
    /// as far as the device has kept them and the log's state has them: none of a later version.
    public let known: RecordedEdits

    /// Something that has happened at an instant of the device's clock.
    public init(
      _ kind: Kind, at now: Instant, chance: Double = 0, known: RecordedEdits = RecordedEdits()
    ) {
      self.kind = kind
      self.now = now
      self.chance = chance
      self.known = known
    }

    /// What can happen.
    public enum Kind: Hashable, Sendable {
      /// What the device has kept. The first event. `clockOffset` is as it was when the server was
      /// last heard, where nobody has set the clock since. `showing` is an older state to show
      /// while the log is read from its start.
      indirect case loaded(Kept, showing: AccountState? = nil, clockOffset: Int64 = 0)
      /// The shell has a token for the server.
      case signedIn
      /// A person made these edits, in this order. An edit without `at` is made now.
      case edited([ProposedEdit])
      /// A person has seen why these were rejected.
      case dismissed([Edit.ID])
      /// The change of this number is durable, and so are all before it.
      case kept(Int)
      /// The change of this number is not durable yet, because the disk failed or is full.
      case notKept(Int)
      /// The server answered a request. `date` is the `Date` of the answer.
      case answered(Ticket, Answer, date: Instant?)
      /// The server refused a request.
      case refused(Ticket, Refusal, date: Instant?)
      /// There was no answer: it may be recorded or not.
      case unreachable(Ticket)
      /// Edits that came by themselves, and the position after them.
      case followed([LogEntry], Cursor)
      /// The log is no longer the one that is followed.
      case followReset
      /// Following has ended, or could not begin. `hadBegun` says which.
      case followEnded(hadBegun: Bool)
      /// A zone was looked up.
      case zone(ZoneName, ZoneLookup)
      /// The time that was waited for has come.
      case timePassed
      /// A person looks at the app again.
      case cameToFront
    }
  }

  /// The number of a request.
  public typealias Ticket = Int

  /// A request to the server.
  public enum Request: Hashable, Sendable {
    /// Whose token it is, and the calendar that the account began with.
    case identity
    /// Sends these edits, and reads the log on.
    case sync(after: Cursor?, edits: [ProposedEdit])
    /// Reads the log on, with a token that may not write.
    case read(after: Cursor?)
  }

  /// A successful answer to a request.
  public enum Answer: Hashable, Sendable {
    /// Whose token it is.
    case identity(Identity)
    /// The log, and what became of the edits that were sent.
    case page(Page)
  }

  /// A page of the log, and the outcomes of the edits that were sent.
  public struct Page: Hashable, Sendable {
    /// One for each edit that was sent, in order.
    public let outcomes: [Outcome]
    /// The log from the position that was asked for on, in order.
    public let entries: [LogEntry]
    /// The position after them.
    public let cursor: Cursor
    /// Whether the log goes on after them.
    public let more: Bool

    /// A page as the server sent it.
    public init(outcomes: [Outcome], entries: [LogEntry], cursor: Cursor, more: Bool) {
      self.outcomes = outcomes
      self.entries = entries
      self.cursor = cursor
      self.more = more
    }
  }

  /// An entry of the log, as the server sends it.
  public enum LogEntry: Hashable, Sendable {
    /// An edit as it is recorded.
    case edit(RecordedPayload)
    /// An edit of a type that this version of the replica does not know.
    case unknown
  }

  /// An answer that is no success, or makes no sense.
  public struct Refusal: Hashable, Sendable {
    /// The HTTP status code.
    public let status: Int
    /// The code of the problem; nil where a proxy answered.
    public let code: String?
    /// A sentence for a person.
    public let detail: String
    /// The pointers of the faults of a 422.
    public let pointers: [String]
    /// `Retry-After`, in seconds.
    public let retryAfter: Int?
    /// Outcomes that came with the refusal: of edits that were recorded before.
    public let outcomes: [Outcome]

    /// A refusal; what a proxy answers has no more than its status.
    public init(
      status: Int, code: String? = nil, detail: String = "", pointers: [String] = [],
      retryAfter: Int? = nil, outcomes: [Outcome] = []
    ) {
      self.status = status
      self.code = code
      self.detail = detail
      self.pointers = pointers
      self.retryAfter = retryAfter
      self.outcomes = outcomes
    }
  }
}
