/// Edits of one account that came in one request.
public struct Batch: Hashable, Sendable {
  /// What the client believes of the account, without which nothing is to be recorded.
  public enum Precondition: Hashable, Sendable {
    /// The version it has seen.
    case version(Version)
    /// One of these heads: with the chain, another history with as many edits fools nobody.
    case anyHead([Head])
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

  /// The name of the token with which it came.
  public let device: String
  public let proposals: [Proposal]
  /// Whether one rejection leaves everything unrecorded.
  public let isAtomic: Bool
  /// Whether its edits are parts of one change. Once any of them is recorded the change was made: those
  /// that are not recorded changed nothing then, and are not decided anew.
  public let isOneChange: Bool
  public let precondition: Precondition?
  /// Whether to decide only, and record nothing.
  public let isDryRun: Bool
  /// Whether the answer shows the account as it is then.
  public let showsState: Bool

  public init(
    device: String, proposals: [Proposal], isAtomic: Bool = false, isOneChange: Bool = false,
    precondition: Precondition? = nil, isDryRun: Bool = false, showsState: Bool = true
  ) {
    self.device = device
    self.proposals = proposals
    self.isAtomic = isAtomic
    self.isOneChange = isOneChange
    self.precondition = precondition
    self.isDryRun = isDryRun
    self.showsState = showsState
  }

  /// Whether edits that could be recorded may be left unrecorded after all.
  var mayBeWithdrawn: Bool { isAtomic || isDryRun || precondition != nil }

  /// Adds the ids to look up in the log before the batch is judged: its own, and those it takes back, some
  /// of them more than once.
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
    /// The log is full, and something would be recorded. The outcomes are those of the edits recorded before.
    case accountFull
  }

  public let result: Result
  /// In the order of the request.
  public let outcomes: [Outcome]
  /// What to record, in order.
  public let recorded: [RecordedEdit]
  /// The state with what is recorded; for a dry run and a refused batch the state as it was. Nil where the
  /// answer does not show it.
  ///
  /// NB: What holds a state has the next edit copy what it changes of it; an edit after an answer that
  /// holds none changes it in place.
  public let state: AccountState?
  /// The version of that state.
  public let stateVersion: Version
  /// The version that the outcomes speak of: for a dry run the one that would be.
  public let version: Version

  init(
    on batch: Batch, result: Result = .decided, outcomes: [Outcome], recorded: [RecordedEdit] = [],
    state: AccountState, version: Version
  ) {
    self.result = result
    self.outcomes = outcomes
    self.recorded = recorded
    self.state = batch.showsState ? state : nil
    stateVersion = state.version
    self.version = version
  }

  public static func == (left: Ruling, right: Ruling) -> Bool {
    left === right
      || left.result == right.result && left.outcomes == right.outcomes
        && left.recorded == right.recorded && left.state == right.state
        && left.stateVersion == right.stateVersion && left.version == right.version
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(result)
    hasher.combine(version)
  }
}

extension AccountState {
  /// Judges a batch, each edit on the state that the ones before it leave.
  ///
  /// `chain` is that of this state; nil where edits are decided on top of it that are not
  /// recorded yet, so that no client can know it.
  public func judge(
    _ batch: Batch, chain: Chain?, by circumstances: Circumstances
  ) -> Ruling {
    var state = self
    var circumstances = circumstances
    return state.record(batch, chain: chain, by: &circumstances)
  }

  /// As above; becomes the state that the batch leaves, and takes note of what is to be recorded.
  mutating func record(
    _ batch: Batch, chain: Chain?, by circumstances: inout Circumstances
  ) -> Ruling {
    // NB: held only for a batch that may be withdrawn: what is held twice is copied when it changes.
    guard batch.mayBeWithdrawn || circumstances.isLogFull else {
      return recordAll(of: batch, by: &circumstances)
    }
    let before = (state: self, recorded: circumstances.recorded)
    let decided = recordAll(of: batch, by: &circumstances)
    let ruling = before.state.withdrawing(
      decided, of: batch, chain: chain, isLogFull: circumstances.isLogFull)
    if ruling.recorded.isEmpty { (self, circumstances.recorded) = before }
    return ruling
  }

  private mutating func recordAll(of batch: Batch, by circumstances: inout Circumstances) -> Ruling
  {
    let start = version
    var outcomes: [Outcome] = []
    var recorded: [RecordedEdit] = []
    outcomes.reserveCapacity(batch.proposals.count)
    let isMade =
      batch.isOneChange && batch.proposals.contains { circumstances.record(of: $0) != nil }
    for proposal in batch.proposals {
      let verdict =
        isMade && circumstances.record(of: proposal) == nil
        ? .unchanged : judge(proposal, of: batch, since: start, by: circumstances)
      if case .record(let edit) = verdict {
        edit.transform(&self)
        circumstances.recorded.record(edit)
        recorded.append(edit)
      }
      outcomes.append(Outcome(proposal, verdict: verdict))
    }
    return Ruling(
      on: batch, outcomes: outcomes, recorded: recorded, state: self, version: version)
  }

