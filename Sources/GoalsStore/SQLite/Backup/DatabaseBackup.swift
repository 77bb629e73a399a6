import GoalsCore
import SQLite

/// What a backup came to.
package struct BackupReport: Hashable, Sendable {
  /// With every link in its folder followed.
  package let path: String
  package let bytes: Int64
  package let accounts: Int

  package init(path: String, bytes: Int64, accounts: Int) {
    self.path = path
    self.bytes = bytes
    self.accounts = accounts
  }
}

/// Makes verified copies of a database that is in use.
struct DatabaseBackup: Sendable {
  let engine: StoreEngine
  let database: OwnedDatabase
  let now: @Sendable () -> Instant

  /// Writes a copy beside the place, verifies it, makes it durable, and only then gives it its
  /// name.
  func make(at given: String) throws(BackupError) -> BackupReport {
    let target = try BackupTarget(given, of: database.file, at: now())
    let copy = LooseDatabase(path: target.partial, migrator: database.migrator)
    try BackupError.wrapping { () throws(OpeningError) in try FolderEntry.make(target.partial) }
    do throws(BackupError) {
      try fill(copy)
      let (faults, accounts) = try copy.verify(isAlone: false)
      if let fault = faults.first { throw .unsound("The copy", fault: fault) }
      let size = try BackupError.wrapping { () throws(OpeningError) in
        try FolderEntry.sync(target.partial)
        return try DatabaseFile.size(of: target.partial)
      }
      try target.publish()
      return BackupReport(path: target.path, bytes: size ?? 0, accounts: accounts)
    } catch {
      copy.discard()
      throw error
    }
  }

  private func fill(_ copy: LooseDatabase) throws(BackupError) {
    do throws(StoreError) {
      try engine.copyEverything(to: copy.path)
    } catch {
      throw .store(error)
    }
    try BackupError.wrapping { () throws(OpeningError) in
      try copy.settle { connection throws(OpeningError) in
        try OpeningError.wrapping(copy.path) { () throws(SQLiteError) in
          try connection.set(.foreignKeys, to: 1)
          try ImportTables.discardAll(on: connection)
        }
      }
    }
  }
}
