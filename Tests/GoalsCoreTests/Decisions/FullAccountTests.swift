import TestSupport
import Testing

@testable import GoalsCore

/// An edit takes 10 bytes here.
@Suite("An account whose log has reached its quota") struct FullAccountTests {
  /// A ruling, as far as these tests ask.
  private struct Ruled: Hashable {
    let ticket: Submission.Ticket
    let result: Ruling.Result
    let statuses: [Outcome.Status]

    init(_ ticket: Submission.Ticket, _ result: Ruling.Result, _ statuses: Outcome.Status...) {
      (self.ticket, self.result, self.statuses) = (ticket, result, statuses)
    }

    init?(_ decision: Decision) {
      guard case .answer(let ticket, .ruled(let ruling, _)) = decision else { return nil }
      self.ticket = ticket
      result = ruling.result
      statuses = ruling.outcomes.map(\.status)
    }
  }

  private func scenario() -> WriterScenario {
    var scenario = WriterScenario(accounts: 2)
    (scenario.maximumLogBytes, scenario.bytesPerEdit) = (10, 10)
    _ = scenario.arrive((1, counting(201)))
    _ = scenario.commit()
    return scenario
  }

  @Test("has nothing recorded any more, while another's is")
  func full() {
    var scenario = scenario()
    let ordered = scenario.arrive((1, counting(202)), (2, counting(202)))
    guard case .persist(let writes)? = ordered.first else {
      Issue.record("\(ordered)")
      return
    }
    #expect(ordered.count == 1 && writes.map(\.account) == [2])
    #expect(
      scenario.commit().compactMap(Ruled.init) == [
        Ruled(1, .accountFull), Ruled(2, .decided, .applied(Version(3))),
      ])
    #expect(scenario.installed[1]?.state.version == Version(3))
  }

  @Test("answers as ever where nothing would be recorded")
  func nothing() {
    var scenario = scenario()
    let decisions = scenario.arrive((1, counting(201)), (1, batch(Edit(.alter(1, [])))))
    #expect(
      decisions.compactMap(Ruled.init) == [
        Ruled(1, .decided, .duplicate(Version(3))), Ruled(2, .decided, .unchanged),
      ])
    #expect(decisions.count == 2)
  }

  @Test("says, of what it refuses, the outcomes of the edits that were recorded before")
  func recordedBefore() {
    var scenario = scenario()
    let old = counting(201).proposals + counting(202).proposals
    for isAtomic in [false, true] {
      let mixed = Batch(device: "phone", proposals: old, isAtomic: isAtomic)
      #expect(
        scenario.arrive((1, mixed)).compactMap(Ruled.init)
          == [Ruled(1, .accountFull, .duplicate(Version(3)))])
    }
  }

  @Test("is told first of a version that is another, and by a dry run of its quota")
  func order() {
    var scenario = scenario()
    let decisions = scenario.arrive(
      (1, counting(202, on: .version(Version(1)))), (1, batch(bump, isDryRun: true)))
    #expect(
      decisions.compactMap(Ruled.init) == [Ruled(1, .versionMismatch), Ruled(2, .accountFull)])
  }

  @Test("is full also for what is tried alone after it was filled")
  func triedAlone() {
    var scenario = WriterScenario()
    (scenario.maximumLogBytes, scenario.bytesPerEdit) = (10, 10)
    _ = scenario.arrive((1, counting(201)), (1, counting(202)))
    _ = scenario.fail(.other)
    #expect(
      scenario.commit().compactMap(Ruled.init) == [
        Ruled(1, .decided, .applied(Version(3))), Ruled(2, .accountFull),
      ])
  }
}
