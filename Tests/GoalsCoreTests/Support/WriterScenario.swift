import Testing

@testable import GoalsCore

/// A writer, and the shell around it as the writer must find it: what it orders is said in short
/// words, and what came of it is handed back.
struct WriterScenario {
  private(set) var writer = Writer()
  /// What is installed, by account.
  private(set) var installed: [Account.ID: Account]
  /// The largest number of goals in a list, of which the shell tells the writer.
  var maximumGoals = AccountState.maximumGoals
  /// What a log takes at most, where each edit takes 10 bytes.
  var maximumLogBytes = AccountState.maximumLogBytes
  private var ordered: [Write] = []
  private var sealed: UInt64 = 100

  /// Accounts A, B, … with goal 1, active, at version 2 and with the chain 1.
  init(accounts: Int = 1) {
    let account = TestAccount.with(.some(1))
    installed = Dictionary(
      uniqueKeysWithValues: (1...accounts).map { number in
        let id = Account.ID(high: 0, low: UInt64(number))
        return (id, Account(state: account.state, chain: .link(1), recorded: account.recorded))
      })
  }

  /// Requests come in: their tickets are 1, 2, ….
  mutating func arrive(_ requests: (account: Account.ID, batch: Batch)...) -> [String] {
    arrive(all: requests)
  }

  mutating func arrive(all requests: [(account: Account.ID, batch: Batch)]) -> [String] {
    let requests = requests.enumerated().map {
      Submission(ticket: $0 + 1, account: $1.account, batch: $1.batch)
    }
    return perform(
      .arrived(
        requests, accounts: installed, now: .at("2026-11-20T12:00:00Z"), zones: Zones(),
        maximumGoals: maximumGoals, maximumLogBytes: maximumLogBytes))
  }

  /// What was ordered last is durable.
  mutating func commit() -> [String] {
    let seals = ordered.map { write in
      let seals = write.edits.indices.map { place in
        sealed += 1
        return Seal(
          chain: .link(sealed), payload: [UInt8(truncatingIfNeeded: sealed)],
          logBytes: write.logBytes + 10 * (place + 1))
      }
      return (write.account, seals)
    }
    ordered = []
    return perform(.committed(Dictionary(uniqueKeysWithValues: seals)))
  }

  mutating func fail(_ failure: CommitFailure) -> [String] {
    ordered = []
    return perform(.commitFailed(failure))
  }

  private mutating func perform(_ event: Event) -> [String] {
    let decisions = decide(event, &writer)
    for decision in decisions {
      switch decision {
      case .persist(let writes):
        #expect(ordered.isEmpty, "one transaction at a time")
        ordered = writes
        for write in writes { expectWhole(write) }
      case .install(let id, let state, let last):
        installed[id]?.state = state
        installed[id]?.chain = last.chain
        installed[id]?.logBytes = last.logBytes
      case .announce(let commit):
        #expect(commit.edits.count == commit.seals.count)
        #expect(commit.state == installed[commit.account]?.state, "announced after it is installed")
        for edit in commit.edits { installed[commit.account]?.recorded.record(edit) }
      case .answer, .track, .reopen: break
      }
    }
    return decisions.map(\.words)
  }

  private func expectWhole(_ write: Write) {
    #expect(write.before == installed[write.account]?.state)
    #expect(write.chain == installed[write.account]?.chain)
    #expect(!write.edits.isEmpty)
    #expect(write.after == write.edits.reduce(write.before) { $1.transform($0) })
  }
}

extension Account.ID {
  fileprivate var letter: String {
    UnicodeScalar(64 + UInt32(low)).map { String(Character($0)) } ?? "?"
  }
}

extension Decision {
  /// The decision in short words.
  fileprivate var words: String {
    switch self {
    case .persist(let writes):
      "persist "
        + writes.map { "\($0.account.letter) \($0.edits.versions)" }.joined(separator: ", ")
    case .install(let id, let state, let last):
      "install \(id.letter) \(state.version) chain \(last.chain.prefix)"
    case .answer(let ticket, let answer): "answer \(ticket): \(answer.words)"
    case .announce(let commit):
      "announce \(commit.account.letter) \(commit.edits.versions) "
        + "to \(commit.seals.last?.chain.prefix ?? 0)"
    case .track(.committed(let requests, let edits)): "track \(requests) requests, \(edits) edits"
    case .track(.commitFailed(let failure, let requests)): "track \(failure), \(requests) requests"
    case .reopen: "reopen"
    }
  }
}

extension Answer {
  fileprivate var words: String {
    switch self {
    case .ruled(let ruling, let chain):
      "\(ruling.result) \(ruling.outcomes.map(\.status.words)) at \(ruling.stateVersion) "
        + "chain \(chain.prefix)"
    case .unavailable: "unavailable"
    case .failed: "failed"
    case .unknownAccount: "unknown account"
    case .refused: "refused"
    }
  }
}

extension Outcome.Status {
  fileprivate var words: String {
    switch self {
    case .applied(let version): "applied \(version)"
    case .duplicate(let version): "duplicate \(version)"
    case .unchanged: "unchanged"
    case .rejected(let rejection): rejection.code.rawValue
    case .skipped: "skipped"
    }
  }
}

extension [RecordedEdit] {
  fileprivate var versions: String { map(\.version.description).joined(separator: "+") }
}
