import Dispatch
import Foundation
import GoalsCore

/// What a client asks of the world outside: the time, ids, chance, the device's time zones.
///
/// An app takes `.live`. A test hands in what it wants.
public struct ClientWorld: Sendable {
  /// The device's present time.
  public var now: @Sendable () -> Instant
  /// A random number from 0 to 1.
  public var chance: @Sendable () -> Double
  /// 128 random bits, for an id.
  public var randomness: @Sendable () -> (UInt64, UInt64)
  /// A time zone of the device's own database: its TZif file, or nil where it has none.
  public var zoneFile: @Sendable (ZoneName) -> [UInt8]?
  /// Calls the function on the queue after so long.
  public var after: @Sendable (Duration, DispatchQueue, @escaping @Sendable () -> Void) -> Void
  /// How the device's clock is set; nil where the system does not say.
  public var clockSetting: @Sendable () -> ClockSetting?

  /// A world of these parts, for tests.
  public init(
    now: @escaping @Sendable () -> Instant, chance: @escaping @Sendable () -> Double,
    randomness: @escaping @Sendable () -> (UInt64, UInt64),
    zoneFile: @escaping @Sendable (ZoneName) -> [UInt8]?,
    after: @escaping @Sendable (Duration, DispatchQueue, @escaping @Sendable () -> Void) -> Void,
    clockSetting: @escaping @Sendable () -> ClockSetting? = { nil }
  ) {
    self.now = now
    self.chance = chance
    self.randomness = randomness
    self.zoneFile = zoneFile
    self.after = after
    self.clockSetting = clockSetting
  }

  /// The real one.
  public static let live = ClientWorld(
    now: { Instant(milliseconds: milliseconds(of: CLOCK_REALTIME)) },
    chance: { Double.random(in: 0...1) },
    randomness: { (UInt64.random(in: 0 ... .max), UInt64.random(in: 0 ... .max)) },
    zoneFile: { name in
      let path = "/usr/share/zoneinfo/\(name.text)"
      guard let file = try? Descriptor(opening: path, O_RDONLY | O_NONBLOCK),
        let status = try? file.status(), status.st_mode & S_IFMT == S_IFREG,
        status.st_size <= Zone.maximumSize
      else { return nil }
      return try? file.read(0..<Int(status.st_size))
    },
    after: { pause, queue, body in
      queue.asyncAfter(deadline: .now() + pause.seconds, execute: body)
    },
    clockSetting: {
      #if os(Linux)
      guard let file = try? Descriptor(opening: "/proc/sys/kernel/random/boot_id", O_RDONLY),
        let boot = try? file.read(0..<36), !boot.isEmpty
      else { return nil }
      let start = milliseconds(of: CLOCK_REALTIME) - milliseconds(of: CLOCK_BOOTTIME)
      return ClockSetting(
        boot: String(decoding: boot, as: UTF8.self), start: Instant(milliseconds: start))
      #else
      return nil
      #endif
    })

  private static func milliseconds(of clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}

/// How a device's clock is set. It is another setting once somebody has set the clock, or the
/// device was started anew.
public struct ClockSetting: Hashable, Sendable {
  /// The device's last start, by the system's name of it: no two starts have the same.
  public let boot: String
  /// When that start was, by the clock.
  public let start: Instant

  /// The setting of a clock by which the start of this name was then.
  public init(boot: String, start: Instant) {
    self.boot = boot
    self.start = start
  }
}

extension Duration {
  /// As Foundation and Dispatch count.
  var seconds: Double { self / .seconds(1) }
}

extension ClientWorld {
  /// A new id: a UUID of version 7, so that ids sort by the time at which they were made.
  public func makeID<Tagged>() -> ID<Tagged> { ID(time: now(), randomness: randomness()) }
}
