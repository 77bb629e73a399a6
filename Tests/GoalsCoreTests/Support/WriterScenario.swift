import TestSupport
import Testing

@testable import GoalsCore

/// A writer, and the shell around it as the writer must find it: it hands back what came of every
/// order.
struct WriterScenario {
  private(set) var writer = Writer()
  /// The accounts as they are installed.
  private(set) var installed: [Account.ID: Account]
  /// The largest number of goals in a list, of which the shell tells the writer.
  var maximumGoals = AccountState.maximumGoals
  /// How many bytes a log takes at most, and an edit of it.
  var maximumLogBytes = AccountState.maximumLogBytes
  var bytesPerEdit = 0
  private var ordered: [Write] = []
  private var sealed: UInt64 = 100

  /// Every account's beginning: goal 1, active, at version 2 and with the chain 1.
  static let start = TestAccount.with(.some(1))

  /// Accounts 1, 2, … as they begin.
  init(accounts: UInt64 = 1) {
    let account = Account(
      state: Self.start.state, chain: .link(1), recorded: Self.start.recorded)
    installed = Dictionary(uniqueKeysWithValues: (1...accounts).map { (.of($0), account) })
  }

  /// Requests come in: their tickets are 1, 2, ….
  mutating func arrive(_ requests: (account: Account.ID, batch: Batch)...) -> [Decision] {
    arrive(all: requests)
  }

  mutating func arrive(all requests: [(account: Account.ID, batch: Batch)]) -> [Decision] {
    let requests = requests.enumerated().map {
      Submission(ticket: $0 + 1, account: $1.account, batch: $1.batch)
    }
    return perform(
      .arrived(
        requests, accounts: installed, now: .at("2026-11-20T12:00:00Z"), zones: Zones(),
        maximumGoals: maximumGoals, maximumLogBytes: maximumLogBytes))
  }

  /// The last write that was ordered is durable. Its edits have the chains 101, 102, ….
  mutating func commit() -> [Decision] {
    let seals = ordered.map { write in
      let seals = write.edits.indices.map { index in
        var seal = Seal.numbered(sealed + 1 + UInt64(index))
        seal.logBytes = write.logBytes + bytesPerEdit * (index + 1)
        return seal
      }
      sealed += UInt64(write.edits.count)
      return (write.account, seals)
    }
    ordered = []
    return perform(.committed(Dictionary(uniqueKeysWithValues: seals)))
  }

  mutating func fail(_ failure: CommitFailure) -> [Decision] {
    ordered = []
    return perform(.commitFailed(failure))
  }

  private mutating func perform(_ event: Event) -> [Decision] {
    var twin = writer
    let decisions = decide(event, &writer)
    #expect(decide(event, &twin) == decisions, "the same event decides the same")
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
      case .answer, .track, .reopen, .decideAgain, .lookUp: break
      }
    }
    return decisions
  }

  private func expectWhole(_ write: Write) {
    #expect(write.before == installed[write.account]?.state)
    #expect(write.chain == installed[write.account]?.chain)
    #expect(!write.edits.isEmpty)
    #expect(write.after == write.edits.reduce(write.before) { $1.transform($0) })
  }
}

/// A bump of goal 1 as it is recorded at noon.
func bumped(_ id: Edit.ID, _ version: Int) -> RecordedEdit {
  let noon = Instant.at("2026-11-20T12:00:00Z")
  let edit = RecordedEdit(
    version: Version(version), id: id, at: noon, recordedAt: noon, device: "phone", edit: bump,
    day: .on("2026-11-20"), reversal: { $0.reversal(in: WriterScenario.start.state) })
  return known(edit, id)
}

extension AccountState {
  /// The state of an account that began as all of a scenario do, with these edits.
  static func with(_ edits: [RecordedEdit]) -> AccountState {
    edits.reduce(WriterScenario.start.state) { $1.transform($0) }
  }
}

extension Seal {
  static func numbered(_ link: UInt64) -> Seal {
    Seal(chain: .link(link), payload: [UInt8(truncatingIfNeeded: link)])
  }
}

extension [Decision] {
  var answers: [Decision] {
    filter { if case .answer = $0 { true } else { false } }
  }
}

// What a writer has to decide, in the words of a scenario: an account's edits are all that it
// records, and a chain is the number of its link.
extension Decision {
  /// One transaction that writes one account.
  static func persist(
    _ account: Account.ID, _ edits: [RecordedEdit], after past: [RecordedEdit] = [],
    chain: UInt64 = 1
  ) -> Decision {
    .persist([.of(account, edits, after: past, chain: chain)])
  }

  static func install(_ account: Account.ID, _ edits: [RecordedEdit], _ link: UInt64) -> Decision {
    .install(account, .with(edits), .numbered(link))
  }

  /// The answer to a batch that is judged on these edits, with the chain of the state that it
  /// leaves.
  static func answer(
    _ ticket: Submission.Ticket, _ batch: Batch, on edits: [RecordedEdit] = [],
    judgedBy chain: UInt64? = nil, _ link: UInt64
  ) -> Decision {
    let recorded = RecordedEdits(WriterScenario.start.log + edits)
    let ruling = AccountState.with(edits).judged(
      batch, chain: chain.map { .link($0) }, recorded: recorded)
    return .answer(ticket, .ruled(ruling, chain: .link(link)))
  }

  static func announce(
    _ account: Account.ID, _ edits: [RecordedEdit], after past: [RecordedEdit] = [],
    chain: UInt64 = 1, _ links: [UInt64]
  ) -> Decision {
    .announce(
      Commit(
        account: account, edits: edits, seals: links.map(Seal.numbered), after: .link(chain),
        state: .with(past + edits)))
  }

  static func track(_ requests: Int, edits: Int) -> Decision {
    .track(.committed(requests: requests, edits: edits))
  }
}

extension Write {
  static func of(
    _ account: Account.ID, _ edits: [RecordedEdit], after past: [RecordedEdit] = [],
    chain: UInt64 = 1
  ) -> Write {
    Write(
      account: account, edits: edits, before: .with(past), after: .with(past + edits),
      chain: .link(chain), logBytes: 0)
  }
}
