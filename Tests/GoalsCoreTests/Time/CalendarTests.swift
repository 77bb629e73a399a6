import GoalsCore
import Testing

/// Where a day starts: zone, day start, day, the first instant.
typealias DayStartCase = (zone: String, dayStart: String, day: String, start: String)

@Suite("A day of an account's calendar")
struct CalendarTests {
  static let plain: [DayStartCase] = [
    ("UTC", "00:00", "2026-11-20", "2026-11-20T00:00:00.000Z"),
    ("UTC", "03:00", "2026-11-20", "2026-11-20T03:00:00.000Z"),
    ("UTC", "12:00", "2026-11-20", "2026-11-20T12:00:00.000Z"),
    ("Asia/Kathmandu", "00:00", "2026-11-20", "2026-11-19T18:15:00.000Z"),
    ("Asia/Kathmandu", "03:30", "2026-11-20", "2026-11-19T21:45:00.000Z"),
    ("Asia/Kolkata", "00:00", "2026-11-20", "2026-11-19T18:30:00.000Z"),
    ("America/New_York", "00:00", "2026-11-20", "2026-11-20T05:00:00.000Z"),
    ("Pacific/Kiritimati", "00:00", "2026-11-20", "2026-11-19T10:00:00.000Z"),
    ("Pacific/Pago_Pago", "12:00", "2026-11-20", "2026-11-20T23:00:00.000Z"),
    ("Europe/Berlin", "00:00", "2028-02-29", "2028-02-28T23:00:00.000Z"),
  ]

  static let clocksPutForward: [DayStartCase] = [
    ("Europe/Berlin", "00:00", "2026-03-29", "2026-03-28T23:00:00.000Z"),
    ("Europe/Berlin", "00:00", "2026-03-30", "2026-03-29T22:00:00.000Z"),
    ("Europe/Berlin", "01:59", "2026-03-29", "2026-03-29T00:59:00.000Z"),
    // The hour from 02:00 is skipped.
    ("Europe/Berlin", "02:00", "2026-03-29", "2026-03-29T01:00:00.000Z"),
    ("Europe/Berlin", "02:30", "2026-03-29", "2026-03-29T01:00:00.000Z"),
    ("Europe/Berlin", "03:00", "2026-03-29", "2026-03-29T01:00:00.000Z"),
    ("Europe/Berlin", "03:01", "2026-03-29", "2026-03-29T01:01:00.000Z"),
    // Midnight is skipped.
    ("America/Sao_Paulo", "00:00", "2018-11-04", "2018-11-04T03:00:00.000Z"),
    // Half an hour from 02:00.
    ("Australia/Lord_Howe", "02:15", "2026-10-04", "2026-10-03T15:30:00.000Z"),
    ("Australia/Lord_Howe", "02:30", "2026-10-04", "2026-10-03T15:30:00.000Z"),
    ("Australia/Lord_Howe", "00:00", "2026-10-05", "2026-10-04T13:00:00.000Z"),
    // The hour from 02:45.
    ("Pacific/Chatham", "00:00", "2026-09-27", "2026-09-26T11:15:00.000Z"),
    ("Pacific/Chatham", "03:00", "2026-09-27", "2026-09-26T14:00:00.000Z"),
    ("Pacific/Chatham", "00:00", "2026-09-28", "2026-09-27T10:15:00.000Z"),
  ]

  static let clocksPutBack: [DayStartCase] = [
    ("Europe/Berlin", "00:00", "2026-10-25", "2026-10-24T22:00:00.000Z"),
    ("Europe/Berlin", "00:00", "2026-10-26", "2026-10-25T23:00:00.000Z"),
    // The hour from 02:00 comes twice; the first counts.
    ("Europe/Berlin", "02:00", "2026-10-25", "2026-10-25T00:00:00.000Z"),
    ("Europe/Berlin", "02:30", "2026-10-25", "2026-10-25T00:30:00.000Z"),
    ("Europe/Berlin", "03:00", "2026-10-25", "2026-10-25T02:00:00.000Z"),
    // The hour from midnight.
    ("America/Havana", "00:00", "2026-11-01", "2026-11-01T04:00:00.000Z"),
    ("America/Havana", "00:30", "2026-11-01", "2026-11-01T04:30:00.000Z"),
    // The last hour of the day before, so that its midnight is never shown.
    ("America/Sao_Paulo", "00:00", "2019-02-17", "2019-02-17T03:00:00.000Z"),
    // From 00:01 back to 23:01 of the day before.
    ("America/St_Johns", "00:00", "2010-11-07", "2010-11-07T02:30:00.000Z"),
    ("America/St_Johns", "00:01", "2010-11-07", "2010-11-07T03:31:00.000Z"),
    // Half an hour from 01:30.
    ("Australia/Lord_Howe", "01:45", "2026-04-05", "2026-04-04T14:45:00.000Z"),
    ("Australia/Lord_Howe", "02:00", "2026-04-05", "2026-04-04T15:30:00.000Z"),
    ("Pacific/Chatham", "03:00", "2026-04-05", "2026-04-04T13:15:00.000Z"),
  ]

