/// A moment in time: whole milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted
/// (as POSIX time and RFC 3339 without `:60` do).
///
/// Every Int64 is an instant; only those from `earliest` to `latest` have a text.
public struct Instant: Hashable, Comparable, Sendable {
  /// Milliseconds since 1970-01-01T00:00:00Z; negative before it.
  public let milliseconds: Int64

  /// The instant so many milliseconds after 1970 began.
  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// The instant so many whole seconds after 1970 began, or the nearest that an instant can hold.
  public init(seconds: Int64) {
    let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    self.milliseconds = overflow ? (seconds < 0 ? .min : .max) : milliseconds
  }

  /// The whole seconds since 1970, rounded towards the past.
  public var seconds: Int64 { milliseconds.floored(by: 1000) }

  /// The instant so much later (earlier where negative), or the nearest that an instant can hold.
  public func adding(milliseconds added: Int64) -> Instant {
    let (sum, overflow) = milliseconds.addingReportingOverflow(added)
    return Instant(milliseconds: overflow ? (added < 0 ? .min : .max) : sum)
  }

  /// 0000-01-01T00:00:00.000Z.
  public static var earliest: Instant { Instant(milliseconds: -62_167_219_200_000) }

  /// 9999-12-31T23:59:59.999Z.
  public static var latest: Instant { Instant(milliseconds: 253_402_300_799_999) }

  public static func < (left: Instant, right: Instant) -> Bool {
    left.milliseconds < right.milliseconds
  }
}
