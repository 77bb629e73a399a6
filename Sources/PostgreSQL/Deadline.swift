import CSystem
import Glibc

/// How long a connection waits for its socket. The kernel counts the time (timerfd_create(2)), so
/// that a server that answers drop by drop gets no more of it than one that is silent.
///
/// It is used by one thread at a time.
final class Deadline {
  private let timer: Int32

  init() throws(PostgreSQLError) {
    timer = csystem_timerfd()
    guard timer >= 0 else {
      throw PostgreSQLError(
        .unavailable, "there is no timer to be had: errno \(errno)", doing: "connect")
    }
  }

  deinit { close(timer) }

  /// From now on; what was set before is forgotten.
  func set(_ limit: Duration) {
    let (seconds, attoseconds) = limit.components
    let whole = max(0, seconds).multipliedReportingOverflow(by: 1_000_000_000)
    let nanoseconds = whole.overflow ? Int64.max : whole.partialValue
    let sum = nanoseconds.addingReportingOverflow(max(0, attoseconds) / 1_000_000_000)
    // Zero would stop it.
    csystem_timerfd_set(timer, max(1, sum.overflow ? .max : sum.partialValue))
  }

  enum Event { case ready, expired }

  /// Waits until the socket is ready for what is asked (`POLLIN`, `POLLOUT`) or broken, or until
  /// the time is up.
  func wait(for socket: Int32, _ events: Int32) -> Event {
    var both = [
      pollfd(fd: timer, events: Int16(POLLIN), revents: 0),
      pollfd(fd: socket, events: Int16(truncatingIfNeeded: events), revents: 0),
    ]
    while poll(&both, 2, -1) < 0 {
      // Interrupted by a signal; anything else would come again for ever.
      guard errno == EINTR else { return .expired }
    }
    return both[0].revents != 0 ? .expired : .ready
  }
}
