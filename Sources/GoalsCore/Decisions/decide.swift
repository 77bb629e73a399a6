/// The writer's one decision function.
///
/// Every edit of the server comes through here. It decides on copies; what it orders is, in this
/// order, to persist, and once that is durable to install, to answer and to announce.
public func decide(_ event: Event, _ writer: inout Writer) -> [Decision] {
  switch event {
  case .arrived(let requests, let accounts, let now, let zones):
    writer.accounts = accounts
    writer.now = now
    writer.zones = zones
    return writer.decide(requests)
  case .committed(let seals):
    return writer.settle(seals) + writer.tryNextAlone()
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
      guard var draft = drafts[request.account] ?? accounts[request.account].map(Draft.init) else {
        gone.append(.answer(request.ticket, .unknownAccount))
        continue
      }
      // NB: the dictionary lets go of the draft, so that what is changed below is not copied.
      drafts[request.account] = nil
      let ruling = draft.judge(request.batch, now: now, zones: zones)
      deciding.append(Decided(request: request, ruling: ruling))
      drafts[request.account] = draft
    }
    let writes = drafts.compactMap { id, draft in draft.write(of: id) }
    return gone + (writes.isEmpty ? settle([:]) + tryNextAlone() : [.persist(writes)])
  }

  /// What was decided is durable: everyone may know.
  fileprivate mutating func settle(_ seals: [Account.ID: [Seal]]) -> [Decision] {
    let edits = deciding.reduce(into: [Account.ID: [RecordedEdit]]()) { edits, decided in
      if !decided.ruling.recorded.isEmpty {
        edits[decided.request.account, default: []] += decided.ruling.recorded
      }
    }
    var installs: [Decision] = []
    var announcements: [Decision] = []
    let before = accounts.mapValues { (version: $0.state.version, chain: $0.chain) }
    for (id, edits) in edits {
      guard let seals = seals[id], let last = seals.last,
        let state = deciding.last(where: { $0.request.account == id })?.ruling.state
      else { continue }
      accounts[id]?.install(state, last.chain, edits)
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
    let track = Decision.track(
      .committed(requests: deciding.count, edits: edits.values.reduce(0) { $0 + $1.count }))
    deciding = []
    return installs + answers + announcements + (edits.isEmpty ? [] : [track])
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
      return failed.map { .answer($0.ticket, .failed) } + [track] + tryNextAlone()
    case .other:
      waiting = failed + waiting
      return [track] + tryNextAlone()
    }
  }

  fileprivate mutating func tryNextAlone() -> [Decision] {
    waiting.isEmpty ? [] : decide([waiting.removeFirst()])
  }
}

/// An account as the requests decided so far would leave it.
private struct Draft {
  let account: Account
  var state: AccountState
  var recorded: RecordedEdits
  var edits: [RecordedEdit] = []

  init(_ account: Account) {
    self.account = account
    state = account.state
    recorded = account.recorded
  }

  mutating func judge(_ batch: Batch, now: Instant, zones: Zones) -> Ruling {
    let ruling = state.judge(
      batch, chain: edits.isEmpty ? account.chain : nil,
      by: Circumstances(now: now, zones: zones, recorded: recorded))
    for edit in ruling.recorded { recorded.record(edit) }
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
