import Glibc
import GoalsCore
import Synchronization

/// The time zones of the system's database (TZif files, RFC 9636).
///
/// A zone that was read is kept as long as the process lives. Nothing else is kept: a file that
/// could not be read may be readable the next time, and one that was not there may be installed. To
/// look for a file that is not there costs a system call, less than to record an edit.
final class ZoneFiles: Sendable {
  private struct Known {
    var zones: [ZoneName: Zone] = [:]
    /// Zones whose failure was told, and that were not read since.
    var failing: Set<ZoneName> = []
  }

  /// Why a file gave no zone.
  enum Fault: Error {
    /// There is nothing of this name, or it is no file.
    case missing
    /// In words for the log.
    case unreadable(String)

    static var lastError: Fault { .unreadable(String(cString: strerror(errno))) }
  }

  /// There are some 600 names. Requests for others shall not fill the memory.
  private static let maximumKnown = 2000
  /// At most so many failing names are told, so that nobody can fill the log.
  static let maximumFailing = 100

  /// The folder of the database, by the convention of the IANA's own Makefile.
  let folder: String
  private let known = Mutex(Known())
  private let tell: @Sendable (ZoneName, String) -> Void

  /// - Parameter tell: is told why a zone can't be read, once until it is read.
  init(
    folder: String = "/usr/share/zoneinfo", tell: @escaping @Sendable (ZoneName, String) -> Void
  ) {
    self.folder = folder
    self.tell = tell
  }

  @Sendable func lookUp(_ name: ZoneName) -> ZoneLookup {
    if name == .utc { return .found(.utc) }
    if let zone = known.withLock({ $0.zones[name] }) { return .found(zone) }
    do throws(Fault) {
      let zone = try read(name)
      known.withLock { known in
        if known.zones.count < Self.maximumKnown { known.zones[name] = zone }
        known.failing.remove(name)
      }
      return .found(zone)
    } catch {
      guard case .unreadable(let reason) = error else { return .unknown }
      let isNews = known.withLock { known in
        known.failing.count < Self.maximumFailing && known.failing.insert(name).inserted
      }
      if isNews { tell(name, reason) }
      return .unavailable
    }
  }

  /// The zone whose name has the letters of this one, some of them in another case.
  @Sendable func nameInAnotherCase(_ name: ZoneName) -> ZoneName? {
    var found = ""
    for part in name.text.lowercased().split(separator: "/") {
      guard let entry = entries(of: "\(folder)/\(found)").first(where: { $0.lowercased() == part })
      else { return nil }
      found += (found.isEmpty ? "" : "/") + entry
    }
    return ZoneName(found).flatMap { lookUp($0).zone == nil ? nil : $0 }
  }

  /// The names in a folder; none where it can't be read.
  private func entries(of folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) { name in
          name.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) {
            String(cString: $0)
          }
        })
    }
    return names.sorted()
  }

  private func read(_ name: ZoneName) throws(Fault) -> Zone {
    let bytes = try bytes(ofFile: "\(folder)/\(name.text)")
    do throws(ZoneError) {
      return try Zone(name: name, tzif: bytes)
    } catch {
      throw .unreadable(error.description)
    }
  }

  /// Reads a file that is no larger than a zone.
  func bytes(ofFile path: String) throws(Fault) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      guard errno == ENOENT || errno == ENOTDIR else { throw .lastError }
      try checkFolder()
      throw .missing
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .lastError }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .missing }
    guard status.st_size <= Zone.maximumSize else {
      throw .unreadable(ZoneError.tooLarge.description)
    }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var filled = 0
    while filled < bytes.count {
      let count = bytes.withUnsafeMutableBytes { buffer in
        Glibc.read(descriptor, buffer.baseAddress?.advanced(by: filled), buffer.count - filled)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .lastError }
      guard count > 0 else { throw .unreadable(ZoneError.truncated.description) }
      filled += count
    }
    return bytes
  }

  /// Without its folder nothing is known of the database.
  private func checkFolder() throws(Fault) {
    var status = stat()
    guard stat(folder, &status) == 0 else { throw .unreadable("there is no folder \(folder)") }
  }
}
