/// An account's calendar: the day of each instant, and the days on which weeks and months begin.
///
/// A **day** starts at the first instant of its local date at which the clock shows the day start
/// or later. It lasts until the next day starts. Where the clocks jump over the day start, the day
/// starts at the jump. Where they show it twice, the day starts at the first time. Once a day has
/// started, clocks put back do not bring the day before back. A date that has no such instant in
/// the zone is no day; the day before it lasts on.
///
/// Every function is total: an instant before 0000-01-01 is on that first day, an instant after
/// 9999-12-31 on that last day.
public struct GoalCalendar: Hashable, Sendable {
  /// The zone whose clocks say which day it is.
  public let zone: Zone
  /// The day on which a week begins.
  public let weekStart: Weekday
  /// The time on the clock at which a day begins.
  public let dayStart: DayStart

  /// A calendar; by itself one of UTC, with weeks from Monday and days from midnight.
  public init(
    zone: Zone = .utc, weekStart: Weekday = .monday, dayStart: DayStart = .midnight
  ) {
    self.zone = zone
    self.weekStart = weekStart
    self.dayStart = dayStart
  }

  /// The last day that has started by this instant.
  public func day(of instant: Instant) -> Day {
    Day(clamping: number(at: instant.seconds))
  }

  /// The first instant of the day. For a date that is no day it is the start of the next day, so
  /// that `start(of: day)..<end(of: day)` is empty for it and days fill time without a gap.
  public func start(of day: Day) -> Instant {
    Instant(seconds: firstSecond(ofDayFrom: Int64(day.number)))
  }

  /// The first instant after the day: the start of the next day.
  public func end(of day: Day) -> Instant {
    Instant(seconds: firstSecond(ofDayFrom: Int64(day.number) + 1))
  }

  /// Whether the zone has an instant of this date at or after the day start.
  public func exists(_ day: Day) -> Bool {
    existingNumber(from: Int64(day.number)) == Int64(day.number)
  }

  /// This day if it exists, else the next day that does.
  public func existingDay(from day: Day) -> Day {
    Day(clamping: existingNumber(from: Int64(day.number)))
  }
}

// Below, days are their numbers, so that neighbours of the first and last day have numbers, too. A
// day has been *reached* once a clock reading of its date was at or after the day start. The day of
// an instant is the latest day reached by then.
extension GoalCalendar {
  func existingNumber(from number: Int64) -> Int64 {
    guard zone.lacking.contains(number) else { return number }
    return self.number(at: firstSecond(ofDayFrom: number))
  }

  /// The latest day reached by this second.
  ///
  /// It goes back from span to span until no earlier reading of the clocks can have reached a later
  /// day. Mostly the first span settles that.
  private func number(at second: Int64) -> Int64 {
    var latest = Int64.min
    var second = second
    while true {
      let span = zone.span(at: second)
      latest = max(latest, latestDay(in: span, upTo: second))
      let beforeSpan = span.start - 1
      if span.start == ZoneSpan.beginning
        || latest != .min
          && beforeSpan + ZoneSpan.offsets.upperBound < (latest + 1) * 86_400 + dayStartSeconds
      {
        return latest
      }
      second = beforeSpan
    }
  }

  /// The latest day that the span's own readings reach up to this second, or `Int64.min` where all
  /// of them are between a midnight and the day start.
  private func latestDay(in span: ZoneSpan, upTo second: Int64) -> Int64 {
    let reading = second + span.offset
    let date = reading.floored(by: 86_400)
    if reading.modulo(86_400) >= dayStartSeconds { return date }
    return span.start + span.offset < date * 86_400 ? date - 1 : .min
  }

  /// The first second at which this day or a later one is reached.
  private func firstSecond(ofDayFrom number: Int64) -> Int64 {
    let dayStart = number * 86_400 + dayStartSeconds
    // No clock shows the day start before this second.
    var span = zone.span(at: dayStart - ZoneSpan.offsets.upperBound)
    while true {
      var reading = max(span.start + span.offset, dayStart)
      if reading.modulo(86_400) < dayStartSeconds {
        reading = reading.floored(by: 86_400) * 86_400 + dayStartSeconds
      }
      let second = reading - span.offset
      if second < span.end { return second }
      span = zone.span(at: span.end)
    }
  }

  private var dayStartSeconds: Int64 { Int64(dayStart.minutes) * 60 }
}
