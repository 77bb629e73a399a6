import Dispatch
import GoalsCore
import SQLite
import Synchronization

/// The data of a store in one SQLite file: a single connection that writes, and five that read.
///
/// `@unchecked Sendable` because the writer's session is touched on the writer's queue only: that
/// is what `Backing` asks of its owner, and `StoreEngine` checks. The readers are confined to
/// queues of their own.
final class SQLiteBacking: Backing, Recorder, @unchecked Sendable {
  private let database: OwnedDatabase

  var sizes: StoreGauges {
    var gauges = StoreGauges()
    gauges.databaseBytes = Self.size(of: database.file.path)
    gauges.logBytes = Self.size(of: database.file.log)
    return gauges
  }

  /// Of a file that is not there, or can't be looked at, 0.
  private static func size(of file: String) -> Int {
    Int((try? DatabaseFile.size(of: file)) ?? 0)
  }

  /// Nil after a failed write, until the file could be opened again.
  private var session: WritingSession?
  /// Whether the session is to be closed and opened anew before anything is written.
  private var mustReopen = false
  /// The copy that is being made through the session's connection.
  private var copy: DatabaseCopy?

  private let recentIDs: EditIDs.Recent
  private let idBatch: Int

  /// For reads of a few rows.
  private let shortReader: Confined<SQLiteSession>
  private let longReaders: [Confined<SQLiteSession>]
  private let overviewReader: Confined<SQLiteSession>
  private let wholeReader: Confined<SQLiteSession>
  private let nextReader = Atomic<Int>(0)

  /// Opens a database that was claimed: makes or migrates it first where that is needed.
  ///
  /// - Parameter idBatch: so many ids go into their index together.
  init(
    _ database: OwnedDatabase, now: () -> Int64, idBatch: Int = Store.defaultIDBatch
  ) throws(OpeningError) {
    self.database = database
    self.idBatch = idBatch
    let connection = try database.start(now: now)
    let recentIDs = EditIDs.Recent()
    self.recentIDs = recentIDs
    func makeReader(_ name: String) throws(OpeningError) -> Confined<SQLiteSession> {
      let connection = try database.openReader()
      let session = try OpeningError.wrapping(database.file.path) {
        try SQLiteSession(connection, database.migrator, recentIDs: recentIDs)
      }
      return Confined(session, to: DispatchQueue(label: "GoalsStore.reader-\(name)"))
    }
    shortReader = try makeReader("short")
    longReaders = [try makeReader("long-1"), try makeReader("long-2")]
    overviewReader = try makeReader("overview")
    wholeReader = try makeReader("whole")
    try OpeningError.wrapping(database.file.path) { try use(connection) }
    // Where the disk is full they stay until the next start: nobody sees them.
    try? session?.discardEverythingStaged()
  }

  private func use(_ connection: Connection) throws {
    session = try WritingSession(
      connection, database.migrator, recentIDs, idBatch: idBatch,
      beforeCommit: database.checkPlace)
  }

  // MARK: Writing

  func persist(
    _ writes: [Write], on books: [Account.ID: BookHead], isWaiting _: Bool
  ) throws -> Persisted {
    Persisted(seals: try current().persist(writes))
  }

  func write<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result {
    try current().write(body)
  }

  /// Closes the connection that writes and opens it anew, then commits a row of no meaning.
  ///
  /// A commit whose sync failed may lie whole in the write-ahead log, and a later recovery would
  /// take it for good though it was answered with a failure. The next commit is written over it,
  /// so one is made before anything else (sqlite.org/walformat.html §4.4: frames after one whose
  /// checksum does not fit are not valid). The readers stay: as long as they hold the index of the
  /// log, the failed frames are not in it.
  func reopen() throws {
    copy = nil
    mustReopen = true
    try requirePlace()
    try? session?.connection.close()
    session = nil
    let connection = try database.reopen()
    do {
      try connection.write {
        _ = try connection.rows(
          """
          INSERT INTO probe (number, written_at) VALUES (1, 0)
          ON CONFLICT (number) DO UPDATE SET written_at = written_at + 1
          """)
      }
      try use(connection)
      mustReopen = false
    } catch {
      try? connection.close()
      throw error
    }
  }

  /// Throws if the file or the log that is open is not in its place. What a log holds that was
  /// removed is written into the file: nobody finds it again once this process ends.
  private func requirePlace() throws {
    do throws(OpeningError) {
      try database.checkPlace()
    } catch .replacedBeside(let path, database.file.log) {
      _ = try? session?.connection.checkpoint(.passive)
      throw OpeningError.replacedBeside(path, file: database.file.log)
    } catch {
      throw error
    }
  }

  func checkPlace() throws { try database.checkPlace() }

  func close() {
    for reader in [shortReader, overviewReader, wholeReader] + longReaders {
      reader.with { try? $0.connection.close() }
    }
    copy = nil
    // The last connection to close writes the log back into the file and removes it. By now its
    // name may be that of another database's log.
    if (try? requirePlace()) == nil {
      try? session?.connection.set(.noCheckpointOnClose, to: true)
    }
    try? session?.connection.close()
    session = nil
  }

  // MARK: Copying

  func beginCopy(to path: String) throws {
    guard copy == nil else { throw StoreError.other("another copy is being made") }
    copy = try DatabaseCopy(of: current().connection, to: path)
  }

  func continueCopy() throws -> Bool {
    guard let copy else {
      throw StoreError.inputOutput("the database was opened anew while it was copied")
    }
    do {
      let isWhole = try copy.step()
      if isWhole { self.copy = nil }
      return isWhole
    } catch {
      self.copy = nil
      throw error
    }
  }

  // MARK: Reading

  func writersView() throws -> any StoreReader { try current() }

  private func current() throws -> WritingSession {
    if session == nil || mustReopen { try reopen() }
    guard let session else { throw StoreError.closed }
    return session
  }

  func read<Result>(
    _ length: ReadLength, _ body: (any StoreReader) throws -> Result
  ) throws -> Result {
    let reader: Confined<SQLiteSession>
    switch length {
    case .short: reader = shortReader
    case .overview: reader = overviewReader
    case .whole: reader = wholeReader
    case .long:
      let count = nextReader.wrappingAdd(1, ordering: .relaxed).oldValue
      reader = longReaders[(count & Int.max) % longReaders.count]
    }
    return try reader.with { try body($0) }
  }
}
