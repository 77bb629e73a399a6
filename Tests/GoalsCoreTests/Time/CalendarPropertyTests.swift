import GoalsCore
import Testing

@Suite("Days and periods, in any zone and with any day start")
struct CalendarPropertyTests {
  static let zones = [
    "UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Chatham",
    "Asia/Kathmandu", "America/St_Johns", "America/Sao_Paulo", "Africa/Casablanca", "Asia/Gaza",
    "Pacific/Apia", "Pacific/Kwajalein", "Asia/Manila", "America/Juneau", "Antarctica/Troll",
  ]

  @Test("fill time without gap or overlap", arguments: zones)
  func tiling(zone: String) throws {
    var dice = SeededDice()
    let zone = try TimeFixtures.zone(zone)
    for _ in 0..<6 {
      let calendar = try calendar(zone, &dice)
      let day = Int64.random(in: -50_000...150_000, using: &dice)
      try expectTiling(calendar, days: day...day + 40, &dice)
    }
    for crossing in ["2011-12-30", "1993-08-21", "1844-12-31", "1867-10-18", "1892-07-04"] {
      let day = Int64(Day.on(crossing).number)
      try expectTiling(try calendar(zone, &dice), days: day - 4...day + 4, &dice)
    }
  }

  @Test("fill time also where the clocks jump wildly")
  func wildTiling() throws {
    var dice = SeededDice()
    for _ in 0..<60 {
      var changes: [(Int64, Int32)] = []
      var second: Int64 = 0
      while second < 20 * 86_400 {
        let widest: Int64 = [60, 7200, 86_400, 400_000].randomElement(using: &dice) ?? 60
        second += Int64.random(in: 1...widest, using: &dice)
        let hours: Int32 = [1, 12, 24].randomElement(using: &dice) ?? 1
        changes.append((second, Int32.random(in: -hours * 3600...hours * 3600, using: &dice)))
      }
      changes = Array(changes.prefix(Int.random(in: 0...255, using: &dice)))
      let footer = ["", "<-12>12", "<+12>-12", "AAA11BBB-12,J6,J15/3"].randomElement(using: &dice)
      let zone = try TimeFixtures.zone(initial: 0, changes: changes, footer: footer ?? "")
      try expectTiling(try calendar(zone, &dice), days: -3...24, &dice)
    }
  }

  @Test("group into periods without gap or overlap", arguments: zones)
  func periods(zone: String) throws {
    var dice = SeededDice()
    let zone = try TimeFixtures.zone(zone)
    for interval in Interval.allCases {
      let calendar = try calendar(zone, &dice)
      for middle in ["2011-12-30", "1844-12-31", "2400-02-29"] {
        var day = try #require(Day.on(middle).adding(days: -40))
        var period = calendar.period(of: interval, holding: day)
        for _ in 0..<80 {
          #expect(calendar.period(of: interval, holding: day) == period, dice.note)
          #expect(period.contains(day), dice.note)
          #expect(calendar.exists(period.start) && calendar.exists(period.end), dice.note)
          day = try #require(day.adding(days: 1))
          if day == period.end {
            let next = try #require(calendar.period(of: interval, after: period))
            #expect(calendar.period(of: interval, before: next) == period, dice.note)
            period = next
          }
        }
      }
    }
  }

  private func calendar(_ zone: Zone, _ dice: inout SeededDice) throws -> GoalCalendar {
    let minutes = [0, 180, 720, Int.random(in: 0...720, using: &dice)].randomElement(using: &dice)
    return GoalCalendar(
      zone: zone, weekStart: Weekday.allCases.randomElement(using: &dice) ?? .monday,
      dayStart: try #require(minutes.flatMap { DayStart(minutes: $0) }))
  }

  /// Each day begins where the one before it ends; every instant in it is of that day; at its
  /// start the clock shows its date, and the day start or later.
  private func expectTiling(
    _ calendar: GoalCalendar, days: ClosedRange<Int64>, _ dice: inout SeededDice
  ) throws {
    var end: Instant?
    for number in days {
      let day = try #require(Day(number: number))
      let start = calendar.start(of: day)
      #expect(end == nil || end == start, "\(day). \(dice.note)")
      let next = calendar.end(of: day)
      end = next
      guard calendar.exists(day) else {
        #expect(start == next, "\(day). \(dice.note)")
        continue
      }
      try #require(start < next, "\(day). \(dice.note)")
      let inside = Int64.random(in: start.milliseconds..<next.milliseconds, using: &dice)
      for milliseconds in [start.milliseconds, inside, next.milliseconds - 1] {
        let held = calendar.day(of: Instant(milliseconds: milliseconds))
        #expect(held == day, "\(Instant(milliseconds: milliseconds)). \(dice.note)")
      }
      let shown = start.seconds + Int64(calendar.zone.offset(at: start))
      let sinceMidnight = shown - number * 86_400
      #expect(sinceMidnight >= calendar.dayStart.minutes * 60, "\(day). \(dice.note)")
      #expect(sinceMidnight < 86_400, "\(day). \(dice.note)")
    }
  }
}
