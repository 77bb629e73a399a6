import Testing

@testable import GoalsCore

/// The first of November is a Sunday, the twentieth, which is today, a Friday.
@Suite("A period")
struct JudgedPeriodTests {
  private struct Situation: CustomTestStringConvertible {
    let isReached: Bool
    let isExcused: Bool
    let isRunning: Bool
    let isOff: Bool
    let state: JudgedPeriod.State

    init(
      _ isReached: Bool, _ isExcused: Bool, _ isRunning: Bool, _ isOff: Bool,
      _ state: JudgedPeriod.State
    ) {
      self.isReached = isReached
      self.isExcused = isExcused
      self.isRunning = isRunning
      self.isOff = isOff
      self.state = state
    }

    var testDescription: String {
      let words = [
        isReached ? "reached" : "not reached", isExcused ? "excused" : "",
        isRunning ? "running" : "over", isOff ? "off" : "",
      ]
      return words.filter { !$0.isEmpty }.joined(separator: ", ")
    }
  }

  private static let situations: [Situation] = [
    // reached, excused, running, off
    .init(true, true, true, true, .met), .init(true, true, true, false, .met),
    .init(true, true, false, true, .met), .init(true, true, false, false, .met),
    .init(true, false, true, true, .met), .init(true, false, true, false, .met),
    .init(true, false, false, true, .met), .init(true, false, false, false, .met),
    .init(false, true, true, true, .skipped), .init(false, true, true, false, .skipped),
    .init(false, true, false, true, .skipped), .init(false, true, false, false, .skipped),
    .init(false, false, true, true, .pending), .init(false, false, true, false, .pending),
    .init(false, false, false, true, .paused), .init(false, false, false, false, .missed),
  ]

  @Test(
    "is the first of met, skipped, pending, paused and missed that holds", arguments: situations,
    [Interval.daily, .weekly, .monthly])
  private func order(_ situation: Situation, _ interval: Interval) {
    let end: [Interval: String] = [
      .daily: "2026-11-21", .weekly: "2026-11-23", .monthly: "2026-12-01",
    ]
    let start: [Interval: String] = [
      .daily: "2026-11-20", .weekly: "2026-11-16", .monthly: "2026-11-01",
    ]
    var account = TestAccount.living(
      since: "2026-10-01T00:00:00Z", with: .some(1, "Goal", interval, times: 3))
    account.count(situation.isReached ? 3 : 2, on: "2026-11-20")
    if situation.isExcused { account.record(.skip(1), at: .at("2026-11-20T01:00:00Z")) }
    if situation.isOff { account.turn(on: false, at: "2026-11-20T02:00:00Z") }
    let over = Instant.at("\(end[interval] ?? "")T00:00:00Z")
    account.now = situation.isRunning ? over.adding(milliseconds: -1) : over
    #expect(account.judgement(of: 1, start[interval] ?? "") == situation.state)
  }

  @Test(
    "is met by its frequency or more, never by less",
    arguments: [(0, 0), (1, 0), (2, 1), (3, 1), (1000, 1)])
  func counts(_ count: Int, met: Int) {
    var account = TestAccount.living(with: .some(1, times: 2))
    if count > 0 { account.count(count, on: "2026-11-18") }
    #expect(account.judgement(of: 1, "2026-11-18") == (met == 1 ? .met : .missed))
    #expect(account.periods(of: 1).first { $0.period.start == .on("2026-11-18") }?.count == count)
  }

  @Test(
    "is over with the last instant of its last day, by the account's calendar",
    arguments: [
      ("UTC", "00:00", Interval.daily, "2026-11-19", "2026-11-20T00:00:00Z"),
      ("UTC", "03:00", .daily, "2026-11-19", "2026-11-20T03:00:00Z"),
      ("UTC", "12:00", .weekly, "2026-11-09", "2026-11-16T12:00:00Z"),
      ("America/Los_Angeles", "03:00", .monthly, "2026-10-01", "2026-11-01T11:00:00Z"),
      ("Europe/Berlin", "00:00", .weekly, "2026-10-19", "2026-10-25T23:00:00Z"),
      ("Asia/Kathmandu", "00:00", .daily, "2026-11-19", "2026-11-19T18:15:00Z"),
      ("Pacific/Apia", "03:00", .daily, "2011-12-29", "2011-12-30T13:00:00Z"),
    ] as [(String, String, Interval, String, String)])
  func over(_ zone: String, _ dayStart: String, _ interval: Interval, start: String, end: String) {
    let account = TestAccount.living(
      in: zone, dayStart: dayStart, since: "2011-01-01T00:00:00Z",
      with: .some(1, "Goal", interval))
    let last = Instant.at(end).adding(milliseconds: -1)
    #expect(account.judgement(of: 1, start, until: last) == .pending)
    #expect(account.judgement(of: 1, start, until: .at(end)) == .missed)
  }

