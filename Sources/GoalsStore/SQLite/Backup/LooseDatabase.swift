import Dispatch
import GoalsCore
import SQLite
import Synchronization

/// A database file that nobody uses yet, and nobody else will open: a copy on its way to become a
/// backup, or to take the place of a database.
struct LooseDatabase {
  let path: String
  let migrator: Migrator

  /// Every file that may be there of it.
  private var files: [String] { ["", "-wal", "-shm", "-journal"].map { path + $0 } }

  /// Opens it, recovering what a log or journal beside it holds, has it changed, and leaves one
  /// file that needs no other: in rollback mode, which even a folder that can't be written lets
  /// read (sqlite.org/wal.html §5).
  func settle(_ change: (Connection) throws -> Void = { _ in }) throws(OpeningError) {
    try OpeningError.wrapping(path) {
      let connection = try Connection(path: path, access: .readWrite, busyTimeout: 0)
      // Before anything is read, so that no index of the log is shared by a file.
      try connection.set(.lockingMode, to: "exclusive")
      try connection.harden()
      try change(connection)
      try connection.set(.journalMode, to: "delete")
      try connection.close()
    }
  }

  /// Settles a copy of a file that something else made, and brings it to this program's schema; one
  /// of a newer program, or of another, is refused. What is wrong with it is said of that file.
  ///
  /// - Parameter now: for the record of migrations.
  func settle(
    asCopyOf source: String, at now: Instant,
    _ change: (Connection) throws -> Void = { _ in }
  ) throws {
    do throws(OpeningError) {
      try settle { connection in
        switch try migrator.standing(of: connection, called: source) {
        case .empty: throw OpeningError.empty(source)
        case .migrated(let count):
          // A migration would trip over damage without a word of where it is.
          if count < migrator.migrations.count, let fault = try connection.integrityFaults().first {
            throw OpeningError.damaged(source, .refused(fault, doing: "a migration"))
          }
          try migrator.migrate(connection) { now.milliseconds }
        }
        try OpeningError.wrapping(source) { try change(connection) }
      }
    } catch .damaged(_, let error) {
      throw BackupError.unsound(source, fault: error.message)
    } catch .notADatabase {
      throw OpeningError.notADatabase(source)
    } catch {
      throw error
    }
  }

  /// All that `verify` looks at, and how many accounts there are.
  ///
  /// - Parameter isAlone: whether the process has nothing else to do, so that the check may take
  ///   two cores and more memory.
  func verify(isAlone: Bool) throws -> (faults: [String], accounts: Int) {
    let connection = try OpeningError.wrapping(path) { try Self.open(path) }
    do throws(StoreError) {
      return try inStore {
        // Damage may keep even the statements from being prepared.
        let session = try SQLiteSession(connection, migrator)
        let faults = isAlone ? try faults(besides: session) : try session.faults()
        return (faults, faults.isEmpty ? try session.accounts().count : 0)
      }
    } catch .corrupt(let fault) {
      return ([fault], 0)
    } catch {
      throw error
    }
  }

  /// The faults that `session` finds, with the storage and the ids checked through connections of
  /// their own while the logs are walked.
  private func faults(besides session: SQLiteSession) throws -> [String] {
    let storage = Mutex(Result<[String], any Error>.success([]))
    let group = DispatchGroup()
    DispatchQueue(label: "GoalsStore.storage").async(group: group) {
      let faults = Result { try self.makeSession().storageFaults() }
      storage.withLock { $0 = faults }
    }
    let accounts = Result {
      let ids = try EditIDs.ConcurrentCheck(makeSession())
      return try session.accountFaults {
        try session.firstFault(of: $0, check: ids.check, finish: ids.finish)
      }
    }
    group.wait()
    return try storage.withLock { $0 }.get() + accounts.get()
  }

  private func makeSession() throws -> sending SQLiteSession {
    try SQLiteSession(Self.open(path), migrator)
  }

  private static func open(_ path: String) throws -> Connection {
    // A connection that is read-only by its open mode leaves the CHECK constraints out.
    let connection = try Connection(path: path, access: .readWrite, busyTimeout: 0)
    try connection.harden()
    try connection.set(.queryOnly, to: 1)
    // KiB: ids are looked up in no order. This is room for the index of a million edits.
    try connection.set(.cacheSize, to: -65536)
    return connection
  }

  func discard() {
    for file in files { Files.discard(file) }
  }
}
