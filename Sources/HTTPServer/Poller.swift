import CSystem
import Dispatch
import Glibc

/// Tells which descriptors are ready: epoll, with an event that wakes it and a timer.
///
/// One Dispatch source watches the epoll descriptor itself, instead of one source per connection:
/// that serves twice the requests for the same processor time. Only `wake` may be used from several
/// threads at once. The descriptors stay open as long as the poller is referred to.
final class Poller: Sendable {
  struct Interest: OptionSet {
    let rawValue: UInt32
    static let readable = Interest(rawValue: UInt32(csystem_readable))
    static let writable = Interest(rawValue: UInt32(csystem_writable))
    /// Reported unasked: the connection is lost.
    static let broken = Interest(rawValue: UInt32(csystem_broken))
  }

  /// Tokens of the poller's own descriptors; others must not use them.
  static let wakeToken: UInt64 = 0
  static let timerToken: UInt64 = 1

  private let descriptor = csystem_epoll_create()
  private let timer = csystem_timerfd()
  private let event = csystem_eventfd()

  init() throws(SystemError) {
    // The descriptors are checked before `add`, which would set `errno` anew.
    guard descriptor >= 0, timer >= 0, event >= 0, add(event, token: Poller.wakeToken, .readable),
      add(timer, token: Poller.timerToken, .readable)
    else { throw .last("epoll") }
  }

  deinit {
    for descriptor in [descriptor, timer, event] where descriptor >= 0 { close(descriptor) }
  }

  /// A source whose handler runs on the queue when there are events. The caller cancels it before
  /// letting go of the poller.
  func source(queue: DispatchQueue) -> any DispatchSourceRead {
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setCancelHandler { withExtendedLifetime(self) {} }
    return source
  }

  /// Ends a `wait`, or calls the source's handler, from any thread.
  @Sendable func wake() {
    var one: UInt64 = 1
    // It fails only when it would overflow, and then a wake is due already.
    _ = write(event, &one, 8)
  }

  func add(_ descriptor: Int32, token: UInt64, _ interest: Interest) -> Bool {
    csystem_epoll_add(self.descriptor, descriptor, token, interest.rawValue) == 0
  }

  func change(_ descriptor: Int32, token: UInt64, _ interest: Interest) {
    _ = csystem_epoll_change(self.descriptor, descriptor, token, interest.rawValue)
  }

  func remove(_ descriptor: Int32) {
    _ = csystem_epoll_remove(self.descriptor, descriptor)
  }

  /// Reports `timerToken` at this interval from now on; nil stops it.
  func tick(every interval: Duration?) {
    _ = csystem_timerfd_set(timer, Int64((interval ?? .zero) / .nanoseconds(1)))
  }

  /// Writes events to the array's beginning, and answers how many; 0 when the time is over.
  func wait(_ events: inout [csystem_event], milliseconds: Int32) -> Int {
    let count = events.withUnsafeMutableBufferPointer {
      csystem_epoll_wait(descriptor, $0.baseAddress, Int32(clamping: $0.count), milliseconds)
    }
    return max(0, Int(count))
  }

  /// Ends the readiness of the event or the timer.
  func acknowledge(_ token: UInt64) {
    var value: UInt64 = 0
    _ = read(token == Poller.wakeToken ? event : timer, &value, 8)
  }
}
