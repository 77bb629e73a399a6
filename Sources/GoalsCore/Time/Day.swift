/// A date of the proleptic Gregorian calendar, without a time or a zone: the days since 1970-01-01.
///
/// Text and arithmetic are those of RFC 3339 `full-date`. A `Day` holds only dates from 0000-01-01
/// to 9999-12-31, and every one of them has a text.
public struct Day: Hashable, Comparable, Sendable {
  /// Days since 1970-01-01; negative before it.
  public let number: Int32

  /// The day with this number, or nil outside of the years 0000 to 9999.
  public init?(number: Int64) {
    guard number >= Day.numbers.lowerBound, number <= Day.numbers.upperBound else { return nil }
    self.number = Int32(number)
  }

  /// The day with this number, or the nearest day that a `Day` can hold.
  public init(clamping number: Int64) {
    self.number = Int32(
      truncatingIfNeeded: min(max(number, Day.numbers.lowerBound), Day.numbers.upperBound))
  }

  /// The day of this date, or nil where the calendar has no such date in the years 0000 to 9999.
  public init?(year: Int, month: Int, day: Int) {
    guard year >= 0, year <= 9999, month >= 1, month <= 12, day >= 1,
      day <= CivilDate.days(inMonth: Int64(month), of: Int64(year))
    else { return nil }
    self.init(
      clamping: CivilDate.number(year: Int64(year), month: Int64(month), day: Int64(day)))
  }

  /// Month and day count from 1.
  public var date: (year: Int, month: Int, day: Int) {
    let date = CivilDate(number: Int64(number))
    return (Int(date.year), Int(date.month), Int(date.day))
  }

  /// The day of the week.
  public var weekday: Weekday { Weekday(ofDayNumber: Int64(number)) }

  /// 0000-01-01.
  public static var first: Day { Day(clamping: numbers.lowerBound) }

  /// 9999-12-31.
  public static var last: Day { Day(clamping: numbers.upperBound) }

  /// The date so many days later (earlier where negative), or nil outside of the range.
  public func adding(days: Int64) -> Day? {
    let (sum, overflow) = Int64(number).addingReportingOverflow(days)
    return overflow ? nil : Day(number: sum)
  }

  /// The same day of the month so many months later (earlier where negative), or the last day of
  /// that month where it is shorter; nil outside of the range.
  public func adding(months: Int64) -> Day? {
    let date = CivilDate(number: Int64(number))
    let (month, overflow) = (date.year * 12 + date.month - 1).addingReportingOverflow(months)
    guard !overflow, month >= 0, month < 120_000 else { return nil }
    let length = CivilDate.days(inMonth: month % 12 + 1, of: month / 12)
    return Day(
      number: CivilDate.number(
        year: month / 12, month: month % 12 + 1, day: min(date.day, length)))
  }

  /// How many days this one comes after the other; negative where it comes before it.
  public func days(since other: Day) -> Int { Int(number) - Int(other.number) }

  public static func < (left: Day, right: Day) -> Bool { left.number < right.number }

  private static var numbers: ClosedRange<Int64> { -719_528...2_932_896 }
}
