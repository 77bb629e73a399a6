/// Year, month and day of the proleptic Gregorian calendar, in any year. It is the arithmetic below
/// `Day`. A zone's yearly rule needs it beyond the years that a `Day` can hold.
///
/// The arithmetic counts years from March, so that the leap day comes last. The year 0 is 1 BC, as
/// in ISO 8601.
struct CivilDate {
  let year: Int64
  /// 1 to 12.
  let month: Int64
  /// 1 to 31.
  let day: Int64

  /// The date this many days after 1970-01-01. Safe up to a magnitude of 2⁵⁸.
  init(number: Int64) {
    let sinceMarchOfYear0 = number + CivilDate.epoch
    let era = sinceMarchOfYear0.floored(by: CivilDate.daysIn400Years)
    let inEra = sinceMarchOfYear0 - era * CivilDate.daysIn400Years
    let century = (4 * inEra + 3) / CivilDate.daysIn400Years
    let inCentury = inEra - CivilDate.daysIn400Years * century / 4
    let yearOfCentury = (4 * inCentury + 3) / 1461
    let inYear = inCentury - 1461 * yearOfCentury / 4
    let monthFromMarch = (5 * inYear + 2) / 153

    day = inYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = 400 * era + 100 * century + yearOfCentury + (monthFromMarch < 10 ? 0 : 1)
  }

  /// Days since 1970-01-01 of a date whose month is 1 to 12. A day beyond the month's end counts on
  /// into the next month.
  static func number(year: Int64, month: Int64, day: Int64) -> Int64 {
    let yearFromMarch = month > 2 ? year : year - 1
    let monthFromMarch = month > 2 ? month - 3 : month + 9
    let leapDays =
      yearFromMarch.floored(by: 4) - yearFromMarch.floored(by: 100) + yearFromMarch.floored(by: 400)
    return 365 * yearFromMarch + leapDays + (153 * monthFromMarch + 2) / 5 + day - 1 - epoch
  }

  static func isLeap(year: Int64) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  /// 28 to 31, for a month from 1 to 12.
  static func days(inMonth month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 2: isLeap(year: year) ? 29 : 28
    case 4, 6, 9, 11: 30
    // NB: open: a switch over numbers.
    default: 31
    }
  }

  private static let daysIn400Years: Int64 = 146_097
  /// Days from 0000-03-01 to 1970-01-01.
  private static let epoch: Int64 = 719_468
}
