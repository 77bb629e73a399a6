import Testing

@testable import GoalsCore

/// Axioms of the writer's decisions, each tried on random requests. docs/laws.md lists them.
@Suite("Whatever is asked of the writer")
struct DecisionLawTests {
  private static let account = Account.ID.of(1)

  /// What is recorded of these proposals, when they arrive in batches of these sizes and so many
  /// batches arrive together.
  private func recorded(
    _ proposals: [Proposal], in random: RandomAccount, batches: [Int], rounds: [Int]
  ) -> (edits: [RecordedEdit], state: AccountState) {
    var rest = proposals[...]
    var submissions = batches.map { size in
      defer { rest = rest.dropFirst(size) }
      return Submission(
        ticket: 0, account: Self.account,
        batch: Batch(device: "phone", proposals: Array(rest.prefix(size)), shows: .nothing))
    }[...]
    var account = Account(
      state: random.account.state, chain: .link(1), recorded: random.account.recorded)
    var (writer, edits) = (Writer(), [RecordedEdit]())
    for size in rounds {
      let event = Event.arrived(
        Array(submissions.prefix(size)), accounts: [Self.account: account],
        now: random.account.now, zones: random.account.zones)
      submissions = submissions.dropFirst(size)
      for case .persist(let writes) in decide(event, &writer) {
        for write in writes {
          edits += write.edits
          account.state = write.after
          for edit in write.edits { account.recorded.record(edit) }
          let seals = write.edits.map { _ in Seal.numbered(1) }
          _ = decide(.committed([Self.account: seals]), &writer)
        }
      }
    }
    return (edits, account.state)
  }

  @Test("the same is recorded however the edits are cut into batches, and those into transactions")
  func cuts() {
    RandomAccount.each { random in
      let proposals = (0..<24).map { _ in Proposal.edit(random.proposal()) }
      let whole = recorded(proposals, in: random, batches: [24], rounds: [1])
      for _ in 0..<4 {
        let batches = random.cuts(of: 24)
        let cut = recorded(
          proposals, in: random, batches: batches, rounds: random.cuts(of: batches.count))
        #expect(cut.edits == whole.edits, random.dice.note)
        #expect(cut.state == whole.state, random.dice.note)
      }
    }
  }

  @Test("the same event decides the same, whenever it is decided: no clock is read")
  func function() {
    RandomAccount.each { random in
      let account = Account(
        state: random.account.state, chain: .link(1), recorded: random.account.recorded)
      let requests = (1...6).map { ticket in
        Submission(ticket: ticket, account: .of(UInt64(ticket % 3)), batch: random.batch())
      }
      let event = Event.arrived(
        requests, accounts: [.of(0): account, .of(1): account], now: random.account.now,
        zones: random.account.zones)
      var (one, other) = (Writer(), Writer())
      let decisions = decide(event, &one)
      #expect(decide(event, &other) == decisions, random.dice.note)
      for failure in [CommitFailure.other, .full, .storage] {
        var (again, twin) = (one, other)
        #expect(
          decide(.commitFailed(failure), &again) == decide(.commitFailed(failure), &twin),
          random.dice.note)
      }
    }
  }

  @Test("a dry run has the outcomes and versions of the batch, and leaves everything as it was")
  func dryRun() {
    RandomAccount.each { random in
      for _ in 0..<20 {
        let batch = random.batch()
        let dry = Batch(
          device: batch.device, proposals: batch.proposals, isAtomic: batch.isAtomic,
          isOneChange: batch.isOneChange, precondition: batch.precondition, isDryRun: true,
          shows: batch.shows)
        let state = random.account.state
        let real = state.judge(batch, chain: nil, by: random.circumstances)
        let asked = state.judge(dry, chain: nil, by: random.circumstances)
        guard !batch.isDryRun else { continue }
        #expect(asked.result == real.result && asked.version == real.version, random.dice.note)
        #expect(asked.outcomes == real.outcomes, random.dice.note)
        #expect(asked.recorded.isEmpty && asked.state == state, random.dice.note)
      }
    }
  }
}

extension RandomAccount {
  /// A number cut into others that add up to it.
  fileprivate mutating func cuts(of whole: Int) -> [Int] {
    var (cuts, rest) = ([Int](), whole)
    while rest > 0 {
      cuts.append(dice.number(in: 1...rest))
      rest -= cuts[cuts.count - 1]
    }
    return cuts
  }
}
