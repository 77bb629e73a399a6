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

  @Test("counts a day in the periods of both, where they overlap")
  func overlap() {
    var account = TestAccount.with(.some(1))
    account.count(2, on: "2026-11-17")
    account.record(.alter(1, [.rescheduling(to: .weekly)]), at: .at("2026-11-18T12:00:00Z"))
    #expect(account.periods(of: 1).suffix(2).map(\.count) == [2, 2])
  }

  @Test("asks the new question of the same days")
  func progress() {
    var account = TestAccount.with(.some(1))
    account.count(1, on: "2026-11-02", "2026-11-17", "2026-11-20")
    let progress = { (account: TestAccount) in account.entry(1)?.progress }
    #expect(progress(account) == .active(count: 1, in: .from("2026-11-20", to: "2026-11-21")))
    account.record(.alter(1, [.rescheduling(to: .weekly)]))
    #expect(progress(account) == .active(count: 2, in: .from("2026-11-16", to: "2026-11-23")))
    account.record(.alter(1, [.rescheduling(to: .monthly)]))
    #expect(progress(account) == .active(count: 3, in: .from("2026-11-01", to: "2026-12-01")))
  }

  @Test("has a current streak in the present interval only, and the longest of any")
  func streak() {
    var account = TestAccount.with(.some(1))
    account.count(1, on: "2026-11-14", "2026-11-15", "2026-11-16", "2026-11-17")
    #expect(account.streak(of: 1) == Streak(current: 0, longest: 4))
    account.record(.alter(1, [.rescheduling(to: .weekly)]), at: .at("2026-11-18T12:00:00Z"))
    #expect(account.streak(of: 1) == Streak(current: 1, longest: 4))
  }

  @Test("has a streak that does not pass the last change, though the interval is the same again")
  func thereAndBackStreak() {
    var account = TestAccount.with(.some(1))
    account.count(1, on: "2026-11-16", "2026-11-17", "2026-11-18", "2026-11-19", "2026-11-20")
    #expect(account.streak(of: 1) == Streak(current: 5, longest: 5))
    account.record(.alter(1, [.rescheduling(to: .weekly)]), at: .at("2026-11-18T10:00:00Z"))
    account.record(.alter(1, [.rescheduling(to: .daily)]), at: .at("2026-11-18T12:00:00Z"))
    #expect(account.streak(of: 1) == Streak(current: 3, longest: 3))
  }
}
