import Dispatch
import GoalsCore
import PostgreSQL
import Synchronization

/// The data of a store in a database on PostgreSQL, which other servers write, too: two connections
/// that record edits, one that writes everything else, one for imports, six that read, and two for
/// hints (docs/decisions/0022-many-servers.md). Each connects when something is asked of it.
final class PostgreSQLBacking: Backing {
  /// While one waits for the database, the other takes what has come meanwhile. More would only
  /// make rounds smaller.
  private static let lanes = 2

  let recorders: [any Recorder]
  private let lanes: [PostgreSQLRecorder]
  private let administrator: Confined<PostgreSQLWriter>
  /// Imports take long, and nothing else waits for them.
  private let importer: Confined<PostgreSQLWriter>
  private let hints: Hints
  private let database: PostgreSQLDatabase
  /// For reads of a few rows.
  private let shortReader: QueuedSession
  /// For what is read again and again of other servers: the heads of all accounts that are
  /// followed may take 30 ms, and no request waits for them.
  private let watcher: QueuedSession
  private let longReaders: [QueuedSession]
  private let overviewReader: QueuedSession
  private let wholeReader: QueuedSession
  private let nextReader = Atomic<Int>(0)

  init(_ database: PostgreSQLDatabase) {
    func makeReader(_ name: String) -> QueuedSession {
      QueuedSession(PostgreSQLSession(database), name)
    }
    func makeWriter(_ name: String, lockTimeout: Int) -> Confined<PostgreSQLWriter> {
      Confined(
        PostgreSQLWriter(database, lockTimeout: lockTimeout),
        to: DispatchQueue(label: "GoalsStore.postgresql-\(name)"))
    }
    let hints = Hints(database)
    self.hints = hints
    self.database = database
    lanes = (1...Self.lanes).map { PostgreSQLRecorder(database, hints, "lane-\($0)") }
    recorders = lanes
    // A row that somebody holds must not hold up the tokens of all others.
    administrator = makeWriter("administrator", lockTimeout: PostgreSQLWriter.patience)
    importer = makeWriter("importer", lockTimeout: 0)
    shortReader = makeReader("short")
    watcher = makeReader("watcher")
    longReaders = [makeReader("long-1"), makeReader("long-2")]
    overviewReader = makeReader("overview")
    wholeReader = makeReader("whole")
  }

  var isLogShared: Bool { true }

  func listen(_ heard: @escaping @Sendable ([Account.ID]) -> Void) { hints.listen(heard) }

  func write<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result {
    try administrator.with { try $0.write(body) }
  }

  func writeLong<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result {
    try importer.with { try $0.write(body) }
  }

  func heads(of accounts: [Account.ID]) throws -> [Account.ID: Head] {
    try accounts.count == 1 ? shortReader.heads(of: accounts) : watcher.heads(of: accounts)
  }

  func ended(of known: [Ended]) throws -> [Ended] { try watcher.with { try $0.ended(of: known) } }

  func read<Result>(
    _ length: ReadLength, _ body: (any StoreReader) throws -> Result
  ) throws -> Result {
    switch length {
    case .short: return try shortReader.with { try body($0) }
    case .overview: return try overviewReader.with { try body($0) }
    case .whole: return try wholeReader.with { try body($0) }
    case .long:
      let count = nextReader.wrappingAdd(1, ordering: .relaxed).oldValue
      return try longReaders[(count & Int.max) % longReaders.count].with { try body($0) }
    }
  }

  func close() {
    let readers = [shortReader, watcher, overviewReader, wholeReader] + longReaders
    for reader in readers { reader.close() }
    for lane in lanes { lane.close() }
    administrator.with { $0.close() }
    importer.with { $0.close() }
    hints.close()
  }

  var sizes: StoreGauges {
    var sizes = StoreGauges()
    sizes.risks = database.riskCount
    return sizes
  }
}

/// A connection that records rounds, and tells the other servers of them.
///
/// `@unchecked Sendable` because the writer is touched on `lane` only.
private final class PostgreSQLRecorder: Recorder, @unchecked Sendable {
  private let lane: DispatchQueue
  private let writer: PostgreSQLWriter
  private let hints: Hints

  init(_ database: PostgreSQLDatabase, _ hints: Hints, _ name: String) {
    lane = DispatchQueue(label: "GoalsStore.postgresql-\(name)")
    writer = PostgreSQLWriter(database, lockTimeout: PostgreSQLWriter.patience)
    self.hints = hints
  }

  var queue: DispatchQueue? { lane }

  func writersView() throws -> any StoreReader {
    dispatchPrecondition(condition: .onQueue(lane))
    return writer
  }

  func persist(
    _ writes: [Write], on books: [Account.ID: BookHead], isWaiting: Bool
  ) throws -> Persisted {
    dispatchPrecondition(condition: .onQueue(lane))
    let persisted = try writer.persist(writes, on: books, isWaiting: isWaiting)
    hints.tell(of: persisted.seals.keys)
    return persisted
  }

  func reopen() {
    dispatchPrecondition(condition: .onQueue(lane))
    writer.close()
  }

  func close() { lane.sync { writer.close() } }
}

extension Store {
  /// The store in a database whose schema was checked.
  static func postgreSQL(
    _ database: PostgreSQLDatabase, environment: StoreEnvironment, cacheLimit: Int = cacheLimit
  ) -> Store {
    var database = database
    database.track = { environment.track(.risk($0)) }
    let backing = PostgreSQLBacking(database)
    let engine = StoreEngine(backing, environment: environment, cacheLimit: cacheLimit)
    return Store(engine) { _ throws(BackupError) in
      throw .store(.other("a database on PostgreSQL is backed up by its own tools: pg_basebackup"))
    }
  }
}
