import GoalsCore

/// The file of a backup, and the partial file beside it, which the backup is until it is whole.
struct BackupTarget {
  let path: String
  let folder: String
  /// What a process that dies meanwhile leaves behind; it can be deleted.
  let partial: String

  /// Follows the path, and refuses one that is taken or belongs to the database. Changes nothing.
  init(_ given: String, of database: DatabaseFile, at now: Instant) throws {
    let file = try DatabaseFile(path: given)
    guard !database.owns(file.path) else { throw BackupError.reserved(file.path) }
    path = file.path
    folder = file.folder
    partial = "\(file.path).partial-\(now.stamp)"
    if try exists() { throw BackupError.exists(path) }
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
