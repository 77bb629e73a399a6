/// A day of the week, by its English name in lower case.
public enum Weekday: String, CaseIterable, Hashable, Sendable, CustomStringConvertible {
  case monday, tuesday, wednesday, thursday, friday, saturday, sunday

  /// Reads a name exactly as it is printed.
  public init?(_ text: String) {
    self.init(rawValue: text)
  }

  public var description: String { rawValue }

  /// The weekday of the date this many days after 1970-01-01, which was a Thursday.
  init(ofDayNumber number: Int64) {
    switch (number.modulo(7) + Weekday.thursday.index) % 7 {
    case 0: self = .monday
    case 1: self = .tuesday
    case 2: self = .wednesday
    case 3: self = .thursday
    case 4: self = .friday
    case 5: self = .saturday
    // NB: open: a switch over numbers.
    default: self = .sunday
    }
  }

  /// 0 for Monday to 6 for Sunday, as ISO 8601 orders them.
  var index: Int64 {
    switch self {
    case .monday: 0
    case .tuesday: 1
    case .wednesday: 2
    case .thursday: 3
    case .friday: 4
    case .saturday: 5
    case .sunday: 6
    }
  }
}
