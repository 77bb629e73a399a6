/// Edits of one account that came in one request.
public struct Batch: Hashable, Sendable {
  /// A condition that the client sets. Unless it holds, the batch records nothing.
  public enum Precondition: Hashable, Sendable {
    /// The state has this version.
    case version(Version)
    /// The state has one of these heads. A head includes the chain, so another history with as many
    /// edits does not match.
    case anyHead([Head])
    /// The state has none of these heads.
    case noHead([Head])
    /// This goal is in the list.
    case listed(Goal.ID)
    /// This goal is not in the list; nil stands for something that always exists.
    case unlisted(Goal.ID?)
    /// All of these hold.
    indirect case all([Precondition])
  }

  /// The end of a log: its version, and the first eight bytes of its chain.
  public struct Head: Hashable, Sendable {
    /// The version of the last edit.
    public let version: Version
    /// The first eight bytes of the chain up to that edit, as a number.
    public let chainPrefix: UInt64

    /// The end of a log of this version.
    public init(version: Version, chainPrefix: UInt64) {
      self.version = version
      self.chainPrefix = chainPrefix
    }
  }

  /// How much of the account's present state the answer shows.
  public enum Shown: Hashable, Sendable {
    /// Nothing: the answer has the outcomes alone.
    case nothing
    /// Everything that needs no calendar.
    case state
    /// Progress too. Without a calendar the batch records nothing.
    case progress
  }

  /// The name of the token that the request used.
  public let device: String
  /// The edits as the request has them, in its order.
  public let proposals: [Proposal]
  /// Whether one rejected edit keeps the whole batch from being recorded.
  public let isAtomic: Bool
  /// Whether the edits are parts of one change. Once one of them is recorded, the change is made:
  /// the others changed nothing then, and are not decided again.
  public let isOneChange: Bool
  /// The condition that the client sets; nil for none.
  public let precondition: Precondition?
  /// Whether to judge the batch and record nothing.
  public let isDryRun: Bool
  /// What the answer shows of the state.
  public let shows: Shown
  /// Whether it may undo no edits but those that this device has made.
  public let undoesOnlyOwn: Bool

  /// A batch that by itself has no condition, and whose edits are decided one by one.
  public init(
    device: String, proposals: [Proposal], isAtomic: Bool = false, isOneChange: Bool = false,
    precondition: Precondition? = nil, isDryRun: Bool = false, shows: Shown = .progress,
    undoesOnlyOwn: Bool = false
  ) {
    self.device = device
    self.proposals = proposals
    self.isAtomic = isAtomic
    self.isOneChange = isOneChange
    self.precondition = precondition
    self.isDryRun = isDryRun
    self.shows = shows
    self.undoesOnlyOwn = undoesOnlyOwn
  }

  /// Whether edits that could be recorded may be left unrecorded, even where the account's calendar
  /// is available before the batch.
  var mayBeWithdrawn: Bool {
    isAtomic || isDryRun || precondition != nil || proposals.contains { $0.mayMoveZone }
  }

  /// Whether it can't be judged before the edits that it names were looked up.
  public var looksBack: Bool {
    isDryRun
      || proposals.contains { proposal in
        guard case .edit(let proposed) = proposal else { return false }
        return proposed.edit.undone != nil
      }
  }

  /// Adds the ids to look up in the log before the batch is judged: those of its edits, and those
  /// of the edits that it undoes. An id may occur more than once.
  public func addIDs(toLookUp ids: inout [Edit.ID]) {
    for proposal in proposals {
      switch proposal {
      case .edit(let proposed):
        ids.append(proposed.id)
        if let target = proposed.edit.undone { ids.append(target) }
      case .put(_, let id, _):
        ids.append(id)
      case .refused:
        break
      }
    }
  }
}

/// The decision on a batch: the outcome of each edit, and the edits to record.
///
/// A class, so that the writer hands it to the answer without a copy.
public final class Ruling: Hashable, Sendable {
  /// How the batch as a whole was decided.
  public enum Result: Hashable, Sendable {
    /// Each edit was decided by itself.
    case decided
    /// An edit of an atomic batch was rejected.
    case batchRejected
    /// The precondition does not hold. The outcomes are those of the edits recorded before.
    case versionMismatch
    /// The batch can't be decided now: a time zone that it needs is not available. There are no
    /// outcomes.
    case noCalendar
    /// The log is full, and the batch would record an edit. The outcomes are those of the edits
    /// recorded before.
    case accountFull
    /// The batch names more goals than `AccountState.maximumGoalsNamed`. There are no outcomes.
    case tooLarge
  }

  /// How the batch as a whole was decided.
  public let result: Result
  /// The outcomes, in the order of the request.
  public let outcomes: [Outcome]
  /// The edits to record, in order.
  public let recorded: [RecordedEdit]
  /// The state after the recorded edits; for a dry run or a refused batch, the state before it. Nil
  /// where the answer does not show the state.
  ///
  /// NB: While an answer holds the state, the next edit copies the parts of it that it changes.
  /// After an answer without a state the next edit changes it in place.
  public let state: AccountState?
  /// The calendar of the state, for its progress; nil where the answer shows no state, or where the
  /// time zone is not available.
  public let calendar: GoalCalendar?
  /// The version of the state, also where `state` is nil.
  public let stateVersion: Version
  /// The version after the batch; for a dry run, the version that the batch would lead to.
  public let version: Version

  init(
    on batch: Batch, result: Result = .decided, outcomes: [Outcome], recorded: [RecordedEdit] = [],
    state: AccountState, version: Version? = nil, _ zones: Zones
  ) {
    self.result = result
    self.outcomes = outcomes
    self.recorded = recorded
    self.state = batch.shows == .nothing ? nil : state
    calendar = batch.shows == .nothing ? nil : zones.calendar(state.calendar)
    stateVersion = state.version
    self.version = version ?? state.version
  }

  public static func == (left: Ruling, right: Ruling) -> Bool {
    left === right
      || left.result == right.result && left.outcomes == right.outcomes
        && left.recorded == right.recorded && left.state == right.state
        && left.calendar == right.calendar
        && left.stateVersion == right.stateVersion && left.version == right.version
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(result)
    hasher.combine(version)
  }
}
