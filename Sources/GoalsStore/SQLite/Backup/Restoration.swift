import Glibc
import GoalsCore
import Migrations
import SQLite

/// Puts a backup in the place of a database, where no process has that open.
///
/// The backup is copied beside the database, and the copy is checked, brought to this program's
/// schema and rid of what was removed and revoked since; only then is anything moved.
package struct Restoration {
  package struct Report: Hashable, Sendable {
    package let database: String
    package let accounts: Int
    /// Where the database is now that was replaced; nil where there was none.
    package let replaced: String?
    /// Nil where there was nothing to read them from.
    package let differences: Differences?
  }

  /// The accounts and tokens that a database and its backup do not agree on.
  package struct Differences: Hashable, Sendable {
    /// Accounts of the backup that were removed since: they stay removed.
    package let removed: [AccountName]
    /// Accounts of the backup that the database does not have, and of which it does not know that
    /// they were removed: they come back.
    package let returning: [AccountName]
    /// How many tokens are valid in the backup and were revoked since: they stay revoked.
    package let revoked: Int
    /// Accounts that were made since the backup: they go with what is replaced.
    package let lostAccounts: [AccountName]
    /// Tokens that were made since, of those accounts and of others: they go, too.
    package let lostTokens: [TokenName]
  }

  package struct AccountName: Hashable, Sendable {
    package let id: Account.ID
    package let name: String
  }

  package struct TokenName: Hashable, Sendable {
    package let id: TokenRecord.ID
    package let name: String
    package let account: AccountName
  }

  private let source: BackupSource
  private let replacement: Replacement
  private let migrator: Migrator
  private let now: Instant

  /// - Parameters:
  ///   - mayReplace: whether a database that is there may be replaced. It is told how the two
  ///     differ, nil where that can't be read, and asked before anything is moved.
  package static func run(
    from source: BackupSource, to database: String, now: Instant,
    migrations: [Migration] = Migration.all, mayReplace: (Differences?) -> Bool
  ) throws(BackupError) -> Report {
    try BackupError.wrapping {
      let file = try DatabaseFile(path: database)
      try source.check(isNot: file)
      let lock = try DatabaseLock(of: file)
      defer { withExtendedLifetime(lock) {} }
      try Replacement.finishCommitted(of: file)
      try Replacement.discardUnverified(of: file)
      return try Restoration(
        source: source, replacement: Replacement(file: file, unusedAt: now),
        migrator: Migrator(migrations: migrations), now: now
      ).run(mayReplace)
    }
  }

  private func run(_ mayReplace: (Differences?) -> Bool) throws -> Report {
    let file = replacement.file
    let isThere = try file.isThere
    let copy = LooseDatabase(path: replacement.unverified, migrator: migrator)
    do {
      try source.copy(to: copy.path)
      let present = isThere ? try PresentBook(of: file) : nil
      let differences = try settle(copy, with: present)
      let (faults, accounts) = try copy.verify(isAlone: true)
      if let fault = faults.first { throw BackupError.unsound(source.path, fault: fault) }
      guard !isThere || mayReplace(differences) else { throw BackupError.wouldReplace(file.path) }
      if isThere { try file.passOwnership(to: copy.path) }
      try commit()
      return Report(
        database: file.path, accounts: accounts, replaced: isThere ? replacement.aside : nil,
        differences: differences)
    } catch {
      copy.discard()
      throw error
    }
  }

  /// Puts the copy in place. An error says how far that came.
  private func commit() throws {
    do throws(OpeningError) {
      try replacement.commit()
    } catch {
      let path = replacement.file.path
      if try FileStatus.of(replacement.committed, following: false) != nil {
        throw BackupError.interrupted(path, replacement: replacement.committed, reason: error)
      }
      if try FileStatus.of(replacement.unverified, following: false) == nil {
        throw BackupError.unsynced(path, reason: error)
      }
      throw error
    }
  }

  /// Makes the copy what the database is to be.
  private func settle(_ copy: LooseDatabase, with present: PresentBook?) throws -> Differences? {
    var differences: Differences?
    try copy.settle(asCopyOf: source.path, at: now) { connection in
      // What belongs to an account goes with it.
      try connection.set(.foreignKeys, to: 1)
      differences = try connection.write {
        // A session that was ended, or a link that was used, since the backup must not come back.
        try connection.rows("DELETE FROM session")
        try connection.rows("DELETE FROM link")
        return try present?.carry(into: connection)
      }
    }
    return differences
  }
}

extension Replacement {
  /// One whose names nobody has: the stamp is of a later second where they are taken.
  fileprivate init(file: DatabaseFile, unusedAt now: Instant) throws {
    var instant = now
    while true {
      let replacement = Replacement(file: file, stamp: instant.stamp)
      let names = ["", "-wal", "-journal"].map { replacement.aside + $0 }
      var isTaken = false
      for name in names where try FileStatus.of(name, following: false) != nil { isTaken = true }
      guard isTaken else {
        self = replacement
        return
      }
      instant = instant.adding(milliseconds: 1000)
    }
  }
}

extension DatabaseFile {
  /// Whether there is anything of a database, if only its log.
  fileprivate var isThere: Bool {
    get throws {
      for path in [path, log, journal]
      where try FileStatus.of(path, following: false) != nil { return true }
      return false
    }
  }

  /// Gives a file the owner, as far as this process may, and the mode of the database.
  fileprivate func passOwnership(to other: String) throws {
    guard let status = try FileStatus.of(path, following: false) else { return }
    // Only root may give a file away; anybody else is the owner, or was let in by the mode.
    if geteuid() == 0, chown(other, status.owner, status.group) != 0 {
      throw OpeningError.system("give \(other) to user id \(status.owner)", errno: errno)
    }
    guard chmod(other, mode_t(status.permissions & 0o777)) == 0 else {
      throw OpeningError.system("set the mode of \(other)", errno: errno)
    }
  }
}
