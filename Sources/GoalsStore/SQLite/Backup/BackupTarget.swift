import Glibc
import GoalsCore

/// The file of a backup, and the partial file beside it, which the backup is until it is whole.
struct BackupTarget: Sendable {
  /// With every link in its folder followed.
  let path: String
  let folder: String
  /// What a process that dies meanwhile leaves behind; it can be deleted.
  let partial: String

  /// Follows the path, and refuses one that is taken. Changes nothing.
  init(_ given: String, at now: Instant) throws {
    let file = try DatabaseFile(path: given)
    path = file.path
    folder = file.folder
    partial = "\(file.path).partial-\(now.stamp)"
    if try exists() { throw BackupError.exists(path) }
  }

  /// The same, but refuses a name that belongs to the database, too.
  init(_ given: String, of database: DatabaseFile, at now: Instant) throws {
    try self.init(given, at: now)
    guard !database.owns(path) else { throw BackupError.reserved(path) }
  }

  func exists() throws -> Bool {
    try FileStatus.of(path, following: false) != nil
  }

  /// Gives the partial file, which is durable, the name of the backup.
  func publish() throws {
    do {
      try Files.rename(partial, to: path)
      try Files.sync(folder)
    } catch {
      if try exists() { throw BackupError.exists(path) }
      throw error
    }
  }
}

/// A backup that one process makes and another puts where it is wanted.
///
/// By the path of that place a server may see another one, or none: its unit gives it a `/tmp` of
/// its own, and hides `/root`. So the command has the backup made in a folder beside the database,
/// and takes it from there with the rights of its caller.
package final class BackupDelivery: Sendable {
  package let path: String
  private let target: BackupTarget
  private let descriptor: Int32

  /// Makes the partial file, so that a place that can't be written is refused before anything else.
  package init(to given: String, at now: Instant) throws(BackupError) {
    (target, descriptor) = try BackupError.wrapping {
      let target = try BackupTarget(given, at: now)
      return (target, try Files.openNew(target.partial))
    }
    path = target.path
  }

  deinit { close(descriptor) }

  /// Has the backup made, and takes it into the partial file, durably.
  ///
  /// - Parameters:
  ///   - scratch: in the database's folder.
  ///   - make: writes the backup into the file that it is told.
  package func fill<Made>(
    from database: DatabaseFile, by scratch: ScratchFolder, _ make: (String) throws -> Made
  ) throws -> Made {
    defer { scratch.remove() }
    let copy = try BackupError.wrapping {
      if database.owns(path) { throw BackupError.reserved(path) }
      return try scratch.make() + "/goals.sqlite"
    }
    let made = try make(copy)
    // On one file system that the database's owner may write there is nothing to copy.
    if rename(copy, target.partial) == 0 { return made }
    try BackupError.wrapping {
      let source = try Files.openForReading(copy)
      defer { close(source) }
      try Files.copy((source, copy), to: (descriptor, target.partial))
      guard fsync(descriptor) == 0 else {
        throw OpeningError.system("sync \(target.partial)", errno: errno)
      }
    }
    return made
  }

  /// Gives the backup its name, durably.
  package func publish() throws(BackupError) { try BackupError.wrapping(target.publish) }

  package func discard() { Files.discard(target.partial) }
}
