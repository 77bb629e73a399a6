import Dispatch
import GoalsCore
import PostgreSQL
import Synchronization

/// The data of a store in a database on PostgreSQL, which other servers write, too: a connection
/// that writes, five that read, and two for hints (docs/decisions/0022-many-servers.md).
///
/// `@unchecked Sendable` because the writer is touched on the writer's queue only, as `Backing` has
/// it; all others are confined to queues of their own.
final class PostgreSQLBacking: Backing, @unchecked Sendable {
  private let writer: PostgreSQLWriter
  private let hints: Hints
  /// For reads of a few rows.
  private let shortReader: Confined<PostgreSQLSession>
  private let longReaders: [Confined<PostgreSQLSession>]
  private let overviewReader: Confined<PostgreSQLSession>
  private let wholeReader: Confined<PostgreSQLSession>
  private let nextReader = Atomic<Int>(0)

  /// Connects when something is asked for.
  init(_ database: PostgreSQLDatabase) {
    func makeReader(_ name: String) -> Confined<PostgreSQLSession> {
      Confined(
        PostgreSQLSession(database), to: DispatchQueue(label: "GoalsStore.postgresql-\(name)"))
    }
    writer = PostgreSQLWriter(database)
    hints = Hints(database)
    shortReader = makeReader("short")
    longReaders = [makeReader("long-1"), makeReader("long-2")]
    overviewReader = makeReader("overview")
    wholeReader = makeReader("whole")
  }

  var isLogShared: Bool { true }

  func writersView() throws -> any StoreReader { writer }

  func persist(_ writes: [Write], on books: [Account.ID: BookHead]) throws -> Persisted {
    let persisted = try writer.persist(writes, on: books)
    hints.tell(of: persisted.seals.keys)
    return persisted
  }

  func listen(_ heard: @escaping @Sendable ([Account.ID]) -> Void) { hints.listen(heard) }

  func write<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result {
    try writer.write(body)
  }

  func heads(of accounts: [Account.ID]) throws -> [Account.ID: Head] {
    try shortReader.with { try $0.heads(of: accounts) }
  }

  func ended() throws -> [EndedElsewhere] { try shortReader.with { try $0.ended() } }

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

  func reopen() throws { writer.close() }

  func close() {
    for reader in [shortReader, overviewReader, wholeReader] + longReaders {
      reader.with { $0.close() }
    }
    writer.close()
    hints.close()
  }

  var sizes: StoreGauges { StoreGauges() }
}

extension Store {
  /// The store in a database whose schema was checked.
  static func postgreSQL(
    _ database: PostgreSQLDatabase, environment: StoreEnvironment, cacheLimit: Int = cacheLimit
  ) -> Store {
    let backing = PostgreSQLBacking(database)
    let engine = StoreEngine(backing, environment: environment, cacheLimit: cacheLimit)
    return Store(engine) { _ throws(BackupError) in
      throw .store(.other("a database on PostgreSQL is backed up by its own tools: pg_basebackup"))
    }
  }
}
