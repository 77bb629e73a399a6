/// A date of the proleptic Gregorian calendar, without a time or a zone: the days since 1970-01-01.
///
/// Text and arithmetic are those of RFC 3339 `full-date`; every value prints, and only dates
/// from 0000-01-01 to 9999-12-31 can be held.
public struct Day: Hashable, Comparable, Sendable {
  /// Days since 1970-01-01; negative before it.
  public let number: Int32

  /// The day with this number, or nil outside of the years 0000 to 9999.
  public init?(number: Int64) {
    guard number >= -719_528, number <= 2_932_896 else { return nil }
    self.number = Int32(number)
  }

  public static func < (left: Day, right: Day) -> Bool { left.number < right.number }
}
