import Dispatch
import GoalsCore
import Synchronization
import TestSupport

@testable import GoalsService

extension World {
  /// A world in which everything can be foretold: time passes only when the clock is moved, random
  /// words are 1, 2, 3, …, and there are a few zones that no update of the system's database
  /// changes.
  static func mock(
    clock: MockClock = MockClock(), track: @escaping @Sendable (Happening) -> Void = { _ in }
  ) -> World {
    let words = WordSequence()
    return World(
      now: { clock.now }, uptime: { clock.uptime }, random: { words.next() }, zone: mockZone,
      zoneInAnotherCase: { _ in nil }, machineZone: { .utc },
      later: { clock.call(after: $0, on: $1, $2) }, track: track)
  }

  /// A clock that stands still until it is moved.
  final class MockClock: Sendable {
    private struct Call {
      let due: Duration
      let queue: DispatchQueue
      let body: @Sendable () -> Void
    }

    private struct Time {
      var instant: Instant
      /// Since some moment that nobody knows.
      var passed = Duration.seconds(1_000_000)
      var calls: [Call] = []
    }

    private let time: Mutex<Time>

    /// It shows 2026-11-20T12:00:00Z, a Friday, where nothing else is said.
    init(_ instant: Instant = Instant(seconds: 1_795_176_000)) {
      time = Mutex(Time(instant: instant))
    }

    var now: Instant { time.withLock { $0.instant } }

    var uptime: Duration { time.withLock { $0.passed } }

    /// Lets time pass until it shows this, and calls what is due by then; or sets it back, and no
    /// time passes.
    func set(to new: Instant) { move { _ in new } }

    func advance(bySeconds seconds: Int64) {
      move { $0.adding(milliseconds: seconds * 1000) }
    }

    /// Lets time pass to the next call, where one is due within this time.
    func advance(toCallWithin limit: Duration) -> Bool {
      let wait = time.withLock { time in time.calls.map { $0.due - time.passed }.min() }
      guard let wait, wait <= limit else { return false }
      move { $0.adding(milliseconds: Int64((wait / .milliseconds(1)).rounded(.up))) }
      return true
    }

    private func move(_ change: (Instant) -> Instant) {
      let due = time.withLock { time in
        let new = change(time.instant)
        time.passed += .milliseconds(max(0, new.milliseconds - time.instant.milliseconds))
        time.instant = new
        let passed = time.passed
        defer { time.calls.removeAll { $0.due <= passed } }
        return time.calls.filter { $0.due <= passed }
      }
      for call in due { call.queue.async(execute: call.body) }
    }

    func call(
      after duration: Duration, on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void
    ) {
      guard duration > .zero else { return queue.async(execute: body) }
      time.withLock { time in
        time.calls.append(Call(due: time.passed + duration, queue: queue, body: body))
      }
    }
  }
}

/// Random words that are none: each is one more than the one before it.
private final class WordSequence: Sendable {
  private let last = Atomic<UInt64>(0)

  func next() -> UInt64 { last.wrappingAdd(1, ordering: .relaxed).newValue }
}
