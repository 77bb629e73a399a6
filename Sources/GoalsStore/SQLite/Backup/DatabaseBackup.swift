import GoalsCore
import SQLite

/// What a backup came to.
package struct BackupReport: Codable, Hashable, Sendable {
  /// With every link in its folder followed.
  package var path: String
  package let bytes: Int64
  package let accounts: Int
}

/// Makes verified copies of a database that is in use.
struct DatabaseBackup: Sendable {
  let engine: StoreEngine
  let database: OwnedDatabase
  let now: @Sendable () -> Instant

  /// Writes a copy beside the path, verifies it, makes it durable, and only then gives it its
  /// name.
  func make(at given: String) throws(BackupError) -> BackupReport {
    try BackupError.wrapping { try write(to: given) }
  }

  private func write(to given: String) throws -> BackupReport {
    let target = try BackupTarget(given, of: database.file, at: now())
    let copy = LooseDatabase(path: target.partial, migrator: database.migrator)
    try Files.make(target.partial)
    do {
      try fill(copy)
      let (faults, accounts) = try copy.verify(isAlone: false)
      if let fault = faults.first { throw BackupError.unsound("The copy", fault: fault) }
      try Files.sync(target.partial)
      let size = try DatabaseFile.size(of: target.partial)
      try target.publish()
      return BackupReport(path: target.path, bytes: size ?? 0, accounts: accounts)
    } catch {
      copy.discard()
      throw error
    }
  }

  private func fill(_ copy: LooseDatabase) throws {
    try engine.copyEverything(to: copy.path)
    try copy.settle { connection in
      try connection.set(.foreignKeys, to: 1)
      try ImportTables.discardAll(on: connection)
    }
  }
}
