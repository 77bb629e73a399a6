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
    let zones = circumstances.zones
    guard batch.goalsNamed(with: circumstances.recorded) <= Self.maximumGoalsNamed else {
      return Ruling(on: batch, result: .tooLarge, outcomes: [], state: self, zones)
    }
    // NB: held only for a batch that may be withdrawn: what is held twice is copied when it
    // changes.
    guard batch.mayBeWithdrawn || circumstances.isLogFull || zones.calendar(calendar) == nil else {
      return recordAll(of: batch, by: &circumstances)
    }
    let before = (state: self, recorded: circumstances.recorded)
    let decided = recordAll(of: batch, by: &circumstances)
    let ruling = before.state.withdrawing(
      decided, of: batch, chain: chain, isLogFull: circumstances.isLogFull, zones)
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
      guard let outcome = Outcome(proposal, verdict: verdict) else {
        return Ruling(
          on: batch, result: .noCalendar, outcomes: [], state: self, circumstances.zones)
      }
      if case .record(let edit) = verdict {
        edit.transform(&self)
        circumstances.recorded.record(edit)
        recorded.append(edit)
      }
      outcomes.append(outcome)
    }
    return Ruling(
      on: batch, outcomes: outcomes, recorded: recorded, state: self, circumstances.zones)
  }

  /// What is to become of a batch that may be withdrawn, when this is the state before it.
  private func withdrawing(
    _ decided: Ruling, of batch: Batch, chain: Chain?, isLogFull: Bool, _ zones: Zones
  ) -> Ruling {
    let outcomes = decided.outcomes
    if batch.isAtomic, outcomes.contains(where: { $0.rejection != nil }) {
      return Ruling(
        on: batch, result: .batchRejected, outcomes: outcomes.map { $0.withdrawn(since: version) },
        state: self, zones)
    }
    let isAllowed = batch.precondition?.allows(decided, on: self, chain: chain) ?? true
    if !isAllowed || isLogFull && !decided.recorded.isEmpty {
      let before = outcomes.filter { $0.isRecordedBefore }.map { $0.withdrawn(since: version) }
      return Ruling(
        on: batch, result: isAllowed ? .accountFull : .versionMismatch,
        outcomes: before.filter(\.isRecordedBefore), state: self, zones)
    }
    if decided.result == .noCalendar || batch.shows == .progress && decided.calendar == nil {
      return Ruling(on: batch, result: .noCalendar, outcomes: [], state: self, zones)
    }
    return batch.isDryRun
      ? Ruling(on: batch, outcomes: outcomes, state: self, version: decided.version, zones)
      : decided
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
      guard case .goal(.setActivity(.listed)) = proposed.edit,
        !(batch.precondition?.namesState ?? false)
      else {
        return verdict
      }
      // An id that is recorded, and `at`, are looked at before; how long the list is, is not.
      switch verdict {
      case .record, .unchanged: return .reject(.versionRequired)
      case .reject(let rejection) where rejection.code == .activityMismatch:
        return .reject(.versionRequired)
      case .duplicate, .reject, .noCalendar: return verdict
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

extension Batch {
  /// How many goals its edits name, each edit counted for itself.
  fileprivate func goalsNamed(with recorded: RecordedEdits) -> Int {
    // Of the edits before that name more than one.
    var counts: [Edit.ID: Int] = [:]
    return proposals.reduce(0) { sum, proposal in
      guard case .edit(let proposed) = proposal else { return sum + 1 }
      let count =
        switch proposed.edit {
        case .goal(.setActivity(let activity)): activity.count
        case .account(.undo(let id)): counts[id] ?? recorded[id]?.effect.goals.count ?? 1
        case .goal, .progress, .account(.configure): 1
        }
      if count > 1 { counts[proposed.id] = count }
      return sum + count
    }
  }
}

extension Circumstances {
  /// The edit that is recorded under a proposal's id.
  fileprivate func record(of proposal: Proposal) -> RecordedEdit? {
    proposal.id.flatMap { recorded[$0] }
  }
}

extension Batch.Precondition {
  /// Whether it says which state the batch was made for.
  fileprivate var namesState: Bool {
    switch self {
    case .version, .anyHead: true
    case .noHead, .listed, .unlisted: false
    case .all(let all): all.contains(where: \.namesState)
    }
  }

  /// Whether what was decided of a batch may stand, when this is the state before it.
  ///
  /// What has to be so is looked at where something would be recorded; what must not be so, unless
  /// the batch was recorded before.
  fileprivate func allows(_ decided: Ruling, on state: AccountState, chain: Chain?) -> Bool {
    let isIdle = decided.recorded.isEmpty
    var isRetry: Bool { decided.outcomes.contains(where: \.isRecordedBefore) }
    func isHead(_ head: Batch.Head) -> Bool {
      head.version == state.version && head.chainPrefix == chain?.prefix
    }
    return switch self {
    case .version(let expected): isIdle || expected == state.version
    case .anyHead(let heads): isIdle || heads.contains(where: isHead)
    case .listed(let goal): isIdle || state.roster.listed(goal) != nil
    case .noHead(let heads): isRetry || !heads.contains(where: isHead)
    case .unlisted(let goal?): isRetry || state.roster.listed(goal) == nil
    case .unlisted(nil): isRetry
    case .all(let all): all.allSatisfy { $0.allows(decided, on: state, chain: chain) }
    }
  }
}

extension Outcome {
  /// Nil where it could not be decided.
  fileprivate init?(_ proposal: Proposal, verdict: Verdict) {
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
    case .noCalendar:
      return nil
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
