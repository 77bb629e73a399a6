import Glibc

/// SIGTERM and SIGINT, which end a server. One that comes at any time after this was made is kept until
/// it is waited for: before the server is up, too.
struct StopSignals {
  private let signals: sigset_t

  /// To be made before there is a second thread: threads block what the one that made them blocks, and
  /// a signal that any thread does not block would end the process (signal(7)).
  init() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTERM)
    sigaddset(&signals, SIGINT)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    self.signals = signals
  }

  /// Waits until one has come.
  func wait() {
    var signals = signals
    var number: Int32 = 0
    while sigwait(&signals, &number) != 0 {}
  }
}
