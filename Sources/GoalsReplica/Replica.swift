import GoalsCore

/// One account on one device: the server's log as far as it was read, and the person's own edits
/// that the log has not brought back yet.
///
/// A value and a state machine: `decide` takes an event and returns orders for the shell. The
/// replica asks for nothing. The time, ids, zones and recorded edits come with the event.
///
///     var replica = Replica()
///     for decision in decide(event, &replica) { shell.perform(decision) }
///     replica.shown.goals(at: replica.corrected(now), in: calendar)
public struct Replica: Hashable, Sendable {
  /// What outlives the process. Only a `Delta` changes it, and each change is ordered to be kept.
  public internal(set) var kept = Kept()
  /// The state that a person sees: the log's, with the edits of the queue folded onto it, each as
  /// the server would judge it.
  public internal(set) var shown = AccountState()
  /// What the queue is folded onto while the log is read from its start; nil where there is nothing
  /// older than the log.
  var earlier: AccountState?
  /// The edits of the queue as they are in `shown`.
  var pending = RecordedEdits()
  /// The zones that were looked up.
  public internal(set) var zones = Zones()
  /// The exchange with the server.
  var link = Link()
  /// The own edits that are not durable on the device yet, by the number of the change that holds
  /// them.
  var unkept: [Edit.ID: Int] = [:]
  /// The number of the last delta that was ordered to be kept.
  var lastDelta = 0
  /// The milliseconds by which the device's clock is behind the server's; 0 for less than a minute.
  public internal(set) var clockOffset: Int64 = 0
  /// Whether the server has told its time since this was loaded.
  public internal(set) var hasHeard = false
  /// The edits that were made now, before the server told its time, and were not sent.
  public internal(set) var guessed: Set<Edit.ID> = []

  /// A replica that waits for what the device has kept: the event `loaded`.
  public init() {}

  /// How long an own edit is kept after the log has brought it, in case a restore loses it: 30
  /// days, in milliseconds.
  public static let memory: Int64 = 30 * 86_400_000
  /// The largest number of edits in a request, until the server wants fewer.
  public static let edits = 500
  /// The difference between two clocks that is not corrected: a minute.
  static let clockTolerance: Int64 = 60_000
}

extension Replica {
  /// Whose replica it is.
  public struct Identity: Hashable, Sendable {
    /// The account that the token is of.
    public let account: Account.ID
    /// The calendar that the account began with, on which its log is folded.
    public let calendar: CalendarSettings

    /// An account, as the server names it.
    public init(account: Account.ID, calendar: CalendarSettings) {
      self.account = account
      self.calendar = calendar
    }
  }

  /// A position in the account's log, as the server wrote it. Only the server looks into it.
  public struct Cursor: Hashable, Sendable {
    /// The cursor, as it stands in a request and in an answer.
    public let text: String

    /// A cursor that the server wrote.
    public init(_ text: String) { self.text = text }
  }

  /// What a replica keeps on its device.
  public struct Kept: Hashable, Sendable {
    /// Nil before the first sign-in.
    public internal(set) var identity: Identity?
    /// The fold of the log up to the cursor.
    public internal(set) var state = AccountState()
    /// Nil for the start of the log.
    public internal(set) var cursor: Cursor?
    /// Whether the log was read to its end since it was begun.
    public internal(set) var isWhole = false
    /// The edits of this device, but for those that are forgotten.
    public internal(set) var own = OwnEdits()

    /// What a new device has.
    public init() {}

    /// What was kept: a snapshot of it, before the changes that came after it.
    public init(
      identity: Identity?, state: AccountState, cursor: Cursor?, own: OwnEdits,
      isWhole: Bool? = nil
    ) {
      self.identity = identity
      self.state = state
      self.cursor = cursor
      self.own = own
      self.isWhole = isWhole ?? (cursor != nil)
    }

    /// Applies a change. The replica and the shell that reads kept changes back both call this.
    public mutating func apply(_ delta: Delta) {
      if let identity = delta.restart {
        self.identity = identity
        state = AccountState(calendar: identity.calendar)
        cursor = nil
        isWhole = false
      }
      for edit in delta.recorded { edit.transform(&state) }
      if let cursor = delta.cursor {
        self.cursor = cursor
        if !delta.more { isWhole = true }
      }
      for edit in delta.own { own.put(edit) }
      own.remove(delta.forgotten)
    }
  }

  /// A step of what is kept. All of it becomes durable, or nothing.
  public struct Delta: Hashable, Sendable {
    /// The log begins anew, and nothing that was read of it holds any more.
    public var restart: Identity?
    /// Edits that continue the log.
    public var recorded: [RecordedEdit] = []
    /// The position after them.
    public var cursor: Cursor?
    /// Whether the log goes on after that position.
    public var more = false
    /// Own edits that are new or stand otherwise than before.
    public var own: [OwnEdit] = []
    /// Own edits that need not be kept any more.
    public var forgotten: Set<Edit.ID> = []

    /// A change of nothing.
    public init() {}

    /// Whether nothing changes.
    public var isEmpty: Bool { self == Delta() }
  }
}
