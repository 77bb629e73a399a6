import Glibc
import Migrations
import SQLite
import Synchronization

/// A database that this process, and no other, has open.
///
/// It starts in two steps. `claim` checks everything that can be checked, and writes nothing but
/// the lock's file; `start` makes the first change. A server that starts does all its other
/// checks between the two.
package final class OwnedDatabase: Sendable {
  /// What is done where there is no database.
  package enum Missing: Sendable {
    /// Makes one, also of an empty file.
    case create
    /// Makes one where there is no file. An empty one is refused.
    case createFile
    case refuse
  }

  package let file: DatabaseFile
  private let lock: Mutex<DatabaseLock>
  let migrator: Migrator
  private let missing: Missing
  /// The files that were started with; nil before.
  private let place = Mutex<Place?>(nil)

  private struct Place {
    let database: FileStatus.Identity?
    let log: FileStatus.Identity?
  }

  /// Takes the lock and judges what is there. After an error nothing was changed, and nobody's
  /// database was replaced by an empty one: only a missing or empty file becomes a new database.
  /// Beside what plainly is none, not even the lock's file is left.
  package static func claim(
    path: String, ifMissing: Missing, migrations: [Migration] = Migration.all,
    user: UInt32 = geteuid()
  ) throws(OpeningError) -> OwnedDatabase {
    let file = try DatabaseFile(path: path, user: user)
    if try Replacement.committed(of: file).isEmpty {
      try require(file, ifMissing: ifMissing)
      // Where there is no lock, nobody has it open, this process neither.
      if try DatabaseFile.size(of: file.lock) == nil, try DatabaseFile.size(of: file.path) ?? 0 > 0
      {
        try checkHead(of: file.path)
      }
    }
    let lock = try DatabaseLock(of: file)
    try Replacement.finishCommitted(of: file)
    let database = OwnedDatabase(file, lock, Migrator(migrations: migrations), ifMissing)
    try database.check()
    return database
  }

  private init(
    _ file: DatabaseFile, _ lock: DatabaseLock, _ migrator: Migrator, _ missing: Missing
  ) {
    self.file = file
    self.lock = Mutex(lock)
    self.migrator = migrator
    self.missing = missing
  }

  // MARK: Connections

  /// Makes the database if it is not there yet, migrates it, and gives the one connection that
  /// writes and checkpoints.
  ///
  /// There may be only one at a time: SQLite up to 3.51.2 can corrupt a file when two connections
  /// write or checkpoint in the same instant (sqlite.org/wal.html, "The WAL-Reset Bug").
  ///
  /// - Parameter now: the clock, in milliseconds since 1970, for the record of migrations.
  func start(now: () -> Int64) throws(OpeningError) -> Connection {
    if try DatabaseFile.size(of: file.path) == nil {
      switch missing {
      // SQLite takes an empty file for an empty database, and gives the files beside it its mode.
      case .create, .createFile: try Files.make(file.path)
      case .refuse: throw .noDatabase(file.path)
      }
    }
    let connection = try connect(.readWrite, log: .gathered)
    let standing = try migrator.standing(of: connection)
    try OpeningError.wrapping(file.path) {
      if standing == .empty { try connection.set(.pageSize, to: 4096) }
      try connection.makeWriter()
    }
    try migrator.migrate(connection, now: now)
    try OpeningError.wrapping(file.path) { try connection.set(.foreignKeys, to: 1) }
    let started = Place(
      database: try FileStatus.of(file.path, following: false)?.identity,
      log: try FileStatus.of(file.log, following: false)?.identity)
    place.withLock { $0 = started }
    return connection
  }

  /// Throws if what this process has open is no longer what the database's path leads to, or if
  /// another process may own it: what were written then would be lost, or nobody's. It costs a
  /// system call for each of the three files, some microseconds.
  func checkPlace() throws(OpeningError) {
    try checkFile()
    guard let started = place.withLock({ $0 }) else { return }
    guard try FileStatus.of(file.log, following: false)?.identity == started.log else {
      throw .replacedBeside(file.path, file: file.log)
    }
    try checkLock()
  }

  private func checkFile() throws(OpeningError) {
    guard let status = try FileStatus.of(file.path, following: false) else {
      throw .noDatabase(file.path)
    }
    // SQLite would delete the log beside an empty file, and write it into any other.
    guard status.size > 0, place.withLock({ $0 == nil || $0?.database == status.identity }) else {
      throw .replaced(file.path)
    }
    guard status.names == 1 else { throw .severalNames(file.path) }
  }

  /// Takes the lock again if its file was removed and no other process has made one since.
  private func checkLock() throws(OpeningError) {
    let present = try FileStatus.of(file.lock, following: false)?.identity
    try lock.withLock { lock throws(OpeningError) in
      guard present != lock.identity else { return }
      guard present == nil else { throw .replacedBeside(file.path, file: file.lock) }
      lock = try DatabaseLock(of: file)
    }
  }

  /// The connection that writes, anew: after a failed write or sync, when the one before was
  /// closed. SQLite recovers what was committed. A file that is gone, is another one, or is no
  /// longer at this program's version, is refused.
  func reopen() throws(OpeningError) -> Connection {
    try checkFile()
    let connection = try connect(.readWrite, log: .gathered)
    guard try migrator.standing(of: connection) == .migrated(migrator.migrations.count) else {
      throw .replaced(file.path)
    }
    try OpeningError.wrapping(file.path) {
      try connection.makeWriter()
      try connection.set(.foreignKeys, to: 1)
    }
    return connection
  }

  /// A connection that only reads, and that leaves the log alone even when it is the last to close.
  func openReader() throws(OpeningError) -> Connection {
    // `queryOnly` keeps it from writing. One that is read-only by its open mode would leave the
    // CHECK constraints out of the schema, and `goals verify` would not check them.
    let connection = try connect(.readWrite)
    try OpeningError.wrapping(file.path) {
      try connection.set(.queryOnly, to: 1)
      try connection.set(.autocheckpoint, to: 0)
      try connection.set(.noCheckpointOnClose, to: true)
    }
    return connection
  }

  private func connect(
    _ access: Connection.Access, log: Connection.LogWriting = .direct
  ) throws(OpeningError) -> Connection {
    try OpeningError.wrapping(file.path) {
      // Only connections of this process are in each other's way, and briefly.
      let connection = try Connection(
        path: file.path, access: access, log: log, busyTimeout: 5000)
      try connection.harden()
      return connection
    }
  }

  // MARK: Checks

  /// Refuses a missing or empty file that is not to become a database.
  private static func require(
    _ file: DatabaseFile, ifMissing missing: Missing
  ) throws(OpeningError) {
    let size = try DatabaseFile.size(of: file.path)
    switch (missing, size) {
    case (.refuse, nil): throw .noDatabase(file.path)
    case (.refuse, 0?), (.createFile, 0?):
      // A log that lost its database tells more.
      if try DatabaseFile.size(of: file.log) ?? 0 == 0 { throw .empty(file.path) }
    case (.create, _), (.createFile, _), (.refuse, _): break
    }
  }

  private func check() throws(OpeningError) {
    try Self.require(file, ifMissing: missing)
    guard let size = try DatabaseFile.size(of: file.path), size > 0 else {
      // A journal may be there, of a first transaction that was cut off; SQLite clears it away.
      if let log = try DatabaseFile.size(of: file.log), log > 0 {
        throw .logWithoutDatabase(file.path, log: file.log)
      }
      return
    }
    try Self.checkHead(of: file.path)
    let hasLog = try DatabaseFile.size(of: file.log) ?? 0 > 0
    // Reading may need SQLite to recover first (roll back a journal, index a log), which a
    // connection that is read-only by its open mode would refuse.
    let connection = try connect(.readWrite)
    try OpeningError.wrapping(file.path) {
      try connection.set(.queryOnly, to: 1)
      // A log that is there stays as it is; without one, closing removes what opening made.
      try connection.set(.noCheckpointOnClose, to: hasLog)
    }
    let standing = try migrator.standing(of: connection)
    if standing == .empty && missing != .create { throw .empty(file.path) }
  }

  /// Refuses what is plainly not ours before SQLite touches it (sqlite.org/fileformat.html §1.3).
  static func checkHead(of path: String) throws(OpeningError) {
    let head = try DatabaseFile.head(100, of: path)
    if head.isEmpty { throw .empty(path) }
    guard head.count == 100, head.starts(with: Array("SQLite format 3\0".utf8)) else {
      throw .notADatabase(path)
    }
    // The versions of the format to write and to read it: SQLite only reads a file with a later
    // one, and says so to the first edit.
    guard head[18] <= 2, head[19] <= 2 else { throw .notADatabase(path) }
    // Big-endian, signed, at offset 68. 0 is also what a new database has until its log is
    // written back, so that is left to SQLite.
    let id = head[68..<72].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    let applicationID = Int64(Int32(bitPattern: id))
    guard applicationID == 0 || applicationID == Migrator.applicationID else {
      throw .foreign(path, applicationID: applicationID)
    }
  }
}

