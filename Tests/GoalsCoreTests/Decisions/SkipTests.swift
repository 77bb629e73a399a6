import Testing

@testable import GoalsCore

@Suite("A skip")
struct SkipTests {
  @Test("excuses the day of its instant, by the account's calendar")
  func day() {
    var account = TestAccount.with(.some(1))
    account.record(.configure(.init(dayStart: .of("03:00"))))
    account.record(.skip(1), at: .at("2026-11-20T02:59:59.999Z"))
    #expect(account.log.last?.day == .on("2026-11-19"))
    #expect(account.state.roster.goal(1)?.days[.on("2026-11-19")].isExcused == true)
  }

  @Test("in a period that is excused already changes nothing")
  func unchanged() {
    var account = TestAccount.with(.some(1, "W", .weekly))
    account.record(.skip(1), at: .at("2026-11-17T12:00:00Z"))
    #expect(account.send(Edit(.skip(1)), at: .at("2026-11-22T12:00:00Z")).rejection == .inFuture)
    #expect(account.send(Edit(.skip(1)), at: .at("2026-11-16T00:00:00Z")) == .unchanged)
    #expect(account.send(Edit(.skip(1)), at: .at("2026-11-15T23:59:59Z")).recorded != nil)
    account.record(.alter(1, [.rescheduling(to: .daily)]))
    #expect(account.send(Edit(.skip(1)), at: .at("2026-11-17T12:00:00Z")) == .unchanged)
    #expect(account.send(Edit(.skip(1)), at: .at("2026-11-18T12:00:00Z")).recorded != nil)
  }

  @Test("of a goal that is inactive now, and was then, is refused")
  func inactive() {
    var account = TestAccount.with(.some(1))
    account.turn(on: false, at: "2026-11-18T00:00:00Z")
    #expect(account.send(Edit(.skip(1))).rejection == .inactiveGoal)
    #expect(account.send(Edit(.skip(9))).rejection == .unknownGoal)
    #expect(account.send(Edit(.skip(1)), at: .at("2026-11-17T23:59:59Z")).recorded != nil)
  }
}
