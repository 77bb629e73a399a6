import Testing

@testable import GoalsCore

@Suite("A goal's history")
struct HistoryRuleTests {
  @Test(
    "starts with the period of its creation, or of its earliest count",
    arguments: [
      (.daily, [], "2026-11-18"), (.weekly, [], "2026-11-16"), (.monthly, [], "2026-11-01"),
      (.daily, ["2026-11-19"], "2026-11-18"), (.weekly, ["2026-11-17"], "2026-11-16"),
      (.daily, ["2026-11-17"], "2026-11-17"), (.weekly, ["2026-11-15"], "2026-11-09"),
      (.monthly, ["2026-11-02"], "2026-11-01"), (.monthly, ["2026-10-31"], "2026-10-01"),
      (.daily, ["2026-11-12", "2026-11-10", "2026-11-14"], "2026-11-10"),
      (.monthly, ["2024-02-29"], "2024-02-01"), (.weekly, ["2024-02-29"], "2024-02-26"),
      (.weekly, ["2026-01-01"], "2025-12-29"),
    ] as [(Interval, [String], String)])
  func start(_ interval: Interval, _ counted: [String], expected: String) {
    var account = TestAccount.living(
      since: "2026-11-18T12:00:00Z", with: .some(1, "Goal", interval))
    for day in counted { account.count(1, on: day) }
    #expect(account.periods(of: 1).first?.period.start == .on(expected))
  }

  @Test(
    "starts with the creation's day by the present calendar",
    arguments: [
      ("UTC", "00:00", "2026-11-18"), ("UTC", "06:00", "2026-11-17"),
      ("Pacific/Kiritimati", "00:00", "2026-11-18"), ("Pacific/Pago_Pago", "00:00", "2026-11-17"),
    ])
  func startByCalendar(_ zone: String, _ dayStart: String, expected: String) {
    var account = TestAccount.living(since: "2026-11-18T05:00:00Z", with: .some(1))
    if (zone, dayStart) != ("UTC", "00:00") {
      account.record(.configure(.init(timeZone: .of(zone), dayStart: .of(dayStart))))
    }
    #expect(account.periods(of: 1).first?.period.start == .on(expected))
  }

  @Test("starts with its creation again, once the earlier count is taken back")
  func takenBack() {
    var account = TestAccount.living(since: "2026-11-18T00:00:00Z", with: .some(1))
    let bump = account.record(.bump(1, by: .of(2), note: nil), at: .at("2026-11-16T12:00:00Z"))
    #expect(
      account.history() == [
        "2026-11-16 met 2/1", "2026-11-17 paused 0/1", "2026-11-18 missed 0/1",
        "2026-11-19 missed 0/1", "2026-11-20 pending 0/1",
      ])
    account.record(.undo(bump))
    #expect(account.periods(of: 1).first?.period.start == .on("2026-11-18"))
  }

  @Test("does not start earlier for an excuse alone")
  func excuse() {
    var account = TestAccount.living(since: "2026-11-18T00:00:00Z", with: .some(1))
    account.record(.skip(1), at: .at("2026-11-16T12:00:00Z"))
    #expect(account.periods(of: 1).first?.period.start == .on("2026-11-18"))
    account.count(1, on: "2026-11-15")
    #expect(
      account.history().prefix(2) == ["2026-11-15 met 1/1", "2026-11-16 skipped 0/1"])
  }

  @Test("ends with the running period")
  func end() {
    let account = TestAccount.living(
      in: "America/Los_Angeles", dayStart: "03:00", now: "2026-11-20T10:59:59.999Z",
      with: .some(1), .some(2, "Goal", .weekly), .some(3, "Goal", .monthly))
    let last = { (id: Goal.ID) in account.periods(of: id).last?.period }
    #expect(last(1) == .from("2026-11-19", to: "2026-11-20"))
    #expect(last(2) == .from("2026-11-16", to: "2026-11-23"))
    #expect(last(3) == .from("2026-11-01", to: "2026-12-01"))
  }

  @Test("has no period for a day that never was, and none between that is missed")
  func missingDay() {
    var account = TestAccount.living(
      in: "Pacific/Apia", since: "2011-12-28T10:00:00Z", now: "2012-01-01T12:00:00Z",
      with: .some(1))
    for instant in ["2011-12-29T20:00:00Z", "2011-12-30T20:00:00Z", "2011-12-31T20:00:00Z"] {
      account.bump(at: instant)
    }
    #expect(
      account.history() == [
        "2011-12-28 missed 0/1", "2011-12-29 met 1/1", "2011-12-31 met 1/1", "2012-01-01 met 1/1",
        "2012-01-02 pending 0/1",
      ])
    #expect(account.streak(of: 1) == Streak(current: 3, longest: 3))
  }

  @Test("has every month, whatever its length", arguments: [("2024", "29"), ("2026", "28")])
  func months(_ year: String, lastOfFebruary: String) {
    var account = TestAccount.living(
      since: "\(year)-01-01T00:00:00Z", now: "\(year)-05-01T00:00:00Z",
      with: .some(1, "Goal", .monthly))
    account.count(1, on: "\(year)-01-31", "\(year)-02-\(lastOfFebruary)", "\(year)-04-30")
    #expect(
      account.history() == [
        "\(year)-01-01 met 1/1", "\(year)-02-01 met 1/1", "\(year)-03-01 missed 0/1",
        "\(year)-04-01 met 1/1", "\(year)-05-01 pending 0/1",
      ])
  }
}
