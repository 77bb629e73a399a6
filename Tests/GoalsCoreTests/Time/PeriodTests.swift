import GoalsCore
import Testing

@Suite("A period")
struct PeriodTests {
  @Test(
    "of a day ends with the next",
    arguments: [
      ("2026-11-20", "2026-11-21"), ("2027-02-28", "2027-03-01"), ("2028-02-28", "2028-02-29"),
      ("2028-02-29", "2028-03-01"), ("2026-12-31", "2027-01-01"),
    ])
  func daily(day: String, end: String) throws {
    try expect(GoalCalendar(), .daily, holding: day, from: day, to: end)
  }

  @Test(
    "of a week begins on the week start",
    arguments: [
      (.monday, "2026-11-16"), (.tuesday, "2026-11-17"), (.wednesday, "2026-11-18"),
      (.thursday, "2026-11-19"), (.friday, "2026-11-20"), (.saturday, "2026-11-14"),
      (.sunday, "2026-11-15"),
    ] as [(Weekday, String)])
  func weekly(weekStart: Weekday, start: String) throws {
    let calendar = GoalCalendar(weekStart: weekStart)
    let first = Day.on(start)
    let end = try #require(first.adding(days: 7)).description
    try expect(calendar, .weekly, holding: "2026-11-20", from: start, to: end)
    #expect(first.weekday == weekStart)
  }

  @Test(
    "of a month begins on its first",
    arguments: [
      ("2026-11-01", "2026-11-01", "2026-12-01"), ("2026-11-30", "2026-11-01", "2026-12-01"),
      ("2026-12-31", "2026-12-01", "2027-01-01"), ("2027-01-31", "2027-01-01", "2027-02-01"),
      ("2027-02-28", "2027-02-01", "2027-03-01"), ("2028-02-29", "2028-02-01", "2028-03-01"),
      ("2100-02-28", "2100-02-01", "2100-03-01"), ("2000-02-29", "2000-02-01", "2000-03-01"),
    ])
  func monthly(day: String, start: String, end: String) throws {
    try expect(GoalCalendar(), .monthly, holding: day, from: start, to: end)
  }

  @Test("begins and ends with days that the zone has", arguments: ["00:00", "03:00"])
  func skippedDay(dayStart: String) throws {
    let calendar = try TimeFixtures.calendar("Pacific/Apia", dayStart: dayStart, weekStart: .friday)
    for day in ["2011-12-29", "2011-12-30"] {
      try expect(calendar, .daily, holding: day, from: "2011-12-29", to: "2011-12-31")
      try expect(calendar, .weekly, holding: day, from: "2011-12-23", to: "2011-12-31")
    }
    try expect(calendar, .daily, holding: "2011-12-31", from: "2011-12-31", to: "2012-01-01")
    try expect(calendar, .weekly, holding: "2011-12-31", from: "2011-12-31", to: "2012-01-06")
    try expect(calendar, .monthly, holding: "2011-12-30", from: "2011-12-01", to: "2012-01-01")
  }

  @Test("of a month may lose its last day")
  func skippedLastDay() throws {
    let calendar = try TimeFixtures.calendar("Asia/Manila")
    try expect(calendar, .monthly, holding: "1844-12-31", from: "1844-12-01", to: "1845-01-01")
    try expect(calendar, .daily, holding: "1844-12-30", from: "1844-12-30", to: "1845-01-01")
  }

  private func expect(
    _ calendar: GoalCalendar, _ interval: Interval, holding day: String, from start: String,
    to end: String
  ) throws {
    let period = calendar.period(of: interval, holding: Day.on(day))
    #expect(period.start.description == start)
    #expect(period.end.description == end)
    #expect(period.contains(Day.on(day)))
    let next = try #require(calendar.period(of: interval, after: period))
    #expect(next.start == period.end)
    #expect(calendar.period(of: interval, before: next) == period)
  }

  @Test("is followed by another until the last day, and so backwards", arguments: Interval.allCases)
  func ends(interval: Interval) throws {
    for calendar in [
      GoalCalendar(), try TimeFixtures.calendar("Pacific/Apia", weekStart: .thursday),
    ] {
      let last = calendar.period(of: interval, holding: .last)
      #expect(last.end == .last && last.start < last.end)
      #expect(calendar.period(of: interval, after: last) == nil)
      let first = calendar.period(of: interval, holding: .first)
      #expect(first.start == .first && first.start < first.end)
      #expect(calendar.period(of: interval, before: first) == nil)
      #expect(calendar.period(of: interval, after: first)?.start == first.end)
      #expect(calendar.period(of: interval, before: last)?.end == last.start)
    }
  }

  @Test("is never empty, and holds its start but not its end")
  func bounds() throws {
    let (first, second) = (Day.on("2026-11-20"), Day.on("2026-11-21"))
    #expect(Period(start: first, end: first) == nil)
    #expect(Period(start: second, end: first) == nil)
    let period = try #require(Period(start: first, end: second))
    #expect(period.contains(first) && !period.contains(second))
  }
}
