import TestSupport
import Testing

@testable import GoalsCore

/// A log that several writers write, as a database keeps it: a round's accounts are recorded where
/// they still stand at the version and the chain that they were decided on.
struct SharedLog {
  private(set) var accounts: [Account.ID: Account]
  /// Every account's chain at each version since the beginning.
  private var chains: [Account.ID: [Chain]]
  private(set) var log: [Account.ID: [RecordedEdit]]
  /// Rounds that were sent and that nobody has an answer to: they may arrive at any time.
  private(set) var underWay: [[Write]] = []

  init(accounts ids: [Account.ID]) {
    let start = Account(
      state: WriterScenario.start.state, chain: .link(1), recorded: WriterScenario.start.recorded)
    accounts = Dictionary(uniqueKeysWithValues: ids.map { ($0, start) })
    chains = accounts.mapValues { [$0.chain] }
    log = accounts.mapValues { _ in [] }
  }

  mutating func commit(_ writes: [Write]) -> Event {
    var seals: [Account.ID: [Seal]] = [:]
    var (overtaken, known): (Set<Account.ID>, Set<Account.ID>) = ([], [])
    for write in writes {
      guard let account = accounts[write.account], account.state.version == write.before.version,
        account.chain == write.chain
      else {
        overtaken.insert(write.account)
        continue
      }
      guard write.edits.allSatisfy({ account.recorded[$0.id] == nil }) else {
        known.insert(write.account)
        continue
      }
      var link = account.chain.prefix
      seals[write.account] = write.edits.map { edit in
        link = link &* 31 &+ edit.id.low
        return .numbered(link)
      }
      record(write, seals[write.account] ?? [])
    }
    return .committed(seals, overtaken: overtaken, known: known)
  }

  private mutating func record(_ write: Write, _ seals: [Seal]) {
    accounts[write.account]?.state = write.after
    if let last = seals.last { accounts[write.account]?.chain = last.chain }
    chains[write.account]? += seals.map(\.chain)
    log[write.account]? += write.edits
    for edit in write.edits { accounts[write.account]?.recorded.record(edit) }
  }

  mutating func send(_ writes: [Write]) { underWay.append(writes) }

  mutating func arrive() { _ = commit(underWay.removeFirst()) }

  // MARK: What the log says

  func version(of account: Account.ID) -> Version { accounts[account]?.state.version ?? .none }

  /// Whether the answer is one that the log gives at a version that it had since the request came.
  func gives(_ ruling: Ruling, chain: Chain, to request: Submission, since: Version) -> Bool {
    let first = WriterScenario.start.state.version.number
    let base = ruling.stateVersion.number - ruling.recorded.count
    let edits = log[request.account] ?? []
    guard base >= since.number, ruling.stateVersion.number - first <= edits.count else {
      return false
    }
    let past = Array(edits.prefix(base - first))
    let expected = AccountState.with(past).judged(
      request.batch, chain: chains[request.account]?[base - first],
      recorded: RecordedEdits(WriterScenario.start.log + past))
    return expected == ruling
      && chains[request.account]?[ruling.stateVersion.number - first] == chain
      && Array(edits[(base - first)..<(base - first + ruling.recorded.count)]) == ruling.recorded
  }

  /// Whether each edit is recorded once, in a row, and leads to the state.
  func isWhole(_ account: Account.ID) -> Bool {
    let edits = log[account] ?? []
    let first = WriterScenario.start.state.version.number
    return Set(edits.map(\.id)).count == edits.count
      && edits.map(\.version.number) == edits.indices.map { first + 1 + $0 }
      && AccountState.with(edits) == accounts[account]?.state
  }
}

/// A writer of a shared log and the shell around it, which keeps what it has read.
struct SharingWriter {
  private var writer: Writer
  private var known: [Account.ID: Account] = [:]
  /// The requests of each round to come.
  private(set) var rounds: [[Submission]]
  private(set) var ordered: [Write]?
  private(set) var answers: [Submission.Ticket: Answer] = [:]
  private var arrived: [Submission.Ticket: Version] = [:]
  /// The requests whose ids are looked up. The others' are only where nobody else writes the log.
  private var lookedUp: Set<Submission.Ticket> = []
  private let isLogShared: Bool

  init(_ rounds: [[Submission]], isLogShared: Bool = true) {
    writer = Writer(isLogShared: isLogShared)
    self.isLogShared = isLogShared
    self.rounds = rounds
  }

  var isDone: Bool { rounds.isEmpty && ordered == nil }

  /// When a request came.
  func arrival(of ticket: Submission.Ticket) -> Version { arrived[ticket] ?? .none }

  /// Decides the next round by the states that are known. A round that only orders to look ids up
  /// is decided again in the same step: to try every order of those would take too long.
  mutating func decideNext(_ log: SharedLog) {
    let before = lookedUp.count
    decideRound(log)
    if ordered == nil, lookedUp.count > before { decideRound(log) }
  }

  private mutating func decideRound(_ log: SharedLog) {
    let requests = rounds.removeFirst()
    for request in requests {
      if known[request.account] == nil { known[request.account] = log.accounts[request.account] }
      if arrived[request.ticket] == nil {
        arrived[request.ticket] = log.version(of: request.account)
      }
    }
    var accounts = known
    if isLogShared {
      let toLookUp = requests.filter { lookedUp.contains($0.ticket) || $0.batch.looksBack }
      for account in known.keys {
        let isLookedUp = toLookUp.contains { $0.account == account }
        accounts[account]?.isLookedUp = isLookedUp
        // Of now, and so perhaps later than the state.
        let recorded = isLookedUp ? log.accounts[account]?.recorded : RecordedEdits()
        accounts[account]?.recorded = recorded ?? RecordedEdits()
      }
    }
    take(
      .arrived(
        requests, accounts: accounts, now: .at("2026-11-20T12:00:00Z"), zones: Zones()))
  }

  mutating func take(_ event: Event) {
    ordered = nil
    for decision in decide(event, &writer) {
      switch decision {
      case .persist(let writes): ordered = writes
      case .install(let account, let state, let last):
        known[account]?.state = state
        known[account]?.chain = last.chain
      case .announce(let commit):
        for edit in commit.edits { known[commit.account]?.recorded.record(edit) }
      case .answer(let ticket, let answer):
        #expect(answers.updateValue(answer, forKey: ticket) == nil, "answered once")
      case .decideAgain(let requests):
        for request in requests { known[request.account] = nil }
        lookedUp.formUnion(requests.map(\.ticket))
        rounds.insert(requests, at: 0)
      case .lookUp(let requests):
        lookedUp.formUnion(requests.map(\.ticket))
        rounds.insert(requests, at: 0)
      case .track, .reopen: break
      }
    }
  }
}
