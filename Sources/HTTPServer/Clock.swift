import Glibc

/// The two clocks of a server: one for time limits, which cannot be set, and one for `Date`.
package struct Clock: Sendable {
  package var now: @Sendable () -> Moment
  package var unixSeconds: @Sendable () -> Int

  package init(
    now: @escaping @Sendable () -> Moment, unixSeconds: @escaping @Sendable () -> Int
  ) {
    self.now = now
    self.unixSeconds = unixSeconds
  }

  package static let system = Clock(
    now: {
      let time = read(CLOCK_MONOTONIC)
      return Moment(nanoseconds: time.tv_sec * 1_000_000_000 + time.tv_nsec)
    },
    unixSeconds: { read(CLOCK_REALTIME).tv_sec })

  private static func read(_ clock: clockid_t) -> timespec {
    var time = timespec()
    clock_gettime(clock, &time)
    return time
  }
}

/// A point of the monotonic clock.
package struct Moment: Sendable, Comparable {
  package var nanoseconds: Int

  package init(nanoseconds: Int) { self.nanoseconds = nanoseconds }

  /// Later than every other moment.
  package static let never = Moment(nanoseconds: .max)

  package static func < (one: Moment, other: Moment) -> Bool {
    one.nanoseconds < other.nanoseconds
  }

  package static func + (moment: Moment, duration: Duration) -> Moment {
    let (sum, overflow) = moment.nanoseconds.addingReportingOverflow(duration.nanoseconds)
    return overflow ? .never : Moment(nanoseconds: sum)
  }
}

extension Duration {
  /// From 0 to 30 years, so that sums do not overflow.
  var nanoseconds: Int { Int(min(max(self / .nanoseconds(1), 0), 1e18)) }
}
