import GoalsCore

/// Weeks and months over the days of a clock. A period is a range of day numbers.
struct SimpleCalendar {
  let clock: SimpleClock
  /// 0 for Monday to 6 for Sunday.
  let weekStart: Int

  /// The period that holds a day. It begins with its first date or, where the zone never had that,
  /// with the next; a date that is no day belongs to what goes on over it.
  func period(of interval: Interval, holding day: Int) -> Range<Int> {
    var first = firstDate(of: interval, around: day)
    while clock.existing(from: first) > day { first = firstDate(of: interval, around: first - 1) }
    let next = date(after: interval, from: first)
    return clock.existing(from: first)..<clock.existing(from: next)
  }

  private func firstDate(of interval: Interval, around day: Int) -> Int {
    switch interval {
    case .daily: day
    // 1970-01-01 was a Thursday.
    case .weekly: day - (day + 3 + 7 - weekStart) % 7
    case .monthly: Self.month(around: day).lowerBound
    }
  }

  private func date(after interval: Interval, from first: Int) -> Int {
    switch interval {
    case .daily: first + 1
    case .weekly: first + 7
    case .monthly: Self.month(around: first).upperBound
    }
  }

  /// The month that holds a day, found by walking over them from one that is not later.
  static func month(around day: Int) -> Range<Int> {
    var month = day / 31
    while firstsOfMonths[month + 1] <= day { month += 1 }
    return firstsOfMonths[month]..<firstsOfMonths[month + 1]
  }

  /// The day numbers of the first of every month from 1970 to 2199.
  static let firstsOfMonths: [Int] = {
    var firsts = [0]
    for year in 1970..<2200 {
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      for days in [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        firsts.append((firsts.last ?? 0) + days)
      }
    }
    return firsts
  }()
}
