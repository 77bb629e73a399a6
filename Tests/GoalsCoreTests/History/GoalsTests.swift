import Testing

@testable import GoalsCore

@Suite("Until when the list reads so")
struct ValidityTests {
  private func validUntil(_ account: TestAccount) -> Instant? {
    account.state.goals(at: account.now, in: account.calendar).validUntil
  }

  @Test("is the first end of a running period")
  func first() {
    var account = TestAccount.with(.some(1, "M", .monthly), .some(2, "W", .weekly))
    #expect(validUntil(account) == .at("2026-11-23T00:00:00Z"))
    account.record(.alter(1, [.rescheduling(to: .daily)]))
    #expect(validUntil(account) == .at("2026-11-21T00:00:00Z"))
  }

  @Test("is the day's end where today's count is another tomorrow")
  func today() {
    var account = TestAccount.with(.some(1, "M", .monthly))
    #expect(validUntil(account) == .at("2026-12-01T00:00:00Z"))
    account.count(1, on: "2026-11-19")
    #expect(validUntil(account) == .at("2026-12-01T00:00:00Z"))
    account.count(1, on: "2026-11-20")
    #expect(validUntil(account) == .at("2026-11-21T00:00:00Z"))
  }

  @Test("is for ever where no goal is active")
  func never() {
    var account = TestAccount.with(.some(1))
    account.turn(on: false, at: "2026-11-19T12:00:00Z")
    #expect(validUntil(account) == nil)
    #expect(validUntil(TestAccount()) == nil)
  }

  @Test("is the day's end for a goal that a fast clock turns off tomorrow")
  func futureOff() {
    var account = TestAccount.with(.some(1))
    account.count(1, on: "2026-11-18", "2026-11-19")
    account.now = .at("2026-11-20T23:58:00Z")
    account.turn(on: false, at: "2026-11-21T00:01:00Z")
    #expect(account.item(1)?.streak.current == 2)
    #expect(account.item(1, at: .at("2026-11-21T00:00:00Z"))?.streak.current == 0)
    #expect(validUntil(account) == .at("2026-11-21T00:00:00Z"))
  }
}
