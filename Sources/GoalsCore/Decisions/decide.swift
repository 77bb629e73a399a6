/// The writer's one decision function.
///
/// Every edit of the server passes through here. It judges edits on drafts and orders `persist`.
/// Once the transaction is durable, it orders `install`, `answer` and `announce`, in this order.
public func decide(_ event: Event, _ writer: inout Writer) -> [Decision] {
  switch event {
  case .arrived(
    let requests, let accounts, let now, let zones, let maximumGoals, let maximumLogBytes):
    writer.accounts = accounts
    writer.now = now
    writer.zones = zones
    writer.maximumGoals = maximumGoals
    writer.maximumLogBytes = maximumLogBytes
    return writer.decide(requests)
  case .committed(let seals, let overtaken, let known):
    var decisions = writer.settle(seals, overtaken: overtaken, known: known)
    decisions += writer.tryAlone()
    return decisions
  case .commitFailed(let failure):
    return writer.fail(failure)
  }
}

extension Writer {
  /// Decides requests one after the other, each on the state that the requests before it leave.
  fileprivate mutating func decide(_ requests: [Submission]) -> [Decision] {
    var indices: [Account.ID: Int] = [:]
    var decisions: [Decision] = []
    indices.reserveCapacity(accounts.count)
    drafts.reserveCapacity(accounts.count)
    deciding.reserveCapacity(requests.count)
    for request in requests {
      let index: Int
      if let known = indices[request.account] {
        index = known
      } else if let account = accounts[request.account] {
        index = drafts.count
        indices[request.account] = index
        drafts.append(Draft(of: account, request.account))
      } else {
        decisions.append(.answer(request.ticket, .unknownAccount))
        continue
      }
      let account = drafts[index].account
      let ruling = drafts[index].judge(
        request.batch,
        by: Circumstances(
          now: now, zones: zones, maximumGoals: maximumGoals,
          isLogFull: account.logBytes >= account.maximumLogBytes ?? maximumLogBytes))
      deciding.append(Decided(request: request, ruling: ruling, draft: index))
    }
    let unsure = unsure
    guard unsure.isEmpty else {
      forget()
      return [.lookUp(requests.filter { unsure.contains($0.account) })]
        + decide(requests.filter { !unsure.contains($0.account) })
    }
    let writes = writes
    if writes.isEmpty { decisions += settle([:]) } else { decisions.append(.persist(writes)) }
    return decisions
  }

  /// The accounts of which a decision may be another once the ids are looked up.
  private var unsure: Set<Account.ID> {
    var unsure: Set<Account.ID> = []
    for decided in deciding where !drafts[decided.draft].account.isLookedUp {
      if !decided.needsNoLookUp { unsure.insert(decided.request.account) }
    }
    return unsure
  }

  /// What the transaction has to hold. On a log that others write, too, an answer without an edit
  /// counts only if the account still stands where it was read. An answer that the client acts upon
  /// counts only behind a commit: the state that it rests on may be lost with the database.
  private var writes: [Write] {
    guard isLogShared else { return drafts.compactMap { $0.edits.isEmpty ? nil : $0.write() } }
    var confirming: Set<Int> = []
    for decided in deciding where decided.isActedUpon { confirming.insert(decided.draft) }
    return drafts.enumerated().map { index, draft in
      draft.write(confirms: draft.edits.isEmpty && confirming.contains(index))
    }
  }

