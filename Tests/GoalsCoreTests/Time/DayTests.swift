import GoalsCore
import Testing

@Suite("A day of the calendar")
struct DayTests {
  @Test(
    "has a number, a date and a weekday",
    arguments: [
      ("1970-01-01", 0, .thursday), ("1969-12-31", -1, .wednesday),
      ("2026-11-20", 20_777, .friday), ("2000-02-29", 11_016, .tuesday),
      ("2000-03-01", 11_017, .wednesday), ("2100-02-28", 47_540, .sunday),
      ("2100-03-01", 47_541, .monday), ("1600-02-29", -135_081, .tuesday),
      ("0000-01-01", -719_528, .saturday), ("0000-02-29", -719_469, .tuesday),
      ("9999-12-31", 2_932_896, .friday),
    ] as [(String, Int64, Weekday)])
  func values(text: String, number: Int64, weekday: Weekday) throws {
    let day = Day.on(text)
    #expect(day.number == number)
    #expect(day == Day(number: number))
    #expect(day.weekday == weekday)
    #expect(day.description == text)
    #expect(Day(utf8: Array(text.utf8)) == day)
  }

  @Test("follows the day before it, for four hundred years")
  func everyDay() throws {
    var day = Day.on("1800-12-31")
    for year in 1801...2200 {
      for month in 1...12 {
        for date in 1...31 {
          guard let next = Day(year: year, month: month, day: date) else {
            #expect(date > 28)
            continue
          }
          #expect(next.number == day.number + 1)
          #expect(next.date == (year, month, date))
          day = next
        }
      }
    }
    #expect(day == Day.on("2200-12-31"))
  }

  @Test(
    "is refused where the calendar has no such date, or the text is no full-date",
    arguments: [
      "", "2026-02-29", "2100-02-29", "2026-04-31", "2026-00-10", "2026-13-01", "2026-01-00",
      "2026-01-32", "2026-1-01", "2026-01-1", "26-01-01", "02026-01-01", "2026-01-011",
      "2026/01/01", "20260101", " 2026-01-01", "2026-01-01 ", "2026-01-01T", "-026-01-01",
      "+026-01-01", "２026-01-01", "2026-01-0\0",
    ])
  func refusing(text: String) {
    #expect(Day(text) == nil)
  }

  @Test("is refused outside of the years 0000 to 9999")
  func range() {
    #expect(Day(number: -719_528) == Day.first)
    #expect(Day(number: -719_529) == nil)
    #expect(Day(number: 2_932_896) == Day.last)
    #expect(Day(number: 2_932_897) == nil)
    #expect(Day(number: .min) == nil && Day(number: .max) == nil)
    #expect(Day(clamping: .min) == .first && Day(clamping: .max) == .last)
    #expect(Day(year: -1, month: 12, day: 31) == nil)
    #expect(Day(year: 10_000, month: 1, day: 1) == nil)
    #expect(Day(year: .max, month: .max, day: .max) == nil)
    #expect(Day(year: .min, month: .min, day: .min) == nil)
  }

  @Test(
    "plus days is another, or none beyond the range",
    arguments: [
      ("2028-02-28", 1, "2028-02-29"), ("2027-02-28", 1, "2027-03-01"),
      ("2026-01-01", -1, "2025-12-31"), ("2026-01-01", 0, "2026-01-01"),
      ("9999-12-31", 1, nil), ("0000-01-01", -1, nil), ("2026-01-01", .max, nil),
      ("2026-01-01", .min, nil), ("0000-01-01", 3_652_424, "9999-12-31"),
    ] as [(String, Int64, String?)])
  func addingDays(text: String, days: Int64, sum: String?) throws {
    #expect(Day.on(text).adding(days: days)?.description == sum)
  }

