import Dispatch
import GoalsCore
import Synchronization

extension World {
  /// A world in which everything can be foretold: time passes only when the clock is moved, random
  /// words are 1, 2, 3, …, and there are a few zones that no update of the system's database
  /// changes.
  package static func mock(
    clock: MockClock = MockClock(), track: @escaping @Sendable (Happening) -> Void = { _ in }
  ) -> World {
    let words = WordSequence()
    return World(
      now: { clock.now }, uptime: { clock.uptime }, random: { words.next() }, zone: mockZone,
      later: { clock.call(after: $0, on: $1, $2) }, track: track)
  }

  /// A clock that stands still until it is moved.
  package final class MockClock: Sendable {
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
    package init(_ instant: Instant = Instant(seconds: 1_795_176_000)) {
      time = Mutex(Time(instant: instant))
    }

    package var now: Instant { time.withLock { $0.instant } }

    var uptime: Duration { time.withLock { $0.passed } }

    /// Lets time pass until it shows this, and calls what is due by then; or sets it back, and no
    /// time passes.
    package func set(to new: Instant) { move { _ in new } }

    package func advance(bySeconds seconds: Int64) {
      move { $0.adding(milliseconds: seconds * 1000) }
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

extension World {
  /// UTC, and zones that have always kept to the rule of the present.
  @Sendable package static func mockZone(_ name: ZoneName) -> ZoneLookup {
    name == .utc ? .found(.utc) : mockZones[name].map { .found($0) } ?? .unknown
  }

  /// POSIX TZ strings (RFC 9636 §3.3.1), as the footers of the zones' files had them in 2026.
  private static let mockZones: [ZoneName: Zone] = [
    "America/New_York": "EST5EDT,M3.2.0,M11.1.0",
    "Asia/Tokyo": "JST-9",
    "Europe/Berlin": "CET-1CEST,M3.5.0,M10.5.0/3",
    "Pacific/Auckland": "NZST-12NZDT,M9.5.0,M4.1.0/3",
  ].reduce(into: [:]) { zones, rule in
    guard let name = ZoneName(rule.key) else { return }
    zones[name] = try? Zone(name: name, tzif: tzif(rule: rule.value))
  }

  /// The smallest TZif file (RFC 9636 §3): no change, one type of time, and the rule in its footer.
  private static func tzif(rule: String) -> [UInt8] {
    let counts = [0, 0, 0, 0, 1, 1].flatMap { [0, 0, 0, $0] as [UInt8] }
    let header = Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15) + counts
    // An offset of 0, no daylight saving, and a designation of one NUL.
    let data = [UInt8](repeating: 0, count: 4 + 1 + 1 + 1)
    return header + data + header + data + Array("\n\(rule)\n".utf8)
  }
}
