extension AccountState {
  /// Judges a batch, each edit on the state that the edits before it leave.
  ///
  /// `chain` is the chain of this state. It is nil where the state holds edits that are decided but
  /// not recorded yet, since no client can know their chain.
  public func judge(
    _ batch: Batch, chain: Chain?, by circumstances: Circumstances
  ) -> Ruling {
    var state = self
    var circumstances = circumstances
    return state.record(batch, chain: chain, by: &circumstances)
  }

  /// Judges a batch as `judge(_:chain:by:)` does. Becomes the state after the batch, and adds the
  /// edits to record to `circumstances`.
  mutating func record(
    _ batch: Batch, chain: Chain?, by circumstances: inout Circumstances
  ) -> Ruling {
    let zones = circumstances.zones
    guard batch.goalsNamed(with: circumstances.recorded) <= Self.maximumGoalsNamed else {
      return Ruling(on: batch, result: .tooLarge, outcomes: [], state: self, zones)
    }
    // NB: `before` shares the state, so every change after it copies. Only a batch that may be
    // withdrawn pays for that.
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

  /// The ruling on a batch that may be withdrawn. `self` is the state before the batch.
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
        outcomes: before.filter { $0.isRecordedBefore }, state: self, zones)
    }
    if decided.result == .noCalendar || batch.shows == .progress && decided.calendar == nil {
      return Ruling(on: batch, result: .noCalendar, outcomes: [], state: self, zones)
    }
    return batch.isDryRun
      ? Ruling(on: batch, outcomes: outcomes, state: self, version: decided.version, zones)
      : decided
  }

  /// Judges one proposal. `start` is the version before the batch.
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
      if batch.undoesOnlyOwn, let id = proposed.edit.undone,
        let undone = circumstances.recorded[id], !undone.isCount(by: batch.device),
        circumstances.recorded[proposed.id] == nil
      {
        return .reject(.anotherDevices)
      }
      let verdict = judge(proposed, from: batch.device, by: circumstances)
      guard case .goal(.setActivity(.listed)) = proposed.edit,
        !(batch.precondition?.namesState ?? false)
      else {
        return verdict
      }
      // A recorded id or a wrong `at` counts before the missing version; the number of values does
      // not.
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

  /// The edit that gives a goal these values: `update` for a goal of the list, else `add`. An edit
  /// that was recorded before keeps its type, so that a retry is the same edit.
  private func putting(_ goal: Goal, as recorded: EditType?) -> Edit {
    let isUpdate =
      recorded.map { $0 == .update } ?? (roster.listed(goal.id) != nil)
    return Edit(isUpdate ? .update(goal) : .add(goal))
  }
}

extension Batch {
  /// How many goals the batch's edits name; each edit counts for itself.
  fileprivate func goalsNamed(with recorded: RecordedEdits) -> Int {
    // The counts of the batch's earlier edits that name more than one goal.
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

extension RecordedEdit {
  /// Whether a device that may only count can have made it.
  fileprivate func isCount(by device: String) -> Bool {
    switch effect {
    case .count, .excuse: self.device == device
    case .insert, .restore, .remove, .alter, .setActivity, .move, .configure: false
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
  /// Whether the precondition says which state the client made the batch for.
  fileprivate var namesState: Bool {
    switch self {
    case .version, .anyHead: true
    case .noHead, .listed, .unlisted: false
    case .all(let all): all.contains { $0.namesState }
    }
  }

  /// Whether the precondition lets the ruling stand. `state` is the state before the batch.
  ///
  /// A required version, head or goal counts only where the batch would record an edit. A forbidden
  /// head or goal counts unless an edit of the batch was recorded before.
  fileprivate func allows(_ decided: Ruling, on state: AccountState, chain: Chain?) -> Bool {
    let isIdle = decided.recorded.isEmpty
    var isRetry: Bool { decided.outcomes.contains { $0.isRecordedBefore } }
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
  /// Nil where the verdict is `noCalendar`.
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

  /// The outcome after the edits past that version are withdrawn.
  fileprivate func withdrawn(since version: Version) -> Outcome {
    switch status {
    case .applied: Outcome(id: id, sent: sent, status: .skipped)
    case .duplicate(let before) where before > version:
      Outcome(id: id, sent: sent, status: .skipped)
    case .duplicate, .unchanged, .rejected, .skipped: self
    }
  }
}