  /// What is to become of a batch that may be withdrawn, when this is the state before it.
  private func withdrawing(
    _ decided: Ruling, of batch: Batch, chain: Chain?, isLogFull: Bool
  ) -> Ruling {
    let outcomes = decided.outcomes
    if batch.isAtomic, outcomes.contains(where: { $0.rejection != nil }) {
      return Ruling(
        on: batch, result: .batchRejected, outcomes: outcomes.map { $0.withdrawn(since: version) },
        state: self, version: version)
    }
    let isMismatch = batch.precondition.map { !$0.holds(at: version, chain: chain) } ?? false
    if !decided.recorded.isEmpty, isMismatch || isLogFull {
      let before = outcomes.filter { $0.isRecordedBefore }.map { $0.withdrawn(since: version) }
      return Ruling(
        on: batch, result: isMismatch ? .versionMismatch : .accountFull,
        outcomes: before.filter(\.isRecordedBefore), state: self, version: version)
    }
    return batch.isDryRun
      ? Ruling(on: batch, outcomes: outcomes, state: self, version: decided.version) : decided
  }

  /// `start` is the version before the batch.
  private func judge(
    _ proposal: Proposal, of batch: Batch, since start: Version, by circumstances: Circumstances
  ) -> Verdict {
    let verdict = judge(proposal, of: batch, by: circumstances)
    guard case .reject(let rejection) = verdict, rejection.code == .idConflict,
      let known = circumstances.record(of: proposal), known.version > start
    else { return verdict }
    return .reject(.idTakenInBatch)
  }

  private func judge(
    _ proposal: Proposal, of batch: Batch, by circumstances: Circumstances
  ) -> Verdict {
    switch proposal {
    case .edit(let proposed):
      let verdict = judge(proposed, from: batch.device, by: circumstances)
      guard case .goal(.setActivity(.listed)) = proposed.edit, batch.precondition == nil else {
        return verdict
      }
      // An id that is recorded, and `at`, are looked at before; how long the list is, is not.
      switch verdict {
      case .record, .unchanged: return .reject(.versionRequired)
      case .reject(let rejection) where rejection.code == .activityMismatch:
        return .reject(.versionRequired)
      case .duplicate, .reject: return verdict
      }
    case .put(let goal, let id, let at):
      return judge(
        ProposedEdit(
          id: id, at: at, edit: putting(goal, as: circumstances.recorded[id]?.edit.type)),
        from: batch.device, by: circumstances)
    case .refused(let rejection, _, _):
      return .reject(rejection)
    }
  }

  /// The edit that makes a goal be as given. Where it was recorded before, what it was then: a
  /// retry is the same edit.
  private func putting(_ goal: Goal, as recorded: EditType?) -> Edit {
    let isUpdate =
      recorded.map { $0 == .update } ?? (roster.listed(goal.id) != nil)
    return Edit(isUpdate ? .update(goal) : .add(goal))
  }
}

extension Circumstances {
  /// The edit that is recorded under a proposal's id.
  fileprivate func record(of proposal: Proposal) -> RecordedEdit? {
    proposal.id.flatMap { recorded[$0] }
  }
}

extension Batch.Precondition {
  fileprivate func holds(at version: Version, chain: Chain?) -> Bool {
    switch self {
    case .version(let expected):
      expected == version
    case .anyHead(let heads):
      heads.contains { $0.version == version && $0.chainPrefix == chain?.prefix }
    }
  }
}

extension Outcome {
  fileprivate init(_ proposal: Proposal, verdict: Verdict) {
    let sent: String? = if case .refused(_, _, let sent) = proposal { sent } else { nil }
    switch verdict {
    case .record(let edit):
      self.init(id: proposal.id, sent: sent, status: .applied(edit.version), recorded: edit)
    case .duplicate(let edit):
      self.init(id: proposal.id, sent: sent, status: .duplicate(edit.version), recorded: edit)
    case .unchanged:
      self.init(id: proposal.id, sent: sent, status: .unchanged)
    case .reject(let rejection):
      self.init(id: proposal.id, sent: sent, status: .rejected(rejection))
    }
  }

  /// What is left of it where nothing after that version is recorded.
  fileprivate func withdrawn(since version: Version) -> Outcome {
    switch status {
    case .applied: Outcome(id: id, sent: sent, status: .skipped)
    case .duplicate(let before) where before > version:
      Outcome(id: id, sent: sent, status: .skipped)
    case .duplicate, .unchanged, .rejected, .skipped: self
    }
  }
}
