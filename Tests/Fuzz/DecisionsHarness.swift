import GoalsCore

extension Harness {
  /// Requests to a writer, and what becomes of its transactions, made up of an input's bytes.
  ///
  /// Every request is answered once. Versions have no gap, and instants do not go back. The state
  /// that is installed is the fold of the log, from the start and when the log is read again. A
  /// recorded edit is a duplicate for ever, and changes nothing. The last edit can be undone, and
  /// that undo, too: then the state is as it was.
  static let decisions = Harness(name: "decisions") { bytes in
    var writing = Writing(Choices(bytes))
    while !writing.isOver { try writing.playRound() }
    for log in writing.logs.values { try log.check() }
  }
}

/// A writer with the shell around it as it must find it.
private struct Writing {
  private var choices: Choices
  private var made: MadeEdits
  private var writer = Writer()
  private(set) var logs: [Account.ID: AccountLog]
  private var now = Instant(seconds: 1_795_176_000)
  private let maximumGoals: Int
  private var rounds = 0
  /// Which requests wait for their answer.
  private var open: [Submission.Ticket: Submission] = [:]
  private var tickets = 0

  init(_ choices: Choices) {
    var choices = choices
    maximumGoals = choices.one(of: [1000, 1, 2, 3, 5])
    let calendar = MadeEdits.calendar(&choices)
    logs = [1, 2].reduce(into: [:]) { logs, number in
      logs[Account.ID(high: 0, low: number)] = AccountLog(calendar)
    }
    made = MadeEdits()
    self.choices = choices
  }

  /// NB: what a round costs grows with the log, as it is looked through.
  var isOver: Bool { choices.isOver || rounds >= 200 }

  mutating func playRound() throws(Broken) {
    rounds += 1
    passTime()
    let requests = (0...choices.one(of: [0, 0, 0, 1, 2])).map { _ in request() }
    for request in requests { open[request.ticket] = request }
    let accounts = logs.mapValues { log in
      Account(state: log.state, chain: log.chain, recorded: log.recorded)
    }
    var ordered = try perform(
      .arrived(requests, accounts: accounts, now: now, zones: .mock, maximumGoals: maximumGoals))
    while let writes = ordered {
      if choices.chance(in: 16) {
        ordered = try perform(.commitFailed(choices.one(of: [.other, .full, .storage])))
      } else {
        for write in writes { try logs[write.account]?.record(write) }
        let seals = writes.map { ($0.account, logs[$0.account]?.seals(of: $0.edits) ?? []) }
        ordered = try perform(.committed(Dictionary(uniqueKeysWithValues: seals)))
      }
    }
    try claim(open.isEmpty, "a request has no answer")
    for (account, log) in logs where log.chain != accounts[account]?.chain {
      try log.checkEnd(at: now, maximumGoals: maximumGoals)
    }
  }

  /// Mostly on; now and then the clock is set back.
  private mutating func passTime() {
    let minute: Int64 = 60_000
    let step = choices.one(of: [0, 1, 30, 60, 1440, 10_080, 44_640, -1, -90, 527_040])
    now = now.adding(milliseconds: Int64(step) * minute)
  }

  private mutating func request() -> Submission {
    tickets += 1
    let account = Account.ID(high: 0, low: choices.one(of: [1, 1, 1, 1, 2, 3]))
    let log = logs[account] ?? AccountLog(.initial)
    let proposals = (0...choices.one(of: [0, 0, 0, 1, 3])).map { _ in
      made.proposal(on: log, at: now, by: &choices)
    }
    let kind = choices.byte()
    let batch = Batch(
      device: "x", proposals: proposals, isAtomic: kind & 1 != 0, isOneChange: kind & 6 == 6,
      precondition: precondition(on: log), isDryRun: kind & 24 == 24,
      shows: kind & 32 == 0 ? .nothing : kind & 64 == 0 ? .state : .progress)
    return Submission(ticket: tickets, account: account, batch: batch)
  }

  private mutating func precondition(on log: AccountLog) -> Batch.Precondition? {
    let version = log.state.version
    switch choices.number(below: 8) {
    case 0...4: return nil
    case 5: return .version(version)
    case 6: return .anyHead([Batch.Head(version: version, chainPrefix: log.chain.prefix)])
    default: return .version(Version(choices.number(below: 20)))
    }
  }

  /// What is ordered to be written, if anything.
  private mutating func perform(_ event: Event) throws(Broken) -> [Write]? {
    var ordered: [Write]?
    for decision in decide(event, &writer) {
      switch decision {
      case .persist(let writes):
        try claim(ordered == nil && !writes.isEmpty, "two transactions at a time, or an empty one")
        try claim(Set(writes.map(\.account)).count == writes.count, "an account is written twice")
        ordered = writes
      case .install(let account, let state, let last):
        try claim(
          logs[account]?.state == state && logs[account]?.chain == last.chain,
          "installed is what is not recorded")
      case .answer(let ticket, let answer):
        guard let request = open.removeValue(forKey: ticket) else {
          throw Broken(description: "a request is answered twice")
        }
        try check(answer, to: request)
      case .announce(let commit):
        try claim(commit.edits.count == commit.seals.count, "edits without seals")
        try claim(commit.state == logs[commit.account]?.state, "announced before it is so")
      case .track, .reopen, .decideAgain, .lookUp: break
      }
    }
    return ordered
  }

  private func check(_ answer: Answer, to request: Submission) throws(Broken) {
    switch answer {
    case .ruled(let ruling, _):
      let edits = logs[request.account]?.edits ?? []
      try claim(
        ruling.result == .versionMismatch
          || ruling.outcomes.count == request.batch.proposals.count, "outcomes are missing")
      try claim(
        ruling.recorded.allSatisfy { edits.indices.contains($0.version.number - 1) },
        "answered before it is recorded")
      for outcome in ruling.outcomes {
        guard case .duplicate(let version) = outcome.status, ruling.recorded.isEmpty,
          !request.batch.isDryRun
        else { continue }
        try claim(edits[version.number - 1].id == outcome.id, "a duplicate of another edit")
      }
      if request.batch.isDryRun || ruling.result != .decided {
        try claim(ruling.recorded.isEmpty, "recorded, though it was not to be")
      }
    case .unknownAccount:
      try claim(logs[request.account] == nil, "an account that is there is unknown")
    case .unavailable, .failed, .refused: break
    }
  }
}
