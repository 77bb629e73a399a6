import GoalsCore
import Terminal

/// The day that a person names on the command line: `today`, `yesterday`, a weekday of the last
/// seven days, or a date.
struct DayArgument {
  let day: Day

  /// - Parameter today: the account's.
  init(_ text: String, today: Day) throws {
    let word = text.lowercased()
    let week = Weekday.allCases.firstIndex { String(describing: $0).hasPrefix(word) }
    if "today".hasPrefix(word), word.count >= 3 {
      day = today
    } else if "yesterday".hasPrefix(word), word.count >= 3, let yesterday = today.adding(days: -1) {
      day = yesterday
    } else if word.count >= 3, let week,
      let last = (1...7).lazy.compactMap({ today.adding(days: -Int64($0)) })
        .first(where: { $0.weekday == Weekday.allCases[week] })
    {
      day = last
    } else if let date = Day(text) {
      day = date
    } else {
      throw CommandFailure(
        "\(text.isEmpty ? "''" : text) is no day: say today, yesterday, a weekday, or a date such as \(today)."
      )
    }
  }

  /// When an edit that counts on the day happened: now, unless the day is further from today than
  /// an edit of now may name; then at noon of that day.
  ///
  /// - Parameter here: the day that this machine shows, which may be the account's tomorrow.
  func at(
    today: Day, here: Day, in calendar: GoalCalendar, _ zone: ZoneName
  ) throws -> Instant? {
    let distance = day.days(since: today)
    if distance > 1 || day > max(today, here) {
      throw CommandFailure("\(day) has not come yet: today is \(today) in \(zone.text).")
    }
    if let first = Day("2000-01-01"), day < first {
      throw CommandFailure("\(day) is too long ago: the first day that counts is \(first).")
    }
    guard distance < -1 else { return nil }
    let noon = calendar.start(of: day).adding(milliseconds: 12 * 3_600_000)
    return noon
  }
}
