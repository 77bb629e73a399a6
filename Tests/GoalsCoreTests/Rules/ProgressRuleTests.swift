import Testing

@testable import GoalsCore

/// A goal counts 3 in the last instant of a period; the next begins with that instant's next.
private typealias PeriodEnd = (
  zone: String, dayStart: String, interval: Interval, period: String, next: String, end: String
)

@Suite("Progress")
struct ProgressRuleTests {
  private static let ends: [PeriodEnd] = [
    (
      "UTC", "00:00", .daily, "2026-11-20..2026-11-21", "2026-11-21..2026-11-22",
      "2026-11-21T00:00:00Z"
    ),
    (
      "UTC", "00:00", .weekly, "2026-11-16..2026-11-23", "2026-11-23..2026-11-30",
      "2026-11-23T00:00:00Z"
    ),
    (
      "UTC", "00:00", .monthly, "2026-11-01..2026-12-01", "2026-12-01..2027-01-01",
      "2026-12-01T00:00:00Z"
    ),
    (
      "UTC", "00:00", .monthly, "2024-02-01..2024-03-01", "2024-03-01..2024-04-01",
      "2024-03-01T00:00:00Z"
    ),
    (
      "UTC", "00:00", .daily, "2024-02-29..2024-03-01", "2024-03-01..2024-03-02",
      "2024-03-01T00:00:00Z"
    ),
    (
      "UTC", "00:00", .monthly, "2100-02-01..2100-03-01", "2100-03-01..2100-04-01",
      "2100-03-01T00:00:00Z"
    ),
    (
      "UTC", "00:00", .daily, "2100-02-28..2100-03-01", "2100-03-01..2100-03-02",
      "2100-03-01T00:00:00Z"
    ),
    (
      "UTC", "03:00", .monthly, "2026-12-01..2027-01-01", "2027-01-01..2027-02-01",
      "2027-01-01T03:00:00Z"
    ),
    // The night owl's October ends after the clocks were put back.
    (
      "America/Los_Angeles", "03:00", .monthly, "2026-10-01..2026-11-01",
      "2026-11-01..2026-12-01", "2026-11-01T11:00:00Z"
    ),
    (
      "America/Los_Angeles", "03:00", .daily, "2026-03-07..2026-03-08", "2026-03-08..2026-03-09",
      "2026-03-08T10:00:00Z"
    ),
    (
      "Europe/Berlin", "03:00", .weekly, "2026-03-23..2026-03-30", "2026-03-30..2026-04-06",
      "2026-03-30T01:00:00Z"
    ),
    (
      "Europe/Berlin", "00:00", .weekly, "2026-10-19..2026-10-26", "2026-10-26..2026-11-02",
      "2026-10-25T23:00:00Z"
    ),
    (
      "Asia/Kathmandu", "00:00", .monthly, "2026-10-01..2026-11-01", "2026-11-01..2026-12-01",
      "2026-10-31T18:15:00Z"
    ),
    (
      "Australia/Lord_Howe", "02:15", .daily, "2026-10-03..2026-10-04", "2026-10-04..2026-10-05",
      "2026-10-03T15:30:00Z"
    ),
    // The thirtieth never was: the day before it ends with the thirty-first.
    (
      "Pacific/Apia", "03:00", .daily, "2011-12-29..2011-12-31", "2011-12-31..2012-01-01",
      "2011-12-30T13:00:00Z"
    ),
    (
      "Pacific/Apia", "00:00", .monthly, "2011-12-01..2012-01-01", "2012-01-01..2012-02-01",
      "2011-12-31T10:00:00Z"
    ),
  ]

  @Test("is 0 when a period ends, because the question has changed", arguments: ends)
  private func nextPeriod(_ row: PeriodEnd) {
    let last = Instant.at(row.end).adding(milliseconds: -1)
    var account = TestAccount.living(
      in: row.zone, dayStart: row.dayStart, since: "2000-01-01T00:00:00Z", now: last.description,
      with: .some(1, "Goal", row.interval))
    account.record(.bump(1, by: .of(3), note: nil))
    let state = account.state
    #expect(account.progress() == "3 in \(row.period)")
    account.now = .at(row.end)
    #expect(account.progress() == "0 in \(row.next)")
    #expect(account.state == state)
  }