extension Connection {
  /// What holds for every connection: the schema of a file is not trusted to be ours.
  func harden() throws(SQLiteError) {
    try set(.defensive, to: true)
    try set(.trustedSchema, to: false)
    try set(.loadExtension, to: false)
    try set(.doubleQuotedStrings, to: false)
    try set(.doubleQuotedStringsInSchema, to: false)
    try set(.cellSizeCheck, to: 1)
    // A read that fails in mapped memory is a signal, not an error.
    try set(.mmapSize, to: 0)
  }

  fileprivate func makeWriter() throws(SQLiteError) {
    try set(.journalMode, to: "wal")
    // FULL: every commit is synced before it is answered
    // (sqlite.org/pragma.html#pragma_synchronous).
    try set(.synchronous, to: 2)
    // Pages, 24 MB. Over 1,000 accounts a second held 9 % more bumps than with 4000, where a page
    // is written back more often; one device alone made 4 % fewer, and with 16,000, more than the
    // processor's cache holds, 20 % fewer.
    try set(.autocheckpoint, to: 6000)
    // Bytes: what a long read let the log grow to is given back afterwards.
    try set(.journalSizeLimit, to: 33_554_432)
    // KiB: room for the inner pages of the index over edit ids.
    try set(.cacheSize, to: -16384)
  }
}
