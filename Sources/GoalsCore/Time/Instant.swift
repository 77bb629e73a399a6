/// A moment in time: whole milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted
/// (as POSIX time and RFC 3339 without `:60` do).
public struct Instant: Hashable, Comparable, Sendable {
  public let milliseconds: Int64

  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// The whole seconds since 1970, rounded towards the past.
  public var seconds: Int64 {
    milliseconds >= 0 ? milliseconds / 1000 : (milliseconds - 999) / 1000
  }

  public static func < (left: Instant, right: Instant) -> Bool {
    left.milliseconds < right.milliseconds
  }
}
