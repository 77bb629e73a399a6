/// Why a backup was not made, or not restored. Nothing that was there before was changed, unless
/// the case says otherwise.
///
/// The descriptions are for the person who asked for it.
package enum BackupError: Error, Equatable, Sendable {
  /// A backup never replaces a file.
  case exists(String)
  /// The name belongs to a file that SQLite or this program makes beside the database.
  case reserved(String)
  /// There is nothing to restore from.
  case noBackup(String)
  /// What was to be restored is the database that it would replace.
  case isTheDatabase(String)
  /// There is a database, and it was not said that it may be replaced.
  case wouldReplace(String)
  /// The database that is to be replaced could not be read this time.
  case presentUnread(String, reason: String)
  /// A restore was cut off, so that the next start will put another database in the place of this
  /// one.
  case unfinishedRestore(String, replacement: String)
  /// The restore is decided, and something kept it from being finished: the next start does so.
  case interrupted(String, replacement: String, reason: OpeningError)
  /// The restore is done, but it is not certain that it outlasts a power cut.
  case unsynced(String, reason: OpeningError)
  /// The copy is not what `verify` finds sound.
  case unsound(String, fault: String)
  case opening(OpeningError)
  case store(StoreError)
}

extension BackupError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .exists(let path):
      return "\(path) is there already, and a backup replaces nothing. Name another file."
    case .reserved(let path):
      return "\(path) is a name for files that belong to the database. Name another file."
    case .noBackup(let path):
      return "There is no file \(path)."
    case .isTheDatabase(let path):
      return "\(path) is the database itself."
    case .wouldReplace(let path):
      return "There is a database at \(path) already. "
        + "With --force it is moved aside, and the backup takes its place."
    case .presentUnread(let path, let reason):
      return "\(path) can't be read at the moment: \(reason). Nothing was restored: accounts that "
        + "were removed and tokens that were revoked since the backup would come back. Try again. "
        + "If it never can be read, move it and the files beside it away first."
    case .unfinishedRestore(let path, let replacement):
      return "A restore into \(path) was cut off, and the next start will finish it: "
        + "what will be there then is \(replacement)."
    case .interrupted(let path, let replacement, let reason):
      return "The restore into \(path) began, and could not be finished: \(reason). The next start "
        + "finishes it: what will be there then is \(replacement)."
    case .unsynced(let path, let reason):
      return "\(path) is restored already, but a power cut may take that back: \(reason). "
        + "Have it written to the disk with: sync"
    case .unsound(let path, let fault):
      return "\(path) is not sound: \(fault)"
    case .opening(let error):
      return error.description
    case .store(let error):
      return error.description
    }
  }

  /// Runs a part of a backup or a restore. Whatever it throws is said in the words of this type.
  static func wrapping<Result>(_ body: () throws -> Result) throws(BackupError) -> Result {
    do {
      return try body()
    } catch let error as BackupError {
      throw error
    } catch let error as OpeningError {
      throw .opening(error)
    } catch {
      throw .store(StoreError(error))
    }
  }
}
