import Dispatch
import Glibc
import GoalsCore

extension World {
  /// The real world: the system's clock, randomness and time-zone files.
  package static func live(track: @escaping @Sendable (Happening) -> Void) -> World {
    let zoneFiles = ZoneFiles { track(.zoneFailed($0, $1)) }
    return World(
      now: {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
      },
      uptime: {
        var time = timespec()
        // It goes on while the machine is suspended.
        clock_gettime(CLOCK_BOOTTIME, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
      },
      random: {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
      },
      zone: zoneFiles.lookUp, zoneInAnotherCase: zoneFiles.nameInAnotherCase,
      machineZone: {
        zoneFiles.machineZone(variable: getenv("TZ").map { String(cString: $0) })
      },
      later: { duration, queue, body in
        let (seconds, attoseconds) = duration.components
        queue.asyncAfter(
          deadline: .now() + .seconds(Int(clamping: seconds))
            + .nanoseconds(Int(clamping: attoseconds / 1_000_000_000)), execute: body)
      }, track: track)
  }
}
