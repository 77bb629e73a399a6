/// A run of days from `start` to before `end`: one round of a goal's interval.
///
/// Never empty. Both days exist in the calendar that cut the period, so that one period ends on the
/// very day on which the next one starts.
public struct Period: Hashable, Sendable {
  /// The first day of the period.
  public let start: Day
  /// The day after the last day of the period.
  public let end: Day

  /// Nil unless the start is before the end.
  public init?(start: Day, end: Day) {
    guard start < end else { return nil }
    self.init(unchecked: start, end)
  }

  /// Whether the day is one of the period.
  public func contains(_ day: Day) -> Bool { start <= day && day < end }

  init(unchecked start: Day, _ end: Day) {
    self.start = start
    self.end = end
  }
}
