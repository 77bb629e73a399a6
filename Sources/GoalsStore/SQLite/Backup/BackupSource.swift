import Glibc

/// A backup, or a database that nobody has open, with the log beside it. It is read and never
/// changed, and nothing is left beside it.
package final class BackupSource {
  private typealias File = (descriptor: Int32, path: String)

  let path: String
  /// Of the file itself, its log and its journal those that exist, with the ends of their names.
  private let files: [(suffix: String, file: File)]
  /// Holds a shared lock as long as this object lives; -1 where there is no file to lock.
  private let lock: Int32

  /// Opens the files, and looks at them before anything is copied. What is copied later needs no
  /// right to read them any more.
  package init(_ given: String) throws(BackupError) {
    (path, files, lock) = try BackupError.wrapping { try Self.open(given) }
  }

  deinit {
    for (_, file) in files { close(file.descriptor) }
    if lock >= 0 { close(lock) }
  }

  private static func open(
    _ given: String
  ) throws -> (String, [(suffix: String, file: File)], lock: Int32) {
    guard let resolved = realpath(given, nil) else {
      let error = errno
      guard error == ENOENT else { throw OpeningError.system("read \(given)", errno: error) }
      throw BackupError.noBackup(given)
    }
    let path = String(cString: resolved)
    free(resolved)
    guard let status = try FileStatus.of(path, following: true), status.kind == .file else {
      throw OpeningError.notAFile(path, found: "no file")
    }
    var files: [(suffix: String, file: File)] = []
    var lock: Int32 = -1
    do {
      lock = try Self.lock(path)
      try OwnedDatabase.checkHead(of: path)
      for suffix in ["", "-wal", "-journal"] {
        guard try FileStatus.of(path + suffix, following: true) != nil else { continue }
        files.append((suffix, (try Files.openForReading(path + suffix), path + suffix)))
      }
    } catch {
      for (_, file) in files { close(file.descriptor) }
      if lock >= 0 { close(lock) }
      throw error
    }
    return (path, files, lock)
  }

  /// Refuses the database that the backup is to replace.
  func check(isNot database: DatabaseFile) throws {
    let replaced = try FileStatus.of(database.path, following: true)?.identity
    var status = stat()
    guard fstat(files[0].file.descriptor, &status) == 0 else {
      throw OpeningError.system("look at \(path)", errno: errno)
    }
    guard FileStatus(status).identity != replaced else { throw BackupError.isTheDatabase(path) }
  }

  /// Copies it, with what is beside it that belongs to it. Once.
  func copy(to copy: String) throws {
    for (suffix, file) in files {
      let target = try Files.openNew(copy + suffix)
      defer { close(target) }
      try Files.copy(file, to: (target, copy + suffix))
    }
    // Somebody opened it meanwhile for the first time.
    if lock < 0, access(path + ".lock", F_OK) == 0 {
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
