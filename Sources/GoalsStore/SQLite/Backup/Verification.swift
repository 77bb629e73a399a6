import Glibc
import GoalsCore
import Migrations

/// Checks a database that no process has open: a backup, wherever it can be read.
///
/// The file is copied to a private folder with the log beside it, and the copy is recovered,
/// brought to this program's schema, and checked. So the file itself stays as it is, and nothing is
/// left beside it.
package struct Verification: Hashable, Sendable {
  /// What is wrong; nothing where it is sound.
  package let faults: [String]
  package let accounts: Int

  /// - Parameters:
  ///   - scratch: for the copy, which takes as much room as the database.
  ///   - now: for the copy's record of migrations.
  package static func run(
    of database: String, scratch: ScratchFolder, now: Instant,
    migrations: [Migration] = Migration.all
  ) throws(BackupError) -> Verification {
    do throws(BackupError) {
      return try BackupError.wrapping {
        let source = try source(database)
        let folder = try scratch.make()
        defer { scratch.remove() }
        let copy = LooseDatabase(
          path: "\(folder)/goals.sqlite", migrator: Migrator(migrations: migrations))
        try source.copy(to: copy.path)
        try copy.settle(asCopyOf: source.path, at: now)
        let (faults, accounts) = try copy.verify(isAlone: true)
        return Verification(faults: faults, accounts: accounts)
      }
    } catch .unsound(_, let fault) {
      return Verification(faults: [fault], accounts: 0)
    } catch {
      throw error
    }
  }

  private static func source(_ database: String) throws -> BackupSource {
    if let replacement = unfinishedRestore(of: database) {
      throw BackupError.unfinishedRestore(database, replacement: replacement)
    }
    do {
      return try BackupSource(database)
    } catch BackupError.noBackup {
      throw OpeningError.noDatabase(database)
    }
  }

  /// The file that the next start will put in the place of the database; nil where there is none,
  /// or the folder can't be listed.
  private static func unfinishedRestore(of database: String) -> String? {
    let resolved = realpath(database, nil)
    defer { free(resolved) }
    let path = resolved.map { String(cString: $0) } ?? database
    let name = path.split(separator: "/").last ?? ""
    let folder = path.dropLast(name.count)
    let names = try? Files.names(
      in: folder.isEmpty ? "." : String(folder), beginning: "\(name).restoring-")
    return names?.first.map { folder + $0 }
  }
}
