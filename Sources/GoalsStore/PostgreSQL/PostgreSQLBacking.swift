import Dispatch
import GoalsCore
import PostgreSQL
import Synchronization

/// The data of a store in a database on PostgreSQL, which other servers write, too: a connection
/// that writes, and five that read (docs/decisions/0022-many-servers.md).
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
    try read(shortReader) { try $0.heads(of: accounts) }
  }

  func ended() throws -> [EndedElsewhere] { try read(shortReader) { try $0.ended() } }

  func read<Result>(
    _ length: ReadLength, _ body: (any StoreReader) throws -> Result
  ) throws -> Result {
    switch length {
    case .short: return try read(shortReader, body)
    case .overview: return try read(overviewReader, body)
    case .whole: return try read(wholeReader, body)
    case .long:
      let count = nextReader.wrappingAdd(1, ordering: .relaxed).oldValue
      return try read(longReaders[(count & Int.max) % longReaders.count], body)
    }
  }

  /// A connection that was idle may have been lost without anybody's noticing: then it is read once
  /// more.
  private func read<Result>(
    _ reader: Confined<PostgreSQLSession>, _ body: (PostgreSQLSession) throws -> Result
  ) throws -> Result {
    try reader.with { session in
      let wasOpen = session.isOpen
      do {
        return try body(session)
      } catch  where wasOpen && !session.isOpen {
        return try body(session)
      }
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
