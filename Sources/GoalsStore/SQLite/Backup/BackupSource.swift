import Glibc

/// A backup, or a database that nobody has open, with the log beside it. It is read and never
/// changed, and nothing is left beside it.
final class BackupSource {
  let path: String
  /// Holds a shared lock as long as this object lives; -1 where there is no file to lock.
  private let lock: Int32

  /// Looks at the file before anything is copied.
  ///
  /// - Parameter database: what the file may not be, as it will be replaced.
  init(_ given: String, for database: DatabaseFile? = nil) throws {
    guard let resolved = realpath(given, nil) else {
      let error = errno
      guard error == ENOENT else { throw OpeningError.system("read \(given)", errno: error) }
      throw BackupError.noBackup(given)
    }
    path = String(cString: resolved)
    free(resolved)
    guard let status = try FileStatus.of(path, following: true), status.kind == .file else {
      throw OpeningError.notAFile(path, found: "no file")
    }
    if let database {
      let replaced = try FileStatus.of(database.path, following: true)?.identity
      guard status.identity != replaced else { throw BackupError.isTheDatabase(path) }
    }
    lock = try Self.lock(path)
    try OwnedDatabase.checkHead(of: path)
  }

  deinit { if lock >= 0 { close(lock) } }

  /// Copies it, with what is beside it that belongs to it.
  func copy(to copy: String) throws {
    for suffix in ["", "-wal", "-journal"] {
      guard try FileStatus.of(path + suffix, following: true) != nil else { continue }
      try Files.copy(path + suffix, to: copy + suffix)
    }
    // Somebody opened it meanwhile for the first time.
    if lock < 0, try FileStatus.of(path + ".lock", following: false) != nil {
      throw OpeningError.inUse(path, lock: path + ".lock")
    }
  }

  /// A database that a process has open changes while it is read.
  private static func lock(_ path: String) throws -> Int32 {
    let name = path + ".lock"
    guard try FileStatus.of(name, following: true) != nil else { return -1 }
    let descriptor = try Files.openForReading(name)
    guard flock(descriptor, LOCK_SH | LOCK_NB) == 0 else {
      let error = errno
      close(descriptor)
      guard error == EWOULDBLOCK else { throw OpeningError.system("lock \(name)", errno: error) }
      throw OpeningError.inUse(path, lock: name)
    }
    return descriptor
  }
}