  @Test("starts when the clock shows the day start", arguments: plain)
  func start(expected: DayStartCase) throws { try expect(expected) }

  @Test("starts at the jump when the day start is skipped", arguments: clocksPutForward)
  func startInSkippedHour(expected: DayStartCase) throws { try expect(expected) }

  @Test("starts at the first of two day starts", arguments: clocksPutBack)
  func startInRepeatedHour(expected: DayStartCase) throws { try expect(expected) }

  private func expect(_ expected: DayStartCase) throws {
    let calendar = try TimeFixtures.calendar(expected.zone, dayStart: expected.dayStart)
    let day = Day.on(expected.day)
    let start = Instant.at(expected.start)
    #expect(calendar.start(of: day) == start)
    #expect(calendar.exists(day))
    #expect(calendar.day(of: start) == day)
    #expect(calendar.day(of: start.adding(milliseconds: -1)) == day.adding(days: -1))
    #expect(calendar.end(of: day) == day.adding(days: 1).map(calendar.start))
  }

  static let lengths: [(zone: String, day: String, minutes: Int64)] = [
    ("Europe/Berlin", "2026-11-20", 1440),
    ("Europe/Berlin", "2026-03-29", 1380),
    ("Europe/Berlin", "2026-10-25", 1500),
    ("Australia/Lord_Howe", "2026-10-04", 1410),
    ("Australia/Lord_Howe", "2026-04-05", 1470),
    // A quarter of an hour forward, for good.
    ("Asia/Kathmandu", "1985-12-31", 1440),
    ("Asia/Kathmandu", "1986-01-01", 1425),
  ]

  @Test("lasts until the next one starts", arguments: lengths)
  func length(expected: (zone: String, day: String, minutes: Int64)) throws {
    let calendar = try TimeFixtures.calendar(expected.zone)
    let day = Day.on(expected.day)
    let length = calendar.end(of: day).seconds - calendar.start(of: day).seconds
    #expect(length == expected.minutes * 60)
  }

  @Test(
    "holds the night before the next day start, and what the clocks repeat",
    arguments: [
      ("Europe/Berlin", "03:00", "2026-11-21T01:59:59.999Z", "2026-11-20"),
      ("Europe/Berlin", "03:00", "2026-11-21T02:00:00.000Z", "2026-11-21"),
      ("UTC", "12:00", "2026-11-20T11:59:59.999Z", "2026-11-19"),
      // 02:15 for the second time, before the day start again.
      ("Europe/Berlin", "02:30", "2026-10-25T01:15:00Z", "2026-10-25"),
      // 23:15 of the sixth for the second time: the seventh had started.
      ("America/St_Johns", "00:00", "2010-11-07T02:45:00Z", "2010-11-07"),
      // The same with a day start that the clock had not shown.
      ("America/St_Johns", "03:00", "2010-11-07T02:45:00Z", "2010-11-06"),
    ])
  func holding(zone: String, dayStart: String, instant: String, day: String) throws {
    let calendar = try TimeFixtures.calendar(zone, dayStart: dayStart)
    #expect(calendar.day(of: Instant.at(instant)).description == day)
  }

  @Test("is the first or the last of all outside of the years 0000 to 9999")
  func ends() throws {
    for zone in ["UTC", "Europe/Berlin", "Pacific/Apia", "America/New_York"] {
      let calendar = try TimeFixtures.calendar(zone, dayStart: "03:00")
      #expect(calendar.day(of: Instant(milliseconds: .min)) == .first)
      #expect(calendar.day(of: Instant(milliseconds: .max)) == .last)
      #expect(calendar.day(of: calendar.start(of: .first)) == .first)
      #expect(calendar.day(of: calendar.start(of: .first).adding(milliseconds: -1)) == .first)
      #expect(calendar.day(of: calendar.start(of: .last)) == .last)
      #expect(calendar.day(of: calendar.end(of: .last)) == .last)
      #expect(calendar.exists(.first) && calendar.exists(.last))
    }
  }

  @Test("starts at midnight of UTC where nothing else is said")
  func defaults() throws {
    let calendar = GoalCalendar()
    #expect(calendar.zone == .utc)
    #expect(calendar.weekStart == .monday)
    #expect(calendar.dayStart == .midnight)
    #expect(
      calendar.start(of: Day.on("2026-11-20"))
        == Instant.at("2026-11-20T00:00:00Z"))
  }
}

