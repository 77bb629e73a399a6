#if !canImport(Darwin)
import CCurl
import Foundation
import Synchronization

/// A thread that works with libcurl, and is gone before the process ends.
///
/// The libraries below libcurl take themselves apart when the process ends. A thread that still
/// uses them then crashes, even if all that it does is end.
enum CurlThread {
  private struct Running: Sendable {
    let thread: pthread_t
    let end: @Sendable () -> Void

    var hasEnded: Bool { pthread_tryjoin_np(thread, nil) == 0 }
  }

  /// The threads that were not seen to end.
  private static let running = Mutex<[Running]>([])

  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Has libcurl ready, and the end of the process wait for the threads. It is to be called before
  /// the first of them.
  static func prepare() { _ = isPrepared }

  private static let isPrepared = {
    curl_global_init(Int(CURL_GLOBAL_DEFAULT))
    // The last to be registered is the first to be called.
    return atexit { CurlThread.endAll() } == 0
  }()

  /// Whether a thread could be made.
  ///
  /// - Parameter endingBy: makes the body return soon.
  static func begin(
    _ body: @escaping @Sendable () -> Void, endingBy end: @escaping @Sendable () -> Void
  ) -> Bool {
    running.withLock { running in
      running.removeAll(where: \.hasEnded)
      let work = Unmanaged.passRetained(Work(body))
      var thread = pthread_t()
      let error = pthread_create(
        &thread, nil,
        { context in
          guard let context else { return nil }
          CurlThread.blockSignals()
          Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
          return nil
        }, work.toOpaque())
      guard error == 0 else {
        work.release()
        return false
      }
      running.append(Running(thread: thread, end: end))
      return true
    }
  }

  /// Blocks all signals on the thread. A lost connection is then an error of the write, and does
  /// not end the process. Other threads take the signals that are sent to the process.
  private static func blockSignals() {
    var signals = sigset_t()
    sigfillset(&signals)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Ends the threads, and waits for them a second at most: one of them may wait for the thread
  /// that ends the process.
  private static func endAll() {
    running.withLock { running in
      for thread in running { thread.end() }
      for _ in 0..<1000 {
        running.removeAll(where: \.hasEnded)
        if running.isEmpty { return }
        usleep(1000)
      }
    }
  }
}
#endif
