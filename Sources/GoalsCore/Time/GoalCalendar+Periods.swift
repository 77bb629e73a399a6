/// A daily period is a day, a weekly one begins on the week start, a monthly one on the first of
/// the month.
///
/// Where the day on which a period should begin does not exist, the period begins on the next day
/// that does. Periods fill the days from 0000-01-01 to 9999-12-31. The last day only ends the last
/// period, since no later day could end a period of its own.
extension GoalCalendar {
  /// The period of this interval that holds the day. A date that is no day counts with the day
  /// before, which lasts on over it.
  public func period(of interval: Interval, holding day: Day) -> Period {
    let day = min(Int64(day.number), Int64(Day.last.number) - 1)
    var start = interval.start(holding: day, weekStart: weekStart)
    guard zone.lacking.contains(start) else {
      return Period(
        unchecked: Day(clamping: start), Day(clamping: interval.end(from: start)))
    }
    while boundary(start) > day {
      start = interval.start(holding: start - 1, weekStart: weekStart)
    }
    return Period(
      unchecked: Day(clamping: boundary(start)),
      Day(clamping: boundary(interval.end(from: start))))
  }

  /// The period after this one; nil at the end of the days. The interval has to be the one that cut
  /// the period.
  public func period(of interval: Interval, after period: Period) -> Period? {
    guard period.end < Day.last else { return nil }
    return self.period(of: interval, holding: period.end)
  }

  /// The period before this one; nil at the beginning of the days. The interval has to be the one
  /// that cut the period.
  public func period(of interval: Interval, before period: Period) -> Period? {
    guard let day = period.start.adding(days: -1) else { return nil }
    return self.period(of: interval, holding: day)
  }

  /// The first day of the period that should begin on this day.
  private func boundary(_ number: Int64) -> Int64 {
    let first = Int64(Day.first.number)
    return number <= first ? first : existingNumber(from: number)
  }
}

extension Interval {
  /// The number of the day on which the period that holds this day should begin.
  fileprivate func start(holding day: Int64, weekStart: Weekday) -> Int64 {
    switch self {
    case .daily: day
    // 1970-01-01 was a Thursday.
    case .weekly: day - (day + Weekday.thursday.index - weekStart.index).modulo(7)
    case .monthly: day - CivilDate(number: day).day + 1
    }
  }

  /// The number of the day after the last one of the period that begins on this day.
  fileprivate func end(from start: Int64) -> Int64 {
    switch self {
    case .daily: return start + 1
    case .weekly: return start + 7
    case .monthly:
      let date = CivilDate(number: start)
      return start + CivilDate.days(inMonth: date.month, of: date.year)
    }
  }
}
