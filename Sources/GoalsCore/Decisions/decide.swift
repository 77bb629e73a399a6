/// The writer's one decision function.
///
/// Every edit of the server comes through here. It decides on copies; what it orders is, in this
/// order, to persist, and once that is durable to install, to answer and to announce.
public func decide(_ event: Event, _ writer: inout Writer) -> [Decision] {
  switch event {
  case .arrived(let requests, let accounts, let now, let zones, let maximumGoals):
    writer.accounts = accounts
    writer.now = now
    writer.zones = zones
    writer.maximumGoals = maximumGoals
    return writer.decide(requests)
  case .committed(let seals):
    return writer.settle(seals) + writer.tryAlone()
  case .commitFailed(let failure):
    return writer.fail(failure)
  }
}

extension Writer {
  /// Decides requests one after the other; each sees what the ones before it leave.
  fileprivate mutating func decide(_ requests: [Submission]) -> [Decision] {
    var drafts: [Account.ID: Draft] = [:]
    var gone: [Decision] = []
    for request in requests {
      let known = drafts[request.account]
      guard let draft = known ?? accounts[request.account].map(Draft.init) else {
        gone.append(.answer(request.ticket, .unknownAccount))
        continue
      }
      if known == nil { drafts[request.account] = draft }
      let ruling = draft.judge(
        request.batch,
        by: Circumstances(now: now, zones: zones, maximumGoals: maximumGoals))
      deciding.append(Decided(request: request, ruling: ruling))
    }
    let writes = accountsDeciding.compactMap { id in drafts[id]?.write(of: id) }
    return gone + (writes.isEmpty ? settle([:]) : [.persist(writes)])
  }

  /// The accounts of what is decided, in the order in which they came first.
  private var accountsDeciding: [Account.ID] {
    var seen: Set<Account.ID> = []
    return deciding.map(\.request.account).filter { seen.insert($0).inserted }
  }

  /// What was decided is durable: everyone may know.
  fileprivate mutating func settle(_ seals: [Account.ID: [Seal]]) -> [Decision] {
    var edits: [Account.ID: [RecordedEdit]] = [:]
    var states: [Account.ID: AccountState] = [:]
    for decided in deciding {
      edits[decided.request.account, default: []] += decided.ruling.recorded
      states[decided.request.account] = decided.ruling.state
    }
    var installs: [Decision] = []
    var announcements: [Decision] = []
    var before: [Account.ID: (version: Version, chain: Chain)] = [:]
    for id in accountsDeciding {
      before[id] = accounts[id].map { ($0.state.version, $0.chain) }
      guard let edits = edits[id], let state = states[id], let seals = seals[id],
        let last = seals.last
      else { continue }
      // What is tried alone afterwards is decided on top of it.
      if !waiting.isEmpty { accounts[id]?.install(state, last.chain, edits) }
      installs.append(.install(id, state, last.chain))
      announcements.append(
        .announce(Commit(account: id, edits: edits, seals: seals, state: state)))
    }
    let answers = deciding.compactMap { decided -> Decision? in
      guard let base = before[decided.request.account] else { return nil }
      let seals = seals[decided.request.account] ?? []
      let place = decided.ruling.state.version.number - base.version.number
      let chain = seals.indices.contains(place - 1) ? seals[place - 1].chain : base.chain
      return .answer(decided.request.ticket, .ruled(decided.ruling, chain: chain))
    }
    let count = edits.values.reduce(0) { $0 + $1.count }
    let track = Decision.track(.committed(requests: deciding.count, edits: count))
    deciding = []
    return installs + answers + announcements + (count == 0 ? [] : [track])
  }

  /// Nothing of what was decided is recorded.
  ///
  /// After a failure of the disk everyone is told so. After any other, each request is tried alone,
  /// so that only the one at fault fails.
  fileprivate mutating func fail(_ failure: CommitFailure) -> [Decision] {
    let failed = deciding.map(\.request)
    let track = Decision.track(.commitFailed(failure, requests: failed.count))
    deciding = []
    switch failure {
    case .full, .storage:
      let answers = (failed + waiting).map { Decision.answer($0.ticket, .unavailable) }
      waiting = []
      return (failure == .storage ? [.reopen] : []) + answers + [track]
    case .other where failed.count == 1:
      return failed.map { .answer($0.ticket, .failed) } + [track] + tryAlone()
    case .other:
      waiting = failed + waiting
      return [track] + tryAlone()
    }
  }

  /// Decides what waits, one request after the other, up to the first that has something to write.
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

/// An account as the requests decided so far would leave it: a workpiece of one decision, which nobody
/// else sees. It is an object so that it is not copied for each request.
private final class Draft {
  let account: Account
  var state: AccountState
  var recorded: RecordedEdits
  var edits: [RecordedEdit] = []

  init(_ account: Account) {
    self.account = account
    state = account.state
    recorded = account.recorded
  }

  func judge(_ batch: Batch, by circumstances: Circumstances) -> Ruling {
    var circumstances = circumstances
    swap(&circumstances.recorded, &recorded)
    let ruling = state.judge(
      batch, chain: edits.isEmpty ? account.chain : nil, by: &circumstances)
    swap(&circumstances.recorded, &recorded)
    edits += ruling.recorded
    state = ruling.state
    return ruling
  }

  func write(of id: Account.ID) -> Write? {
    edits.isEmpty
      ? nil
      : Write(
        account: id, edits: edits, before: account.state, after: state, chain: account.chain)
  }
}

extension Account {
  fileprivate mutating func install(
    _ state: AccountState, _ chain: Chain, _ edits: [RecordedEdit]
  ) {
    self.state = state
    self.chain = chain
    for edit in edits { recorded.record(edit) }
  }
}