  /// The decided requests are durable: orders to tell readers, clients and observers. Nobody is
  /// told of the requests whose accounts were overtaken, or of which an edit is known: they are
  /// decided again.
  fileprivate mutating func settle(
    _ sealsByAccount: [Account.ID: [Seal]], overtaken: Set<Account.ID> = [],
    known: Set<Account.ID> = []
  ) -> [Decision] {
    let again = withdraw(overtaken)
    let toLookUp = withdraw(known)
    let seals = drafts.map { sealsByAccount[$0.id] ?? [] }
    var decisions: [Decision] = []
    decisions.reserveCapacity(2 * drafts.count + deciding.count + 1)
    for (draft, seals) in zip(drafts, seals) {
      guard let last = seals.last else { continue }
      // The waiting requests are decided on top of this draft.
      if !waiting.isEmpty { accounts[draft.id]?.install(draft, last) }
      decisions.append(.install(draft.id, draft.state, last))
    }
    for decided in deciding {
      let base = drafts[decided.draft].account
      let seals = seals[decided.draft]
      let edits = decided.ruling.stateVersion.number - base.state.version.number
      let chain = seals.indices.contains(edits - 1) ? seals[edits - 1].chain : base.chain
      decisions.append(.answer(decided.request.ticket, .ruled(decided.ruling, chain: chain)))
    }
    for (draft, seals) in zip(drafts, seals) where !seals.isEmpty {
      decisions.append(
        .announce(
          Commit(
            account: draft.id, edits: draft.edits, seals: seals, after: draft.account.chain,
            state: draft.state)))
    }
    if !known.isEmpty { decisions.append(.lookUp(toLookUp)) }
    if !overtaken.isEmpty {
      decisions.append(.decideAgain(again))
      decisions.append(.track(.overtaken(accounts: overtaken.count)))
    }
    let count = seals.reduce(0) { $0 + $1.count }
    if count > 0 { decisions.append(.track(.committed(requests: deciding.count, edits: count))) }
    forget()
    return decisions
  }

  /// Takes out the requests of these accounts, in their order, with those that wait: they were, or
  /// would be, decided on a state that is not the log's.
  private mutating func withdraw(_ overtaken: Set<Account.ID>) -> [Submission] {
    guard !overtaken.isEmpty else { return [] }
    let all = deciding.map { $0.request } + waiting
    deciding.removeAll { overtaken.contains($0.request.account) }
    waiting.removeAll { overtaken.contains($0.account) }
    return all.filter { overtaken.contains($0.account) }
  }

  /// Forgets the decided requests.
  private mutating func forget() {
    drafts = []
    deciding = []
  }

  /// The commit failed, so nothing of the decided requests is recorded, unless that is unknown.
  ///
  /// After a failure of the disk every request gets `unavailable`. Where the outcome is unknown
  /// every request is decided again: what is recorded is found by its id, and what is not is
  /// recorded then. After any other failure each request is tried alone, so that only the request
  /// at fault fails.
  fileprivate mutating func fail(_ failure: CommitFailure) -> [Decision] {
    let failed = deciding.map { $0.request }
    let track = Decision.track(.commitFailed(failure, requests: failed.count))
    forget()
    switch failure {
    case .full, .storage:
      let answers = (failed + waiting).map { Decision.answer($0.ticket, .unavailable) }
      waiting = []
      // Listeners learn the cause first: the answers say only that the request failed.
      return (failure == .storage ? [.reopen] : []) + [track] + answers
    case .unknown:
      let again = failed + waiting
      waiting = []
      return [.reopen, track, .decideAgain(again)]
    case .other where failed.count == 1:
      return failed.map { .answer($0.ticket, .failed) } + [track] + tryAlone()
    case .other:
      waiting = failed + waiting
      return [track] + tryAlone()
    }
  }

  /// Decides the waiting requests one by one, up to the first that has edits to write.
  fileprivate mutating func tryAlone() -> [Decision] {
    var decisions: [Decision] = []
    var tried = 0
    while deciding.isEmpty, tried < waiting.count {
      decisions += decide([waiting[tried]])
      tried += 1
    }
    waiting.removeFirst(tried)
    return decisions
  }
}

extension Writer.Draft {
  fileprivate init(of account: Account, _ id: Account.ID) {
    self.init(id: id, account: account, state: account.state, recorded: account.recorded)
  }

  fileprivate mutating func judge(_ batch: Batch, by circumstances: Circumstances) -> Ruling {
    var circumstances = circumstances
    swap(&circumstances.recorded, &recorded)
    let ruling = state.record(
      batch, chain: edits.isEmpty ? account.chain : nil, by: &circumstances)
    swap(&circumstances.recorded, &recorded)
    edits += ruling.recorded
    return ruling
  }

  fileprivate func write(confirms: Bool = false) -> Write {
    Write(
      account: id, edits: edits, before: account.state, after: state, chain: account.chain,
      logBytes: account.logBytes, confirms: confirms)
  }
}

extension Account {
  fileprivate mutating func install(_ draft: Writer.Draft, _ last: Seal) {
    state = draft.state
    chain = last.chain
    logBytes = last.logBytes
    for edit in draft.edits { recorded.record(edit) }
  }
}
