import Testing

@testable import GoalsCore

/// Today is Friday, the twentieth of November; weeks begin on the ninth and the sixteenth.
@Suite("A goal whose interval changes")
struct IntervalChangeTests {
  private func described(_ account: TestAccount, last count: Int) -> [String] {
    account.periods(of: 1).suffix(count).map { judged in
      "\(judged.interval) \(judged.period.start)\(judged.beginsInterval ? " begins" : "")"
    }
  }

  @Test(
    "keeps the old periods that had ended by then, and goes on from the new one that holds the change",
    arguments: [
      ("2026-11-18T12:00:00.000Z", "2026-11-17"), ("2026-11-18T00:00:00.000Z", "2026-11-17"),
      ("2026-11-17T23:59:59.999Z", "2026-11-16"), ("2026-11-16T00:00:00.000Z", "2026-11-15"),
    ])
  func toWeekly(_ change: String, lastDay: String) {
    var account = TestAccount.with(.some(1))
    account.record(.alter(1, [.rescheduling(to: .weekly)]), at: .at(change))
    #expect(described(account, last: 2) == ["daily \(lastDay)", "weekly 2026-11-16 begins"])
  }

  @Test(
    "keeps no period that was still running",
    arguments: [
      ("2026-11-18T12:00:00.000Z", "2026-11-09", ["2026-11-18", "2026-11-19", "2026-11-20"]),
      ("2026-11-19T00:00:00.000Z", "2026-11-09", ["2026-11-19", "2026-11-20"]),
    ])
  func toDaily(_ change: String, lastWeek: String, days: [String]) {
    var account = TestAccount.with(.some(1, "W", .weekly))
    account.record(.alter(1, [.rescheduling(to: .daily)]), at: .at(change))
    let expected =
      ["weekly \(lastWeek)", "daily \(days[0]) begins"] + days.dropFirst().map { "daily \($0)" }
    #expect(described(account, last: expected.count) == expected)
  }

  @Test("keeps a week that ended in the instant of the change")
  func atMonday() {
    var account = TestAccount.with(.some(1, "W", .weekly))
    account.record(.alter(1, [.rescheduling(to: .monthly)]), at: .at("2026-11-16T00:00:00.000Z"))
    #expect(described(account, last: 2) == ["weekly 2026-11-09", "monthly 2026-11-01 begins"])
  }

  @Test("begins anew even when it changes there and back on one day")
  func thereAndBack() {
    var account = TestAccount.with(.some(1))
    account.record(.alter(1, [.rescheduling(to: .weekly)]), at: .at("2026-11-18T10:00:00Z"))
    account.record(.alter(1, [.rescheduling(to: .daily)]), at: .at("2026-11-18T12:00:00Z"))
    #expect(
      described(account, last: 4) == [
        "daily 2026-11-17", "daily 2026-11-18 begins", "daily 2026-11-19", "daily 2026-11-20",
      ])
  }

  @Test("keeps nothing of a month that had not ended, though days of it were counted")
  func nothingEnded() {
    var account = TestAccount.living(
      since: "2026-11-02T00:00:00Z", with: .some(1, "Goal", .monthly))
    account.count(1, on: "2026-11-05", "2026-11-19")
    account.record(.alter(1, [.rescheduling(to: .daily)]), at: .at("2026-11-18T12:00:00Z"))
    #expect(
      account.history() == [
        "2026-11-18 missed 0/1", "2026-11-19 met 1/1", "2026-11-20 pending 0/1",
      ])
  }

  @Test("judges each of overlapping periods by its own interval and end")
  func overlap() {
    var account = TestAccount.living(since: "2026-11-14T00:00:00Z", with: .some(1))
    account.count(2, on: "2026-11-17")
    account.record(
      .alter(1, [.rescheduling(to: .weekly), .targeting(.times(3))]),
      at: .at("2026-11-18T12:00:00Z"))
    #expect(
      account.history() == [
        "2026-11-14 missed 0/1", "2026-11-15 missed 0/1", "2026-11-16 missed 0/1",
        "2026-11-17 met 2/1", "2026-11-16 pending 2/3",
      ])
  }

  @Test("may change again and again")
  func often() {
    var account = TestAccount.living(
      since: "2026-10-01T00:00:00Z", with: .some(1, "Goal", .monthly))
    account.record(.alter(1, [.rescheduling(to: .weekly)]), at: .at("2026-11-03T12:00:00Z"))
    account.record(.alter(1, [.rescheduling(to: .daily)]), at: .at("2026-11-19T12:00:00Z"))
    #expect(
      account.history() == [
        "2026-10-01 missed 0/1", "2026-11-02 missed 0/1", "2026-11-09 missed 0/1",
        "2026-11-19 missed 0/1", "2026-11-20 pending 0/1",
      ])
  }

  @Test("to one dated before the last change has that one never been")
  func overridden() {
    var account = TestAccount.living(since: "2026-11-14T00:00:00Z", with: .some(1))
    account.record(.alter(1, [.rescheduling(to: .monthly)]), at: .at("2026-11-18T12:00:00Z"))
    account.record(.alter(1, [.rescheduling(to: .weekly)]), at: .at("2026-11-16T12:00:00Z"))
    #expect(
      account.history() == [
        "2026-11-14 missed 0/1", "2026-11-15 missed 0/1", "2026-11-16 pending 0/1",
      ])
  }

  @Test("on a day that is the account's, not the zone's")
  func nightOwl() {
    var account = TestAccount.living(
      in: "America/Los_Angeles", dayStart: "03:00", since: "2026-11-14T11:00:00Z",
      with: .some(1))
    // Monday, 02:30: Sunday is not over, and it is in the week that ends with it.
    account.record(.alter(1, [.rescheduling(to: .weekly)]), at: .at("2026-11-16T10:30:00Z"))
    #expect(
      account.history() == [
        "2026-11-14 missed 0/1", "2026-11-09 paused 0/1", "2026-11-16 pending 0/1",
      ])
  }
}
