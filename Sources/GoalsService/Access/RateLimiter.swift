import GoalsCore
import Synchronization

/// Lets each client, by its token, its account or its address, make so many requests a second, or
/// in another time, and some more at once: a bucket of permits for each, which fills up at the
/// rate.
final class RateLimiter<Client: Hashable & Sendable>: Sendable {
  /// How many buckets are kept, in about 1 MB. Buckets that are forgotten for others have had the
  /// longest time to fill up.
  static var maximumBuckets: Int { 10_000 }
  /// The longest pause that is counted, in milliseconds: any bucket is full after it.
  private static var longestPause: Int64 { 86_400_000 }

  private struct Bucket {
    var parts: Int64
    var at: Instant
  }

  /// Permits in the time; 0 for any number.
  private let rate: Int64
  /// In how many parts a permit is counted: so many that a millisecond brings `rate` of them.
  private let permit: Int64
  /// How many parts a bucket holds.
  private let capacity: Int64
  private let buckets = Mutex(Generations<Client, Bucket>(maximum: maximumBuckets))

  /// - Parameters:
  ///   - rate: 0 to 1,000,000.
  ///   - seconds: the time of the rate, at most a minute.
  ///   - burst: 1 to 1,000,000.
  init(rate: Int, inSeconds seconds: Int64 = 1, burst: Int) {
    self.rate = Int64(min(max(rate, 0), 1_000_000))
    permit = 1000 * seconds
    capacity = Int64(min(max(burst, 1), 1_000_000)) * permit
  }

  /// Takes a permit. Where there is none, answers after how many seconds there is one.
  func take(_ client: Client, at now: Instant) -> Int? {
    guard rate > 0 else { return nil }
    return buckets.withLock { buckets in
      buckets.change(client, or: Bucket(parts: capacity, at: now)) { bucket in
        let parts = filled(bucket, at: now)
        let isThere = parts >= permit
        bucket = Bucket(parts: isThere ? parts - permit : parts, at: now)
        return isThere ? nil : Int((permit - parts + rate * 1000 - 1) / (rate * 1000))
      }
    }
  }

  /// The parts in a bucket now; no more than before where the clock was set back.
  private func filled(_ bucket: Bucket, at now: Instant) -> Int64 {
    let pause = min(max(now.milliseconds - bucket.at.milliseconds, 0), Self.longestPause)
    return min(bucket.parts + pause * rate, capacity)
  }
}
