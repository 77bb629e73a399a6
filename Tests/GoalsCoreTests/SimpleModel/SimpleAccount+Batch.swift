import GoalsCore

/// What is to become of a batch, by the simple model.
struct SimpleRuling {
  enum Outcome {
    case applied(SimpleEntry)
    case duplicate(Int)
    case unchanged
    case rejected(Set<Rejection.Code>)
    case skipped
  }

  let result: Ruling.Result
  let outcomes: [(id: Edit.ID?, outcome: Outcome)]
  /// What is to be recorded.
  var entries: [SimpleEntry] = []
  /// The account with that.
  let account: SimpleAccount
}

extension SimpleAccount {
  /// Each edit is judged on what the ones before it leave. The chain of the log at a version is
  /// taken for its number.
  func ruling(on batch: Batch, by given: SimpleCircumstances) -> SimpleRuling {
    var account = self
    var outcomes: [(id: Edit.ID?, outcome: SimpleRuling.Outcome)] = []
    var entries: [SimpleEntry] = []
    // "Counts as a retry as a whole where any part of it is recorded."
    let isRetry = batch.isOneChange && batch.proposals.contains { log.holds($0) }
    for proposal in batch.proposals {
      if isRetry, !log.holds(proposal) {
        outcomes.append((proposal.id, .unchanged))
        continue
      }
      switch account.verdict(on: proposal, of: batch, by: given) {
      case .record(let entry):
        entries.append(entry)
        account = account.with(entry)
        outcomes.append((proposal.id, .applied(entry)))
      case .duplicate(let version): outcomes.append((proposal.id, .duplicate(version)))
      case .unchanged: outcomes.append((proposal.id, .unchanged))
      case .reject(let codes): outcomes.append((proposal.id, .rejected(codes)))
      }
    }
    let isRejected = outcomes.contains { if case .rejected = $0.outcome { true } else { false } }
    if batch.isAtomic, isRejected {
      return SimpleRuling(
        result: .batchRejected, outcomes: outcomes.map { ($0.id, withdrawn($0.outcome)) },
        account: self)
    }
    // "Looked at only when something would be recorded."
    if !entries.isEmpty, !holds(batch.precondition) {
      let before = outcomes.filter {
        if case .duplicate(let version) = $0.outcome { version <= log.entries.count } else { false }
      }
      return SimpleRuling(result: .versionMismatch, outcomes: before, account: self)
    }
    if batch.isDryRun {
      return SimpleRuling(result: .decided, outcomes: outcomes, account: self)
    }
    return SimpleRuling(result: .decided, outcomes: outcomes, entries: entries, account: account)
  }

  private func with(_ entry: SimpleEntry) -> SimpleAccount {
    var longer = log
    longer.append(entry)
    return SimpleAccount(longer)
  }

  private func verdict(
    on proposal: Proposal, of batch: Batch, by given: SimpleCircumstances
  ) -> SimpleVerdict {
    switch proposal {
    case .edit(let proposed):
      let verdict = verdict(on: proposed, by: given)
      guard case .goal(.setActivity(.listed)) = proposed.edit, batch.precondition == nil else {
        return verdict
      }
      switch verdict {
      case .record, .unchanged: return .reject([.versionRequired])
      case .duplicate, .reject([.idConflict]), .reject([.inFuture]), .reject([.tooOld]):
        return verdict
      case .reject(let codes): return .reject(codes.union([.versionRequired]))
      }
    case .put(let goal, let id, let at):
      let isUpdate = log.entry(id).map { $0.edit.type == .update } ?? list.contains(goal.id)
      let edit = Edit(isUpdate ? .update(goal) : .add(goal))
      return verdict(on: ProposedEdit(id: id, at: at, edit: edit), by: given)
    case .refused(let rejection, _, _): return .reject([rejection.code])
    }
  }

  private func holds(_ precondition: Batch.Precondition?) -> Bool {
    switch precondition {
    case nil: true
    case .version(let version): version.number == log.entries.count
    case .anyHead(let heads): heads.contains(where: isHead)
    case .noHead(let heads): !heads.contains(where: isHead)
    case .listed(let goal): list.contains(goal)
    case .unlisted(let goal): goal.map { !list.contains($0) } ?? false
    case .all(let all): all.allSatisfy(holds)
    }
  }

  private func isHead(_ head: Batch.Head) -> Bool {
    head.version.number == log.entries.count && head.chainPrefix == UInt64(log.entries.count)
  }

  /// What would have been applied is skipped, and so is what would have been the same again.
  private func withdrawn(_ outcome: SimpleRuling.Outcome) -> SimpleRuling.Outcome {
    switch outcome {
    case .applied: .skipped
    case .duplicate(let version) where version > log.entries.count: .skipped
    case .duplicate, .unchanged, .rejected, .skipped: outcome
    }
  }
}

extension SimpleLog {
  fileprivate func holds(_ proposal: Proposal) -> Bool {
    proposal.id.map { entry($0) != nil } ?? false
  }
}
