/// Edits of one account that came in one request.
public struct Batch: Hashable, Sendable {
  /// What the client believes of the account, without which nothing is to be recorded.
  public enum Precondition: Hashable, Sendable {
    /// The version it has seen.
    case version(Version)
    /// One of these heads: with the chain, another history with as many edits fools nobody.
    case anyHead([Head])
    /// None of these heads.
    case noHead([Head])
    /// That this goal is in the list.
    case listed(Goal.ID)
    /// That this goal is not in the list; nil stands for what is always there.
    case unlisted(Goal.ID?)
    indirect case all([Precondition])
  }

  /// The end of a log: its version, and the beginning of its chain there.
  public struct Head: Hashable, Sendable {
    public let version: Version
    public let chainPrefix: UInt64

    public init(version: Version, chainPrefix: UInt64) {
      self.version = version
      self.chainPrefix = chainPrefix
    }
  }

  /// What the answer shows of the account as it is then.
  public enum Shown: Hashable, Sendable {
    case nothing
    /// What needs no calendar.
    case state
    /// Progress too. Where no calendar can be had for it, nothing is recorded.
    case progress
  }

  /// The name of the token with which it came.
  public let device: String
  public let proposals: [Proposal]
  /// Whether one rejection leaves everything unrecorded.
  public let isAtomic: Bool
  /// Whether its edits are parts of one change. Once any of them is recorded the change was made:
  /// those that are not recorded changed nothing then, and are not decided anew.
  public let isOneChange: Bool
  public let precondition: Precondition?
  /// Whether to decide only, and record nothing.
  public let isDryRun: Bool
  public let shows: Shown

  public init(
    device: String, proposals: [Proposal], isAtomic: Bool = false, isOneChange: Bool = false,
    precondition: Precondition? = nil, isDryRun: Bool = false, shows: Shown = .progress
  ) {
    self.device = device
    self.proposals = proposals
    self.isAtomic = isAtomic
    self.isOneChange = isOneChange
    self.precondition = precondition
    self.isDryRun = isDryRun
    self.shows = shows
  }

  /// Whether edits that could be recorded may be left unrecorded after all, where a calendar can be
  /// had at the start.
  var mayBeWithdrawn: Bool {
    isAtomic || isDryRun || precondition != nil || proposals.contains(where: \.mayMoveZone)
  }

  /// Adds the ids to look up in the log before the batch is judged: its own, and those it takes
  /// back, some of them more than once.
  public func addIDs(toLookUp ids: inout [Edit.ID]) {
    for proposal in proposals {
      switch proposal {
      case .edit(let proposed):
        ids.append(proposed.id)
        if case .account(.undo(let target)) = proposed.edit { ids.append(target) }
      case .put(_, let id, _):
        ids.append(id)
      case .refused:
        break
      }
    }
  }
}

/// What is to become of a batch.
///
/// An object, because it is handed on from the writer to the answer, with all that it speaks of.
public final class Ruling: Hashable, Sendable {
  public enum Result: Hashable, Sendable {
    /// Every edit for itself.
    case decided
    /// An atomic batch with a rejection.
    case batchRejected
    /// The precondition does not hold. The outcomes are those of the edits recorded before.
    case versionMismatch
    /// It can't be decided now: a zone that it needs can't be had. There are no outcomes.
    case noCalendar
    /// The log is full, and something would be recorded. The outcomes are those of the edits
    /// recorded before.
    case accountFull
    /// The batch names more goals than `AccountState.maximumGoalsNamed`. There are no outcomes.
    case tooLarge
  }

  public let result: Result
  /// In the order of the request.
  public let outcomes: [Outcome]
  /// What to record, in order.
  public let recorded: [RecordedEdit]
  /// The state with what is recorded; for a dry run and a refused batch the state as it was. Nil
  /// where the answer does not show it.
  ///
  /// NB: What holds a state has the next edit copy what it changes of it; an edit after an answer
  /// that holds none changes it in place.
  public let state: AccountState?
  /// That of the state, by which its progress is shown; nil where the answer shows none.
  public let calendar: Calendar?
  /// The version of that state.
  public let stateVersion: Version
  /// The version that the outcomes speak of: for a dry run the one that would be.
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
