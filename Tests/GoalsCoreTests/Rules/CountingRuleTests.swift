import Testing

@testable import GoalsCore

@Suite("A count")
struct CountingRuleTests {
  @Test(
    "lands on the day of the bump's `at`, not of its arrival",
    arguments: [
      ("2026-11-20T12:00:00Z", "2026-11-20"), ("2026-11-20T00:00:00Z", "2026-11-20"),
      ("2026-11-19T23:59:59.999Z", "2026-11-19"), ("2026-11-01T00:00:00Z", "2026-11-01"),
      ("2026-10-31T23:59:59.999Z", "2026-10-31"), ("2000-01-01T00:00:00Z", "2000-01-01"),
      // By a clock that is five minutes ahead, at five minutes to midnight.
      ("2026-11-21T00:00:00Z", "2026-11-21"),
    ] as [(String, String)])
  func arrival(_ at: String, day: String) {
    var account = TestAccount.living(now: "2026-11-20T23:55:00Z", with: .some(1))
    account.bump(at: at)
    #expect(account.counts() == ["\(day): 1"])
    #expect(account.log.last?.recordedAt == .at("2026-11-20T23:55:00Z"))
  }

  @Test("lands on the server's day where the bump has no `at`")
  func now() {
    var account = TestAccount.living(now: "2026-11-20T23:59:59.999Z", with: .some(1))
    account.record(.bump(1, by: .one, note: nil))
    #expect(account.counts() == ["2026-11-20: 1"])
  }

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

  @Test("is only what its own day has: no other day lets it fall below 0")
  func ownDay() {
    var account = TestAccount.living(with: .some(1))
    account.bump(2, at: "2026-11-19T12:00:00Z")
    let minus = Edit(.bump(1, by: .of(-1), note: nil))
    #expect(account.send(minus).rejection == .belowZero)
    #expect(account.send(minus, at: .at("2026-11-18T12:00:00Z")).rejection == .belowZero)
    account.bump(-2, at: "2026-11-19T00:00:00Z")
    #expect(account.counts() == [])
    #expect(account.send(minus, at: .at("2026-11-19T12:00:00Z")).rejection == .belowZero)
  }

  @Test(
    "stays on its recorded day when the account moves, and new ones follow the new calendar",
    arguments: [
      // At noon in UTC it is 02:00 of the next day on Kiritimati, and 01:00 in Pago Pago.
      ("Pacific/Kiritimati", "00:00", "Pacific/Pago_Pago", "00:00", "2026-11-21", "2026-11-20"),
      ("Pacific/Pago_Pago", "00:00", "Pacific/Kiritimati", "00:00", "2026-11-20", "2026-11-21"),
      ("Pacific/Pago_Pago", "00:00", "Pacific/Pago_Pago", "03:00", "2026-11-20", "2026-11-19"),
      ("Pacific/Kiritimati", "03:00", "Pacific/Kiritimati", "02:00", "2026-11-20", "2026-11-21"),
      ("UTC", "00:00", "Pacific/Kiritimati", "03:00", "2026-11-20", "2026-11-20"),
    ] as [(String, String, String, String, String, String)])
  func moved(
    _ zone: String, _ dayStart: String, _ newZone: String, _ newDayStart: String, _ day: String,
    _ newDay: String
  ) {
    var account = TestAccount.living(in: zone, dayStart: dayStart, with: .some(1))
    account.record(.bump(1, by: .of(2), note: nil))
    let zoneChange = zone == newZone ? nil : ZoneName.of(newZone)
    account.record(.configure(.init(timeZone: zoneChange, dayStart: .of(newDayStart))))
    #expect(account.counts() == ["\(day): 2"])
    account.record(.bump(1, by: .of(3), note: nil))
    let counts = day == newDay ? ["\(day): 5"] : ["\(day): 2", "\(newDay): 3"].sorted()
    #expect(account.counts() == counts)
  }

  @Test("that is on tomorrow since the account moved west is not in today's progress yet")
  func tomorrow() {
    var account = TestAccount.living(in: "Pacific/Kiritimati", with: .some(1))
    account.record(.bump(1, by: .of(2), note: nil))
    #expect(account.progress() == "2 in 2026-11-21..2026-11-22")
    account.record(.configure(.init(timeZone: .of("Pacific/Pago_Pago"))))
    #expect(account.progress() == "0 in 2026-11-20..2026-11-21")
    #expect(account.progress(at: "2026-11-21T10:59:59.999Z") == "0 in 2026-11-20..2026-11-21")
    #expect(account.progress(at: "2026-11-21T11:00:00Z") == "2 in 2026-11-21..2026-11-22")
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
