import GoalsCore

/// When the days of one zone and day start begin, found by looking at the clocks.
///
/// Of the project it takes only a zone's offset at an instant. Days are numbers from 1970-01-01 on,
/// instants milliseconds. Good for the years in which these tests play, 1999 to 2100: since then
/// every zone changes its clocks on a whole minute, and at most once an hour.
///
/// A class, so that a start that was found once is kept; each test case has its own.
final class SimpleClock {
  static let minute: Int64 = 60_000
  static let hour = 60 * minute
  static let date = 24 * hour

  private let zone: Zone
  private let dayStart: Int64
  private var found: [Int: Int64?] = [:]

  init(zone: Zone, dayStart: DayStart) {
    self.zone = zone
    self.dayStart = Int64(dayStart.minutes) * Self.minute
  }

  /// What the zone's clocks show, in milliseconds since they showed 1970-01-01 00:00.
  func shown(at instant: Int64) -> Int64 {
    instant + Int64(zone.offset(at: Instant(milliseconds: instant))) * 1000
  }

  /// The first instant at which the clocks show the date and the day start or later; nil where the
  /// zone never had one.
  func start(of day: Int) -> Int64? {
    if let known = found[day] { return known }
    let start = lookUp(day)
    found[day] = .some(start)
    return start
  }

  /// Looks hour by hour, and minute by minute in an hour in which the clocks are changed.
  private func lookUp(_ day: Int) -> Int64? {
    let first = Int64(day) * Self.date + dayStart
    let last = Int64(day + 1) * Self.date
    var instant = Int64(day) * Self.date + dayStart / Self.hour * Self.hour - 15 * Self.hour
    let end = last + 15 * Self.hour
    while instant < end {
      let shown = shown(at: instant)
      let isEven = self.shown(at: instant + Self.hour - 1) == shown + Self.hour - 1
      let step = isEven ? Self.hour : Self.minute
      let candidate = instant + max(0, first - shown)
      if candidate < instant + step, shown + (candidate - instant) < last { return candidate }
      instant += step
    }
    return nil
  }

  func exists(_ day: Int) -> Bool { start(of: day) != nil }

  /// This day or, if the zone never had it, the next that it had.
  func existing(from day: Int) -> Int {
    var day = day
    while !exists(day) { day += 1 }
    return day
  }

  /// When the day, or the next that exists, begins.
  func instant(from day: Int) -> Instant {
    Instant(milliseconds: start(of: existing(from: day)) ?? 0)
  }

  /// The latest day that has begun.
  func day(of instant: Instant) -> Int {
    let milliseconds = instant.milliseconds
    var day = Int(shown(at: milliseconds) / Self.date) + 2
    while true {
      if let start = start(of: day), start <= milliseconds { return day }
      day -= 1
    }
  }
}

/// The clocks of one test case.
final class SimpleClocks {
  private struct Key: Hashable {
    let zone: ZoneName
    let dayStart: DayStart
  }

  private let zones: [ZoneName: Zone]
  private var clocks: [Key: SimpleClock] = [:]

  init(_ zones: [Zone]) {
    self.zones = Dictionary(uniqueKeysWithValues: zones.map { ($0.name, $0) })
  }

  func knows(_ name: ZoneName) -> Bool { zones[name] != nil }

  func calendar(_ settings: CalendarSettings) -> SimpleCalendar {
    let key = Key(zone: settings.timeZone, dayStart: settings.dayStart)
    let clock =
      clocks[key]
      ?? SimpleClock(zone: zones[settings.timeZone] ?? .utc, dayStart: settings.dayStart)
    clocks[key] = clock
    return SimpleCalendar(
      clock: clock, weekStart: Weekday.allCases.firstIndex(of: settings.weekStart) ?? 0)
  }
}
