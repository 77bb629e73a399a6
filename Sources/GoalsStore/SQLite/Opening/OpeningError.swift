import SQLite

/// Why a database was not opened. Nothing in it, and no file beside it but the lock, was changed.
///
/// The descriptions are for the person who starts the server: what is the matter, and where there
/// is one, the command that mends it.
package enum OpeningError: Error, Equatable, Sendable {
  /// The folder that should hold the database does not exist.
  case noFolder(String, user: UInt32)
  /// There is no database, and none was to be made.
  case noDatabase(String)
  /// There is a file with nothing in it, and no database was to be made of it.
  case empty(String)
  /// The path leads to something that can't be a database: a folder, a device, a broken link.
  case notAFile(String, found: String)
  /// This user may not read and write it.
  case noAccess(String, user: UInt32, mending: String)
  /// This user may not pass through a folder above the one that holds the database.
  case unreachable(String, through: String, user: UInt32)
  case readOnlyFileSystem(String)
  /// The file has further names (hard links), so the lock beside this one protects nothing.
  case severalNames(String)
  /// Another process holds the lock.
  case inUse(String, lock: String)
  /// There is a write-ahead log with commits in it, but the database it belongs to is gone or
  /// empty. SQLite would delete that log.
  case logWithoutDatabase(String, log: String)
  case notADatabase(String)
  /// What is read of it contradicts itself.
  case damaged(String, SQLiteError)
  /// A SQLite database, but not one of Goals.
  case foreign(String, applicationID: Int64)
  /// It was migrated by a newer program, to a version that this one does not know.
  case newer(String, version: Int64, known: Int64)
  /// A migration that it went through is not the one that this program knows by that number.
  case changedMigration(String, number: Int64, name: String)
  /// A migration did not succeed. The database is whole, at the version before it.
  case migrationFailed(number: Int64, name: String, SQLiteError)
  /// While it was in use, something else was put in its place.
  case replaced(String)
  /// While it was in use, its log or its lock was removed, or something else was put in the place
  /// of it.
  case replacedBeside(String, file: String)
  case sqlite(SQLiteError)
  case system(String, errno: Int32)
}

extension OpeningError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noFolder(let folder, let user):
      return "The folder \(folder) does not exist. "
        + "Make it with: install -d -o \(user) \(ShellCommand.quoted(folder))"
    case .noDatabase(let path):
      return "There is no database at \(path)."
    case .empty(let path):
      return "\(path) is empty: there is no database in it."
    case .notAFile(let path, let found):
      return "\(path) can't be a database: it is \(found)."
    case .noAccess(let path, let user, let mending):
      return "User id \(user) can't read and write \(path). Mend it with: \(mending)"
    case .unreachable(let folder, let ancestor, let user):
      return "User id \(user) can't reach \(folder): it may not pass through \(ancestor). "
        + "Use a folder that this user can reach."
    case .readOnlyFileSystem(let path):
      return "\(path) can't be written: its file system is mounted read-only."
    case .severalNames(let path):
      return
        "\(path) has further names (hard links), through which another process could write it. "
        + "Make it a file of its own: move it aside, and copy it back."
    case .inUse(let path, let lock):
      return "\(path) is in use by another process, which holds \(lock). "
        + "Find it with: fuser \(ShellCommand.quoted(lock))"
    case .logWithoutDatabase(let path, let log):
      return "\(log) holds commits of a database that is not at \(path) any more. "
        + "Put the database back, or move the log away to start with an empty one."
    case .notADatabase(let path):
      return "\(path) is not a SQLite database, or is damaged from its first bytes on. "
        + "Put a backup in its place with: \(ShellCommand.restoring(path))"
    case .damaged(let path, let error):
      return Self.damage(of: path, "\(error)")
    case .foreign(let path, let applicationID):
      return "\(path) is a database of another application (application id \(applicationID)), "
        + "not of Goals."
    case .newer(let path, let version, let known):
      return
        "\(path) was written by a newer version of Goals: its schema is at version \(version), "
        + "and this program knows versions up to \(known). Use the newer program."
    case .changedMigration(let path, let number, let name):
      return "\(path) went through another migration \(number) (\(name)) than the one that this "
        + "program knows. Use the program that wrote it."
    case .migrationFailed(let number, let name, let error):
      return "Migration \(number) (\(name)) failed, and was taken back: \(error)"
    case .replaced(let path):
      return "\(path) is not the database that it was when this program started."
    case .replacedBeside(let path, let file):
      return "\(file) is gone, or is not the file that it was when this program started, so "
        + "another process may use \(path). Stop this program, and make sure that no other uses "
        + "the database before you start one again."
    case .sqlite(let error):
      return "The database can't be opened: \(error)"
    case .system(let doing, let errno):
      return "Can't \(doing): \(FileStatus.sentence(errno))"
    }
  }
}

extension OpeningError {
  /// What a person is told of a file that contradicts itself.
  package static func damage(of path: String, _ fault: String) -> String {
    "\(path) is damaged: \(fault). "
      + "See what is wrong with: \(ShellCommand.verifying(path)). "
      + "Put a backup in its place with: \(ShellCommand.restoring(path))"
  }

  /// What SQLite refused, of the database at a path.
  init(_ error: SQLiteError, at path: String) {
    self =
      switch error.kind {
      case .notADatabase: .notADatabase(path)
      case .corrupt, .mismatch: .damaged(path, error)
      case .other where error.isUnreadable: .damaged(path, error)
      case .busy, .full, .inputOutput, .constraint, .readOnly, .cannotOpen, .interrupted, .notTaken,
        .closed, .other:
        .sqlite(error)
      }
  }

  /// Runs what SQLite may refuse, and says so in the words of this type.
  static func wrapping<Result>(
    _ path: String, _ body: () throws -> Result
  ) throws(OpeningError) -> Result {
    do {
      return try body()
    } catch let error as OpeningError {
      throw error
    } catch let error as SQLiteError {
      throw OpeningError(error, at: path)
    } catch {
      throw .sqlite(.refused("\(error)", doing: "open \(path)"))
    }
  }
}