  /// Sunday, the 25th of October 2026 begins at 03:00, when the clocks have been put back.
  @Test(
    "is that of the week which begins on the account's week start",
    arguments: [
      (.monday, "2026-10-19..2026-10-26", "2026-10-19..2026-10-26"),
      (.tuesday, "2026-10-20..2026-10-27", "2026-10-20..2026-10-27"),
      (.wednesday, "2026-10-21..2026-10-28", "2026-10-21..2026-10-28"),
      (.thursday, "2026-10-22..2026-10-29", "2026-10-22..2026-10-29"),
      (.friday, "2026-10-23..2026-10-30", "2026-10-23..2026-10-30"),
      (.saturday, "2026-10-24..2026-10-31", "2026-10-24..2026-10-31"),
      (.sunday, "2026-10-18..2026-10-25", "2026-10-25..2026-11-01"),
    ] as [(Weekday, String, String)])
  func weekStarts(_ weekStart: Weekday, _ onSaturday: String, _ onSunday: String) {
    var account = TestAccount.living(
      in: "Europe/Berlin", dayStart: "03:00", weekStart: weekStart,
      since: "2026-10-01T00:00:00Z", now: "2026-10-25T02:00:00Z",
      with: .some(1, "Goal", .weekly))
    account.bump(at: "2026-10-25T01:59:59.999Z")
    account.bump(2, at: "2026-10-25T02:00:00Z")
    let (saturday, sunday) = onSaturday == onSunday ? (3, 3) : (1, 2)
    #expect(account.progress(at: "2026-10-25T01:59:59.999Z") == "\(saturday) in \(onSaturday)")
    #expect(account.progress(at: "2026-10-25T02:00:00Z") == "\(sunday) in \(onSunday)")
  }

  @Test("asks the new question of the same days when the interval changes, and the old one again")
  func interval() {
    var account = TestAccount.living(with: .some(1))
    account.count(1, on: "2026-11-02", "2026-11-17", "2026-11-20")
    #expect(account.progress() == "1 in 2026-11-20..2026-11-21")
    account.record(.alter(1, [.rescheduling(to: .weekly)]))
    #expect(account.progress() == "2 in 2026-11-16..2026-11-23")
    account.record(.update(.some(1, "Goal", .monthly)))
    #expect(account.progress() == "3 in 2026-11-01..2026-12-01")
    account.record(.alter(1, [.rescheduling(to: .daily)]))
    #expect(account.progress() == "1 in 2026-11-20..2026-11-21")
  }

  @Test("asks the new question of the same days when the week start changes")
  func weekStart() {
    var account = TestAccount.living(with: .some(1, "Goal", .weekly))
    account.count(1, on: "2026-11-14", "2026-11-15", "2026-11-16", "2026-11-20")
    #expect(account.progress() == "2 in 2026-11-16..2026-11-23")
    account.record(.configure(.init(weekStart: .sunday)))
    #expect(account.progress() == "3 in 2026-11-15..2026-11-22")
    account.record(.configure(.init(weekStart: .saturday)))
    #expect(account.progress() == "4 in 2026-11-14..2026-11-21")
    account.record(.configure(.init(weekStart: .friday)))
    #expect(account.progress() == "1 in 2026-11-20..2026-11-27")
  }

  @Test("is none while the goal is off, and has lost nothing when it is on again")
  func offAndOn() {
    var account = TestAccount.living(with: .some(1, "Goal", .weekly))
    account.count(2, on: "2026-11-16", "2026-11-19")
    account.turn(on: false, at: "2026-11-19T13:00:00Z")
    #expect(account.progress() == nil)
    #expect(account.counts() == ["2026-11-16: 2", "2026-11-19: 2"])
    account.turn(on: true, at: "2026-11-20T11:00:00Z")
    #expect(account.progress() == "4 in 2026-11-16..2026-11-23")
  }

  @Test("has what was counted offline while the goal was on, though it is off by now")
  func countedBefore() {
    var account = TestAccount.living(with: .some(1, "Goal", .weekly))
    account.turn(on: false, at: "2026-11-19T00:00:00Z")
    let bump = Edit(.bump(1, by: .one, note: nil))
    #expect(account.send(bump, at: .at("2026-11-19T00:00:00Z")).rejection == .inactiveGoal)
    account.bump(at: "2026-11-18T23:59:59.999Z")
    account.turn(on: true, at: "2026-11-20T00:00:00Z")
    // On now, so what was counted while it was off is taken too.
    account.bump(at: "2026-11-19T12:00:00Z")
    #expect(account.counts() == ["2026-11-18: 1", "2026-11-19: 1"])
    #expect(account.progress() == "2 in 2026-11-16..2026-11-23")
  }
}
