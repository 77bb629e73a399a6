/// The rule for the yearly changes of a zone's clocks, if there are any: the POSIX TZ string of a
/// TZif footer, with the extensions of RFC 9636 §3.3.1.
struct YearlyRule: Hashable, Sendable {
  /// Seconds east of UTC.
  let standard: Int64
  /// Seconds east of UTC in daylight saving time; `standard` where the zone has none.
  let saving: Int64
  let changeovers: Changeovers?

  /// The beginning and the end of daylight saving time.
  struct Changeovers: Hashable, Sendable {
    let start: Changeover
    let end: Changeover
  }

  /// A day of the year and a time on it, by the clock before the change.
  struct Changeover: Hashable, Sendable {
    let day: DayOfYear
    /// Seconds after the day's midnight: −167:00:00 to 167:00:00.
    let second: Int64
  }

  enum DayOfYear: Hashable, Sendable {
    /// `Jn`: 1 to 365, February 29th not counted.
    case withoutLeapDay(Int64)
    /// `n`: 0 to 365, February 29th counted.
    case withLeapDay(Int64)
    /// `Mm.w.d`: month 1 to 12, week 1 to 5 (5 is the last), weekday 0 (Sunday) to 6.
    case weekday(month: Int64, week: Int64, weekday: Int64)
  }

  /// The span that holds this second, as if the rule had always held.
  ///
  /// A changeover may lie up to a week outside of its year, so this looks at two years to either
  /// side. Where one daylight saving time begins as another ends, it goes on. A zone that always
  /// has daylight saving time is written so.
  func span(at second: Int64) -> ZoneSpan {
    var span = ZoneSpan(start: ZoneSpan.beginning, end: ZoneSpan.end, offset: standard)
    guard let changeovers else { return span }

    func change(at change: Int64, to offset: Int64) {
      if change > second {
        span.end = min(span.end, change)
      } else if change >= span.start {
        span.start = change
        span.offset = offset
      }
    }
    let year = CivilDate(number: (second + standard).floored(by: 86_400)).year
    for year in year - 2...year + 2 {
      change(at: changeovers.end.second(in: year) - saving, to: standard)
      change(at: changeovers.start.second(in: year) - standard, to: saving)
    }
    return span
  }
}

extension YearlyRule.Changeover {
  /// The seconds since 1970 that the clock shows at the changeover of this year.
  func second(in year: Int64) -> Int64 {
    day.number(in: year) * 86_400 + second
  }
}

extension YearlyRule.DayOfYear {
  /// Days since 1970-01-01.
  func number(in year: Int64) -> Int64 {
    switch self {
    case .withoutLeapDay(let day):
      let leapDay: Int64 = CivilDate.isLeap(year: year) && day >= 60 ? 1 : 0
      return CivilDate.number(year: year, month: 1, day: day) + leapDay
    case .withLeapDay(let day):
      return CivilDate.number(year: year, month: 1, day: 1) + day
    case .weekday(let month, let week, let weekday):
      let first = CivilDate.number(year: year, month: month, day: 1)
      // 1970-01-01 was a Thursday, 4.
      let day = (weekday - first - 4).modulo(7) + (week - 1) * 7
      return first + (day < CivilDate.days(inMonth: month, of: year) ? day : day - 7)
    }
  }
}