@Suite("A zone that moves across the date line")
struct DateLineTests {
  @Test(
    "never has the day it skips",
    arguments: [
      ("Pacific/Apia", "2011-12-29", "2011-12-30", "2011-12-31"),
      ("Pacific/Fakaofo", "2011-12-29", "2011-12-30", "2011-12-31"),
      ("Pacific/Kwajalein", "1993-08-20", "1993-08-21", "1993-08-22"),
      ("Pacific/Kiritimati", "1994-12-30", "1994-12-31", "1995-01-01"),
      ("Pacific/Guam", "1844-12-30", "1844-12-31", "1845-01-01"),
      ("Asia/Manila", "1844-12-30", "1844-12-31", "1845-01-01"),
    ])
  func skipped(zone: String, before: String, skipped: String, after: String) throws {
    let before = Day.on(before)
    let skipped = Day.on(skipped)
    let after = Day.on(after)
    for dayStart in ["00:00", "03:00", "12:00"] {
      let calendar = try TimeFixtures.calendar(zone, dayStart: dayStart)
      #expect(calendar.exists(before) && !calendar.exists(skipped) && calendar.exists(after))
      #expect(calendar.existingDay(from: before) == before)
      #expect(calendar.existingDay(from: skipped) == after)
      #expect(calendar.end(of: before) == calendar.start(of: after))
      #expect(calendar.start(of: skipped) == calendar.start(of: after))
      #expect(calendar.start(of: skipped) == calendar.end(of: skipped))
      #expect(calendar.day(of: calendar.start(of: after)) == after)
      #expect(calendar.day(of: calendar.start(of: after).adding(milliseconds: -1)) == before)
      #expect(calendar.end(of: before).seconds - calendar.start(of: before).seconds == 24 * 3600)
    }
  }

  static let repetitions: [(zone: String, dayStart: String, day: String, hours: Int64)] = [
    ("Pacific/Kwajalein", "00:00", "1969-09-30", 47),
    ("Pacific/Kwajalein", "03:00", "1969-09-30", 47),
    ("Pacific/Apia", "00:00", "1892-07-04", 48),
    ("Pacific/Apia", "12:00", "1892-07-04", 48),
    ("Pacific/Pago_Pago", "00:00", "1892-07-04", 48),
    // From 15:33 on Saturday back to 15:33 on Friday: the Saturday had started.
    ("America/Juneau", "00:00", "1867-10-18", 24),
    ("America/Juneau", "00:00", "1867-10-19", 48),
  ]

  @Test("has one long day of the day it repeats", arguments: repetitions)
  func repeated(expected: (zone: String, dayStart: String, day: String, hours: Int64)) throws {
    let calendar = try TimeFixtures.calendar(expected.zone, dayStart: expected.dayStart)
    let day = Day.on(expected.day)
    let (start, end) = (calendar.start(of: day), calendar.end(of: day))
    #expect(end.seconds - start.seconds == expected.hours * 3600)
    for second in stride(from: start.seconds, to: end.seconds, by: 600) {
      #expect(calendar.day(of: Instant(seconds: second)) == day)
    }
  }

  @Test("never has the day it skips by the last change before a rule")
  func lastChange() throws {
    let change = Instant.at("1993-08-21T12:00:00Z")
    let zone = try TimeFixtures.zone(
      initial: -43_200, changes: [(change.seconds, 43_200)], footer: "<+12>-12")
    let calendar = GoalCalendar(zone: zone, dayStart: try #require(DayStart("03:00")))
    #expect(!calendar.exists(Day.on("1993-08-21")))
    #expect(calendar.day(of: change).description == "1993-08-20")
  }

  @Test("has no day of which only the hours before the day start were")
  func onlyTheNight() throws {
    // From 01:00 on 1970-01-05 to 01:00 on 1970-01-06.
    let zone = try TimeFixtures.zone(initial: -43_200, changes: [(4 * 86_400 + 46_800, 43_200)])
    let day = Day.on("1970-01-05")
    #expect(GoalCalendar(zone: zone).exists(day))
    let night = GoalCalendar(zone: zone, dayStart: try #require(DayStart("03:00")))
    #expect(!night.exists(day))
    #expect(night.day(of: Instant(seconds: 4 * 86_400 + 46_799)).description == "1970-01-04")
    #expect(night.day(of: Instant(seconds: 4 * 86_400 + 46_800)).description == "1970-01-04")
    #expect(night.day(of: Instant(seconds: 4 * 86_400 + 54_000)).description == "1970-01-06")
  }
}
