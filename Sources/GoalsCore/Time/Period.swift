/// A run of days, one round of a goal's interval: from `start` to before `end`.
///
/// Never empty. Both are days that the calendar which cut it has, so that one period ends with
/// the very day that the next one starts with.
public struct Period: Hashable, Sendable {
  public let start: Day
  /// Exclusive.
  public let end: Day

  /// Nil unless the start is before the end.
  public init?(start: Day, end: Day) {
    guard start < end else { return nil }
    self.init(unchecked: start, end)
  }

  public func contains(_ day: Day) -> Bool { start <= day && day < end }

  init(unchecked start: Day, _ end: Day) {
    self.start = start
    self.end = end
  }
}
