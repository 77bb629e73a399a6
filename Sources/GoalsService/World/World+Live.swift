import Dispatch
import Glibc
import GoalsCore
import Synchronization

extension World {
  /// The real world: the system's clock, randomness and time-zone files.
  package static func live(track: @escaping @Sendable (Happening) -> Void) -> World {
    World(
      now: {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
      },
      uptime: {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
      },
      random: {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
      },
      zones: ZoneFiles().zones,
      later: { duration, queue, body in
        let (seconds, attoseconds) = duration.components
        queue.asyncAfter(
          deadline: .now() + .seconds(Int(clamping: seconds))
            + .nanoseconds(Int(clamping: attoseconds / 1_000_000_000)), execute: body)
      }, track: track)
  }
}

/// The time zones of the system's database (TZif files, RFC 9636), each read once.
final class ZoneFiles: Sendable {
  /// Where the database is, by the convention of the IANA's own Makefile.
  private let folder: String
  private let known = Mutex<[ZoneName: Zone?]>([:])
  /// There are some 600 names; whoever asks for others shall not fill the memory.
  private static let maximumKnown = 2000

  init(folder: String = "/usr/share/zoneinfo") { self.folder = folder }

  var zones: Zones {
    Zones { name in name == .utc ? .utc : self.zone(name) }
  }

  private func zone(_ name: ZoneName) -> Zone? {
    if let zone = known.withLock({ $0[name] }) { return zone }
    let zone = Self.read("\(folder)/\(name.text)").flatMap { try? Zone(name: name, tzif: $0) }
    known.withLock { known in
      if known.count >= Self.maximumKnown { known = [:] }
      known[name] = .some(zone)
    }
    return zone
  }

  /// The bytes of a regular file of at most 1 MiB (the largest zone has 4 KiB); nil for anything
  /// else.
  private static func read(_ path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size <= 1 << 20
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var filled = 0
    while filled < bytes.count {
      let count = bytes.withUnsafeMutableBytes { buffer in
        Glibc.read(descriptor, buffer.baseAddress?.advanced(by: filled), buffer.count - filled)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      filled += count
    }
    return bytes
  }
}
