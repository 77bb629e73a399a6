import Testing

@testable import GoalsCore

@Suite("A count")
struct CountingRuleTests {
  @Test("lands on the same days in whatever order the bumps arrive")
  func order() {
    let bumps = [
      (2, "2026-11-18T12:00:00Z"), (1, "2026-11-19T12:00:00Z"), (3, "2026-11-18T01:00:00Z"),
    ]
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
    for order in orders {
      var account = TestAccount.living(with: .some(1))
      for place in order { account.bump(bumps[place].0, at: bumps[place].1) }
      #expect(account.counts() == ["2026-11-18: 5", "2026-11-19: 1"], "\(order)")
    }
  }

  @Test("stays on its recorded day when the time-zone database changes")
  func database() throws {
    var account = TestAccount.living(with: .some(1))
    let name = ZoneName.of("Test/Moved")
    account.zones = Zones([name: .found(.utc)])
    account.record(.configure(.init(timeZone: name)))
    account.bump(2, at: "2026-11-20T12:00:00Z")
    account.zones = Zones([name: .found(try TimeFixtures.zone(initial: 14 * 3600))])
    #expect(account.counts() == ["2026-11-20: 2"])
    account.bump(3, at: "2026-11-20T12:00:00Z")
    #expect(account.counts() == ["2026-11-20: 2", "2026-11-21: 3"])
    // The log folds to the same days, by whatever database.
    let folded = account.log.reduce(AccountState()) { $1.transform($0) }
    #expect(folded.roster == account.state.roster)
  }
}
