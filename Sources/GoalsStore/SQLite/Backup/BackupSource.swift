#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A backup, or a database that nobody has open, with the log beside it. It is read and never
/// changed, and nothing is left beside it.
final class BackupSource {
  let path: String
  /// Holds a shared lock as long as this object lives; -1 where there is no file to lock.
  private let lock: Int32

  /// Looks at the file before anything is copied.
  ///
  /// - Parameter database: what the file may not be, as it will be replaced.
  init(_ given: String, for database: DatabaseFile? = nil) throws(BackupError) {
    guard let resolved = realpath(given, nil) else {
      let error = errno
      guard error == ENOENT else { throw .opening(.system("read \(given)", errno: error)) }
      throw .noBackup(given)
    }
    path = String(cString: resolved)
    free(resolved)
    let path = path
    let isTheDatabase = try BackupError.wrapping { () throws(OpeningError) in
      guard let status = try FileStatus.of(path, following: true), status.kind == .file else {
        throw .notAFile(path, found: "no file")
      }
      guard let database else { return false }
      return try status.identity == FileStatus.of(database.path, following: true)?.identity
    }
    guard !isTheDatabase else { throw .isTheDatabase(path) }
    lock = try Self.lock(path)
    try BackupError.wrapping { () throws(OpeningError) in
      try OwnedDatabase.checkHead(of: path)
    }
  }

  deinit { if lock >= 0 { close(lock) } }

  /// Copies it, with what is beside it that belongs to it.
  func copy(to copy: String) throws(BackupError) {
    try BackupError.wrapping { () throws(OpeningError) in
      for suffix in ["", "-wal", "-journal"] {
        guard try FileStatus.of(path + suffix, following: true) != nil else { continue }
        try FolderEntry.copy(path + suffix, to: copy + suffix)
      }
      // Somebody opened it meanwhile for the first time.
      if lock < 0, try FileStatus.of(path + ".lock", following: false) != nil {
        throw .inUse(path, lock: path + ".lock")
      }
    }
  }

  /// A database that a process has open changes while it is read.
  private static func lock(_ path: String) throws(BackupError) -> Int32 {
    let name = path + ".lock"
    let descriptor = try BackupError.wrapping { () throws(OpeningError) in
      try FileStatus.of(name, following: true) == nil ? -1 : FolderEntry.openForReading(name)
    }
    guard descriptor >= 0 else { return -1 }
    guard flock(descriptor, LOCK_SH | LOCK_NB) == 0 else {
      let error = errno
      close(descriptor)
      guard error == EWOULDBLOCK else { throw .opening(.system("lock \(name)", errno: error)) }
      throw .opening(.inUse(path, lock: name))
    }
    return descriptor
  }
}
