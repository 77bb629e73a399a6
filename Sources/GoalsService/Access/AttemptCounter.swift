import GoalsCore
import Synchronization

/// Counts the attempts of each client address, and tells how long the address has to wait. The
/// window of an address begins with its first attempt.
final class AttemptCounter: Sendable {
  /// How many addresses are kept, in about 1 MB. Beyond that, the addresses that tried longest ago
  /// are forgotten.
  static let maximumAddresses = 10_000
  private struct Count {
    var since: Instant
    var attempts = 0

    /// For how many milliseconds it counts on; none where the clock was set back.
    func rest(of window: Int64, at now: Instant) -> Int64 {
      let age = now.milliseconds - since.milliseconds
      return age < 0 ? 0 : max(window - age, 0)
    }
  }

  /// Attempts in the time of a window; 0 for any number.
  private let limit: Int
  /// In milliseconds.
  private let window: Int64
  private let counts = Mutex(Generations<ClientAddress, Count>(maximum: maximumAddresses))

  init(limit: Int, minutes: Int64 = 1) {
    self.limit = limit
    window = minutes * 60_000
  }

  /// Counts an attempt. Where it is one too many, answers after how many seconds the next one is
  /// heard.
  ///
  /// - Parameter counts: where it is false, it is only asked whether one would be.
  func attempt(from address: ClientAddress, at now: Instant, counts isCounted: Bool = true) -> Int?
  {
    guard limit > 0 else { return nil }
    return counts.withLock { counts in
      counts.change(address, or: Count(since: now)) { count in
        if count.rest(of: window, at: now) == 0 { count = Count(since: now) }
        if count.attempts >= limit { return Int((count.rest(of: window, at: now) + 999) / 1000) }
        if isCounted { count.attempts += 1 }
        return nil
      }
    }
  }

  /// Counts an attempt of this window no more.
  func takeBack(from address: ClientAddress, at now: Instant) {
    guard limit > 0 else { return }
    counts.withLock { counts in
      counts.change(address, or: Count(since: now)) { $0.attempts = max($0.attempts - 1, 0) }
    }
  }
}
