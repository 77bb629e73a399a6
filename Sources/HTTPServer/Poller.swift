import CSystem
import Dispatch
import Glibc

/// Tells which descriptors are ready: epoll, with an event to be woken by and a timer.
///
/// One Dispatch source watches the epoll descriptor itself, instead of one source per connection:
/// that serves twice the requests for the same processor time. Not safe to use from several threads
/// at once, but for `wake`.
struct Poller: ~Copyable {
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

  private let descriptor: Int32
  private let timer: Int32
  private let waker: Waker

  init() throws(SystemError) {
    waker = Waker(csystem_eventfd())
    descriptor = csystem_epoll_create()
    timer = csystem_timerfd()
    guard waker.descriptor >= 0, descriptor >= 0, timer >= 0,
      csystem_epoll_add(
        descriptor, waker.descriptor, Poller.wakeToken, Interest.readable.rawValue) == 0,
      csystem_epoll_add(descriptor, timer, Poller.timerToken, Interest.readable.rawValue) == 0
    else {
      let error = SystemError.last("epoll")
      for descriptor in [descriptor, timer] where descriptor >= 0 { Glibc.close(descriptor) }
      throw error
    }
  }

  /// A source whose handler runs on the queue when `wait` has something to tell. Its cancel handler
  /// closes the poller's descriptors, but for the waker's.
  func source(queue: DispatchQueue) -> any DispatchSourceRead {
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    let descriptors = [descriptor, timer]
    source.setCancelHandler { for descriptor in descriptors { Glibc.close(descriptor) } }
    return source
  }

  /// A function that ends a `wait`, or calls the source's handler, from any thread.
  var wake: @Sendable () -> Void {
    let waker = waker
    return { waker.wake() }
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
    _ = csystem_timerfd_set(timer, Int64(interval?.nanoseconds ?? 0))
  }

  /// Fills the array's beginning, and answers how many there are; 0 when the time is over.
  func wait(_ events: inout [csystem_event], milliseconds: Int32) -> Int {
    let count = events.withUnsafeMutableBufferPointer {
      csystem_epoll_wait(descriptor, $0.baseAddress, Int32(clamping: $0.count), milliseconds)
    }
    return max(0, Int(count))
  }

  /// Makes a waker or timer that was reported silent again.
  func acknowledge(_ token: UInt64) {
    var value: UInt64 = 0
    _ = Glibc.read(token == Poller.wakeToken ? waker.descriptor : timer, &value, 8)
  }
}

/// An eventfd, open as long as anybody may write to it.
private final class Waker: Sendable {
  let descriptor: Int32

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { if descriptor >= 0 { Glibc.close(descriptor) } }

  func wake() {
    var one: UInt64 = 1
    // It fails only when it would overflow, and then a wake is due already.
    _ = Glibc.write(descriptor, &one, 8)
  }
}