  @Test(
    "plus months is the same date or the month's last, or none beyond the range",
    arguments: [
      ("2026-01-31", 1, "2026-02-28"), ("2028-01-31", 1, "2028-02-29"),
      ("2028-02-29", 12, "2029-02-28"), ("2028-02-29", 48, "2032-02-29"),
      ("2026-03-31", -1, "2026-02-28"), ("2026-12-15", 1, "2027-01-15"),
      ("2026-01-15", -1, "2025-12-15"), ("2026-05-31", 6, "2026-11-30"),
      ("0000-01-01", -1, nil), ("9999-12-31", 1, nil), ("2026-01-01", .max, nil),
      ("2026-01-01", .min, nil),
    ] as [(String, Int64, String?)])
  func addingMonths(text: String, months: Int64, sum: String?) throws {
    #expect(Day.on(text).adding(months: months)?.description == sum)
  }

  @Test("is so many days after another")
  func difference() throws {
    let day = Day.on("2028-03-01")
    #expect(day.days(since: Day.on("2028-02-28")) == 2)
    #expect(Day.first.days(since: .last) == -3_652_424)
    #expect(Day.first < Day.last)
  }
}

@Suite("The words of a calendar")
struct CalendarWordsTests {
  @Test("name a weekday in full and in lower case")
  func weekdays() {
    let names = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    #expect(names.map { Weekday($0) } == Weekday.allCases)
    #expect(Weekday.allCases.map(\.description) == names)
    for text in ["", "Monday", "MONDAY", "mon", "monday ", "1"] { #expect(Weekday(text) == nil) }
  }

  @Test("name an interval in lower case")
  func intervals() {
    #expect(["daily", "weekly", "monthly"].map { Interval($0) } == Interval.allCases)
    #expect(Interval.allCases.map(\.description) == ["daily", "weekly", "monthly"])
    for text in ["", "Daily", "day", "yearly"] { #expect(Interval(text) == nil) }
  }

  @Test(
    "give a day start from midnight to noon",
    arguments: [("00:00", 0), ("03:00", 180), ("09:05", 545), ("11:59", 719), ("12:00", 720)])
  func dayStarts(text: String, minutes: Int) {
    #expect(DayStart(text)?.minutes == minutes)
    #expect(DayStart(utf8: Array(text.utf8)) == DayStart(minutes: minutes))
    #expect(DayStart(minutes: minutes)?.description == text)
  }

  @Test(
    "give no other day start",
    arguments: [
      "", "12:01", "13:00", "24:00", "3:00", "03:0", "03:60", "0300", "03.00", "03:00:00",
      " 03:00", "03:00 ", "-3:00", "+3:00", "99:99",
    ])
  func noDayStarts(text: String) {
    #expect(DayStart(text) == nil)
  }

  @Test("give no day start out of range")
  func dayStartRange() {
    #expect(DayStart(minutes: -1) == nil)
    #expect(DayStart(minutes: 721) == nil)
    #expect(DayStart(minutes: .min) == nil && DayStart(minutes: .max) == nil)
    #expect(DayStart(minutes: 0) == .midnight)
  }
}

@Suite("The name of a zone")
struct ZoneNameTests {
  @Test(
    "is one as the IANA database has them",
    arguments: [
      "UTC", "Europe/Berlin", "US/Pacific", "Etc/GMT+5", "Etc/GMT-14", "GB-Eire", "EST5EDT",
      "America/Argentina/ComodRivadavia", "America/Port-au-Prince", "Antarctica/DumontDUrville",
      "Asia/Ust-Nera", "America/North_Dakota/New_Salem", String(repeating: "a", count: 64),
    ])
  func accepting(text: String) {
    #expect(ZoneName(text)?.text == text)
    #expect(ZoneName(text)?.description == text)
  }

  @Test(
    "leads nowhere but down, to a zone",
    arguments: [
      "", "/", "/UTC", "/etc/passwd", "..", "../UTC", "Europe/../UTC", "Europe/..", "./UTC",
      "Europe//Berlin", "Europe/", "Europe/Berlin/", "zone.tab", "tzdata.zi", "UTC\0", "UTC\n",
      "Europe Berlin", "Europe\\Berlin", "UTC%2F", "Zürich", "UT\u{301}C", "a:b", "~", "$HOME",
      "localtime", "posixrules", "posix/UTC", "right/UTC", String(repeating: "a", count: 65),
    ])
  func refusing(text: String) {
    #expect(ZoneName(text) == nil)
  }
}
