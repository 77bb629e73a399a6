import Glibc

/// The two clocks of a server.
package struct Clock: Sendable {
  /// The time since the system started, for time limits: nobody sets it.
  package var now: @Sendable () -> Duration
  /// The time of day, for `Date`.
  package var unixSeconds: @Sendable () -> Int

  package static let system = Clock(
    now: {
      let time = read(CLOCK_MONOTONIC)
      return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    },
    unixSeconds: { read(CLOCK_REALTIME).tv_sec })

  private static func read(_ clock: clockid_t) -> timespec {
    var time = timespec()
    clock_gettime(clock, &time)
    return time
  }
}

extension Duration {
  /// By the clock of a server, later than everything that happens.
  static let never = Duration.seconds(Int64.max)
}
