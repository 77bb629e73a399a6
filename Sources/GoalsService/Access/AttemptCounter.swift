import GoalsCore
import Synchronization

/// Counts what each client address has tried in vain, and says who has to wait. The minute of an address
/// begins with its first attempt.
final class AttemptCounter: Sendable {
  /// How many addresses are known, in about 1 MB. For more of them, those are forgotten that tried longest ago.
  static let maximumAddresses = 10_000
  /// In milliseconds.
  private static let window: Int64 = 60_000

  private struct Count {
    var since: Instant
    var attempts = 0

    /// For how many milliseconds it counts on; none where the clock was set back.
    func rest(at now: Instant) -> Int64 {
      let age = now.milliseconds - since.milliseconds
      return age < 0 ? 0 : max(AttemptCounter.window - age, 0)
    }
  }

  /// Attempts a minute; 0 for any number.
  private let limit: Int
  private let counts = Mutex(Generations<ClientAddress, Count>(maximum: maximumAddresses))

  init(limit: Int) { self.limit = limit }

  /// Counts an attempt. Answers after how many seconds the next one is heard, where this one is one too
  /// many.
  func attempt(from address: ClientAddress, at now: Instant) -> Int? {
    guard limit > 0 else { return nil }
    return counts.withLock { counts in
      counts.change(address, or: Count(since: now)) { count in
        if count.rest(at: now) == 0 { count = Count(since: now) }
        if count.attempts >= limit { return Int((count.rest(at: now) + 999) / 1000) }
        count.attempts += 1
        return nil
      }
    }
  }
}
