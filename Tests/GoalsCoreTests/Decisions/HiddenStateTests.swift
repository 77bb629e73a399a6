import Testing

@testable import GoalsCore

@Suite("A batch whose answer shows no state")
struct HiddenStateTests {
  private let account = TestAccount.with(.some(1))

  @Test("is decided the same, and its ruling holds none")
  func ruling() {
    for isAtomic in [false, true] {
      let shown = batch(bump, bad, bump, isAtomic: isAtomic)
      let hidden = shown.with(shows: .nothing)
      let (one, other) = (account.state.judged(shown), account.state.judged(hidden))
      #expect(other.state == nil)
      #expect(one.state?.version == other.stateVersion && one.stateVersion == other.stateVersion)
      #expect(one.result == other.result && one.outcomes == other.outcomes)
      #expect(one.recorded == other.recorded && one.version == other.version)
    }
  }

  @Test(
    "has the writer order the same, which changes the state in place then",
    arguments: [nil, CommitFailure.other, .full, .storage])
  func orders(failure: CommitFailure?) {
    func said(showing: [Batch.Shown]) -> [Decision] {
      let withdrawn = [
        batch(bump, isDryRun: true), batch(bump, bad, isAtomic: true),
        batch(bump, precondition: .version(Version(9))),
      ]
      let batches = withdrawn + [counting(201), counting(202)] + withdrawn + [counting(203)]
      let requests = batches.enumerated().map { place, batch in
        (account: Account.ID(1), batch: batch.with(shows: showing[place % showing.count]))
      }
      var scenario = WriterScenario()
      var said = scenario.arrive(all: requests)
      if let failure { said += scenario.fail(failure) }
      // Each that is tried alone is a transaction of its own.
      for _ in 1...4 { said += scenario.commit() }
      return (said + scenario.arrive(all: requests) + scenario.commit()).map(\.hidingState)
    }
    let shown = said(showing: [.progress])
    #expect(shown.contains { if case .install = $0 { true } else { false } })
    #expect(said(showing: [.nothing]) == shown)
    #expect(said(showing: [.progress, .nothing]) == shown)
    #expect(said(showing: [.nothing, .nothing, .progress]) == shown)
  }
}

extension Decision {
  /// The same, whose answer shows no state.
  fileprivate var hidingState: Decision {
    guard case .answer(let ticket, .ruled(let ruling, let chain)) = self else { return self }
    let state = AccountState(
      version: ruling.stateVersion, recordedAt: nil, calendar: .initial, roster: Roster())
    let hidden = Ruling(
      on: batch().with(shows: .nothing), result: ruling.result, outcomes: ruling.outcomes,
      recorded: ruling.recorded, state: state, version: ruling.version, Zones())
    return .answer(ticket, .ruled(hidden, chain: chain))
  }
}
