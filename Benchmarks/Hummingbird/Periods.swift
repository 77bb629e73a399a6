import Foundation

/// Days since 1970-01-01, in UTC: the peers know no other zone.
typealias Day = Int64

extension Date {
  var day: Day { Day((timeIntervalSince1970 / 86_400).rounded(.down)) }
  var milliseconds: Int64 { Int64((timeIntervalSince1970 * 1000).rounded(.down)) }
}

extension Day {
  var text: String {
    Date(timeIntervalSince1970: Double(self) * 86_400).formatted(.iso8601.year().month().day())
  }
}

struct Period: Encodable {
  let start: String
  let end: String
}

/// The running periods of the three intervals: the first day of each, and the day after its last.
struct RunningPeriods {
  let daily: Range<Day>
  let weekly: Range<Day>
  let monthly: Range<Day>

  private static let calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()

  init(at now: Date) {
    let today = now.day
    daily = today..<today + 1
    // 1970-01-01 was a Thursday; weeks begin on Monday.
    let monday = today - (today + 3) % 7
    weekly = monday..<monday + 7
    let month = Self.calendar.dateInterval(of: .month, for: now)
    monthly = month.map { $0.start.day..<$0.end.day } ?? daily
  }
}
