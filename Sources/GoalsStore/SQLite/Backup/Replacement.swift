import Glibc

/// Puts one database in the place of another. At any moment, after a crash too, one of three is
/// there whole: the old database, the new one, or a file `goals.sqlite.restoring-…`.
///
/// That file is the new database, checked and durable. From the moment it has this name it will
/// take the place, whether the process that gave it lives on or the next one that claims the
/// database goes on (`finishCommitted`). So a log is never beside a database that it does not
/// belong to, and an empty database is never made in the place of one that was moved aside.
struct Replacement {
  let file: DatabaseFile
  /// When it was begun: a part of the names.
  let stamp: String

  /// While it is copied and checked. One that is left behind is of no use.
  var unverified: String { "\(file.path).unverified-\(stamp)" }
  /// Once it is checked and durable.
  var committed: String { "\(file.path).restoring-\(stamp)" }
  /// Where the database goes that is replaced.
  var aside: String { "\(file.path).replaced-\(stamp)" }

  /// Puts what is checked in place, for certain from here on. The caller owns the lock.
  func commit() throws(OpeningError) {
    try Files.sync(unverified)
    try Files.rename(unverified, to: committed)
    try Files.sync(file.folder)
    try finish()
  }

  /// Does what is left to be done of it.
  private func finish() throws(OpeningError) {
    // The database before its log: what is left of it if this stops between is no database.
    for suffix in ["", "-wal", "-journal"] {
      guard try FileStatus.of(file.path + suffix, following: false) != nil else { continue }
      try Files.rename(file.path + suffix, to: aside + suffix)
    }
    // SQLite makes the index anew from the log.
    Files.discard(file.index)
    try Files.sync(file.folder)
    try Files.rename(committed, to: file.path)
    try Files.sync(file.folder)
  }

  // MARK: What another process left

  /// Those that were committed and not finished, first the oldest. There is at most one, unless
  /// somebody gave a file such a name.
  static func committed(of file: DatabaseFile) throws(OpeningError) -> [Replacement] {
    let start = name(of: file) + ".restoring-"
    return try Files.names(in: file.folder, beginning: start).map { name in
      Replacement(file: file, stamp: String(name.dropFirst(start.count)))
    }
  }

  /// Finishes what a process that died has committed. The caller owns the lock.
  static func finishCommitted(of file: DatabaseFile) throws(OpeningError) {
    for replacement in try committed(of: file) { try replacement.finish() }
  }

  /// Removes what a process that died was still checking. The caller owns the lock.
  static func discardUnverified(of file: DatabaseFile) throws(OpeningError) {
    let start = name(of: file) + ".unverified-"
    for name in try Files.names(in: file.folder, beginning: start) {
      Files.discard(file.folder + "/" + name)
    }
  }

  private static func name(of file: DatabaseFile) -> String {
    String(file.path.split(separator: "/").last ?? "")
  }
}

extension DatabaseFile {
  /// Whether a path is one that files beside this database have.
  func owns(_ path: String) -> Bool {
    [self.path, log, index, journal, lock, self.path + ".sock"].contains(path)
      || [".restoring-", ".unverified-"].contains { path.hasPrefix(self.path + $0) }
  }
}
