#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The file that is restored from: a backup, or a database that nobody has open, with the log beside
/// it. It is read and never changed.
final class BackupSource {
  let path: String
  /// Holds a shared lock as long as this object lives; -1 where there is no file to lock.
  private let lock: Int32

  /// Looks at the file before anything is copied.
  init(_ given: String, for database: DatabaseFile) throws(BackupError) {
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
    }
  }

  /// A database that a process has open changes while it is read.
  private static func lock(_ path: String) throws(BackupError) -> Int32 {
    let name = path + ".lock"
    let descriptor = open(name, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      let error = errno
      guard error == ENOENT else { throw .opening(.system("open \(name)", errno: error)) }
      return -1
    }
    guard flock(descriptor, LOCK_SH | LOCK_NB) == 0 else {
      let error = errno
      close(descriptor)
      guard error == EWOULDBLOCK else { throw .opening(.system("lock \(name)", errno: error)) }
      throw .opening(.inUse(path, lock: name))
    }
    return descriptor
  }
}
