/// The preferred form of a date in HTTP, `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7).
package enum HTTPDate {
  /// The text for a number of seconds since 1970; outside the years 1970 to 9999, the nearest date
  /// that can be written.
  package static func text(unixSeconds: Int) -> String {
    let seconds = min(max(unixSeconds, 0), 253_402_300_799)
    let (days, second) = seconds.quotientAndRemainder(dividingBy: 86400)
    let (year, month, day) = civil(days)
    return "\(weekdays[(days + 4) % 7]), \(two(day)) \(months[month - 1]) \(year)"
      + " \(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60)) GMT"
  }

  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// Days since 1970 in the Gregorian calendar, by years of 400 × 365.2425 days that begin in
  /// March.
  private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let (era, dayOfEra) = shifted.quotientAndRemainder(dividingBy: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }
}
