import Dispatch
import Glibc

/// Signals that end a process: SIGTERM and SIGINT, or others. One that comes at any time after this
/// was made is kept until it is waited for: before a server is up, too.
struct StopSignals: Sendable {
  private let signals: sigset_t

  /// To be made before there is a second thread: threads block what the one that made them blocks,
  /// and a signal that any thread does not block would end the process (signal(7)).
  init(_ numbers: [Int32] = [SIGTERM, SIGINT]) {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in numbers { sigaddset(&signals, number) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    self.signals = signals
  }

  /// Waits until one has come, and says which.
  @discardableResult
  func wait() -> Int32 {
    var signals = signals
    var number: Int32 = 0
    while sigwait(&signals, &number) != 0 {}
    return number
  }

  /// Has a signal that ends a command clean up before it does: SIGTERM, SIGINT, SIGHUP or SIGQUIT,
  /// unless the process was started with that signal ignored (nohup(1)).
  ///
  /// - Parameter body: cleans up, then calls what it is given, which does not return.
  static func cleanUp(_ body: @escaping @Sendable (_ end: () -> Void) -> Void) {
    let numbers = [SIGTERM, SIGINT, SIGHUP, SIGQUIT].filter { number in
      var action = sigaction()
      sigaction(number, nil, &action)
      // SIG_IGN is 1. Swift's runtime may have a handler of its own for SIGQUIT, which prints where
      // the program is.
      return Int(bitPattern: unsafeBitCast(action.__sigaction_handler, to: UnsafeRawPointer?.self))
        != 1
    }
    let signals = StopSignals(numbers)
    DispatchQueue(label: "goals.signals").async {
      let number = signals.wait()
      body {
        // As if it had never been waited for: so whoever started it learns why it ended.
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, number)
        signal(number, nil)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        raise(number)
      }
    }
  }
}
