import Testing

@testable import GoalsCore

@Suite("A dry run")
struct DryRunTests {
  private let account = TestAccount.with(.some(1))

  @Test("says what would be, and records nothing")
  func outcomes() {
    let edits = batch(bump, bad, bump, isDryRun: true)
    let ruling = account.state.judged(edits)
    #expect(ruling.statuses[0] == .applied(Version(3)))
    #expect(ruling.codes[1] == .unknownGoal)
    #expect(ruling.statuses[2] == .applied(Version(4)))
    #expect(ruling.version == Version(4))
    #expect(ruling.recorded.isEmpty)
    #expect(ruling.state == account.state)
  }

  @Test("fails where the batch would fail")
  func failures() {
    let atomic = batch(bump, bad, isAtomic: true, isDryRun: true)
    #expect(account.state.judged(atomic).result == .batchRejected)
    let mismatched = batch(bump, precondition: .version(.none), isDryRun: true)
    #expect(account.state.judged(mismatched).result == .versionMismatch)
  }
}