  @Test("has the days that are in it by the present calendar, also if it was judged by another")
  func calendar() {
    var account = TestAccount.living(with: .some(1, "Goal", .weekly, times: 2))
    account.count(1, on: "2026-11-08", "2026-11-09")
    #expect(
      account.history() == [
        "2026-10-26 paused 0/2", "2026-11-02 missed 1/2", "2026-11-09 missed 1/2",
        "2026-11-16 pending 0/2",
      ])
    account.record(.configure(.init(weekStart: .sunday)))
    #expect(
      account.history() == [
        "2026-11-01 missed 0/2", "2026-11-08 met 2/2", "2026-11-15 pending 0/2",
      ])
  }

  @Test("is skipped as a whole for one excused day, wherever in it that is")
  func excused() {
    for day in ["2026-11-09", "2026-11-12", "2026-11-15"] {
      var account = TestAccount.living(with: .some(1, "Goal", .weekly))
      account.record(.skip(1), at: .at("\(day)T12:00:00Z"))
      #expect(
        account.history(from: "2026-11-02") == [
          "2026-11-02 missed 0/1", "2026-11-09 skipped 0/1", "2026-11-16 pending 0/1",
        ])
    }
  }

  @Test("of a month is skipped for the day on which a week was")
  func excusedInAnother() {
    var account = TestAccount.living(with: .some(1, "Goal", .weekly))
    account.record(.skip(1), at: .at("2026-11-17T12:00:00Z"))
    account.record(.alter(1, [.rescheduling(to: .monthly)]))
    #expect(account.history(from: "2026-11-01").last == "2026-11-01 skipped 0/1")
    account.record(.alter(1, [.rescheduling(to: .daily)]))
    #expect(account.history().last == "2026-11-20 pending 0/1")
  }
}

/// What a day of two counts, the eighteenth, comes to.
@Suite("What was in force just before a period's end")
struct InForceTests {
  @Test(
    "judges all of it: the frequency",
    arguments: [
      ("2026-11-17T12:00:00Z", JudgedPeriod.State.missed), ("2026-11-18T00:00:00Z", .missed),
      ("2026-11-18T23:59:59.999Z", .missed), ("2026-11-19T00:00:00Z", .met),
      ("2026-11-19T12:00:00Z", .met),
    ])
  func frequency(_ change: String, expected: JudgedPeriod.State) {
    var account = TestAccount.living(with: .some(1, times: 2))
    account.count(2, on: "2026-11-18")
    account.record(.alter(1, [.targeting(.times(3))]), at: .at(change))
    #expect(account.judgement(of: 1, "2026-11-18") == expected)
  }

  @Test(
    "is by the account's day, not the zone's date",
    arguments: [("2026-11-19T10:59:59.999Z", 3), ("2026-11-19T11:00:00Z", 2)])
  func nightOwl(_ change: String, expected: Int) {
    var account = TestAccount.living(
      in: "America/Los_Angeles", dayStart: "03:00", with: .some(1, times: 2))
    account.record(.alter(1, [.targeting(.times(3))]), at: .at(change))
    let judged = account.periods(of: 1).first { $0.period.start == .on("2026-11-18") }
    #expect(judged?.frequency.value == expected)
  }

  @Test("is, for the running period, what is known of its end now")
  func running() {
    var account = TestAccount.living(with: .some(1, "Goal", .monthly, times: 5))
    account.count(3, on: "2026-11-18")
    #expect(account.history() == ["2026-11-01 pending 3/5"])
    account.record(.alter(1, [.targeting(.times(3))]), at: .at("2026-11-19T12:00:00Z"))
    #expect(account.history() == ["2026-11-01 met 3/3"])
    account.record(.alter(1, [.targeting(.times(4))]), at: .at("2026-11-02T12:00:00Z"))
    #expect(account.history() == ["2026-11-01 pending 3/4"])
  }
}
