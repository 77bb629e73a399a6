import GoalsCore
import SQLite
import Synchronization
import TestSupport

@testable import GoalsStore
@testable import StoreTestSupport

/// The kinds of store. Nobody must be able to tell them apart.
enum StoreKind {
  case memory, sqlite
  /// One that reckons with others that write the same log.
  case shared
  #if POSTGRESQL
  case postgreSQL
  /// With the rounds that take no locks, as on Citus.
  case postgreSQLWithoutLocks
  #endif

  /// Those that this run is about. Those on PostgreSQL take the longest by far, so that the fast
  /// tier has one test of them, `SmokeTests`, which also says that the rest is left out.
  static let ofTier: [StoreKind] = {
    let quick = [memory, sqlite, shared]
    #if POSTGRESQL
    return quick + Tier.volume([], all: [postgreSQL, postgreSQLWithoutLocks])
    #else
    return quick
    #endif
  }()

  /// The kinds that nobody else writes to: their memory is the truth.
  static let alone = [memory, sqlite]
}

/// A store in a world of a test's own: a clock that stands, and a list of what was tracked.
final class TestStore {
  /// Where the data are, which outlive the store.
  private enum Home {
    case memory(any Backing)
    case sqlite(TemporaryFolder, OwnedDatabase, idBatch: Int)
    #if POSTGRESQL
    case postgreSQL(PostgreSQLDatabase)
    #endif
  }

  let store: Store
  let clock: TestClock
  let events: Collected<StoreEvent>
  private let home: Home
  private let maximumLogBytes: Int

  convenience init(
    _ kind: StoreKind, cacheLimit: Int = Store.cacheLimit,
    maximumLogBytes: Int = AccountState.maximumLogBytes
  ) throws {
    switch kind {
    case .memory, .shared:
      try self.init(
        .memory(MemoryBacking(isLogShared: kind == .shared)), cacheLimit, TestClock(), Collected(),
        maximumLogBytes)
    case .sqlite:
      try self.init(in: TemporaryFolder(), cacheLimit: cacheLimit, maximumLogBytes: maximumLogBytes)
    #if POSTGRESQL
    case .postgreSQL, .postgreSQLWithoutLocks:
      let database = try PostgreSQLDatabase.fresh(kind == .postgreSQL ? nil : .updating)
      try self.init(
        .postgreSQL(database), cacheLimit, TestClock(), Collected(), maximumLogBytes)
    #endif
    }
  }

  /// A store in SQLite, in the file `goals.sqlite` of a folder.
  convenience init(
    in folder: TemporaryFolder, cacheLimit: Int = Store.cacheLimit,
    idBatch: Int = Store.defaultIDBatch, maximumLogBytes: Int = AccountState.maximumLogBytes
  ) throws {
    let database = try OwnedDatabase.claim(path: folder.database, ifMissing: .create)
    let home = Home.sqlite(folder, database, idBatch: idBatch)
    try self.init(home, cacheLimit, TestClock(), Collected(), maximumLogBytes)
  }

  #if POSTGRESQL
  convenience init(in database: PostgreSQLDatabase) throws {
    try self.init(
      .postgreSQL(database), Store.cacheLimit, TestClock(), Collected(),
      AccountState.maximumLogBytes)
  }
  #endif

  private init(
    _ home: Home, _ cacheLimit: Int, _ clock: TestClock, _ events: Collected<StoreEvent>,
    _ maximumLogBytes: Int
  ) throws {
    self.home = home
    self.maximumLogBytes = maximumLogBytes
    self.clock = clock
    self.events = events
    let environment = StoreEnvironment(
      now: { clock.now }, zone: testZone, maximumLogBytes: maximumLogBytes,
      signUpLogBytes: maximumLogBytes / 2,
      track: { event in
        // The folder stays as long as the store, whatever becomes of this object.
        _ = home
        // How long it took is no test's business.
        if case .persisted = event { return }
        events.append(event)
      })
    store =
      switch home {
      case .memory(let backing):
        Store(StoreEngine(backing, environment: environment, cacheLimit: cacheLimit))
      case .sqlite(_, let database, let idBatch):
        try Store.sqlite(
          database, environment: environment, cacheLimit: cacheLimit, idBatch: idBatch)
      #if POSTGRESQL
      case .postgreSQL(let database):
        Store.postgreSQL(database, environment: environment, cacheLimit: cacheLimit)
      #endif
      }
  }

  /// Another store of the same log, over these data.
  func beside(_ backing: any Backing) throws -> TestStore {
    try TestStore(.memory(backing), Store.cacheLimit, clock, Collected(), maximumLogBytes)
  }

  /// Closes the store, and opens another over the same data.
  func reopened(cacheLimit: Int = Store.cacheLimit) throws -> TestStore {
    store.destroy()
    return try TestStore(home, cacheLimit, clock, events, maximumLogBytes)
  }

  /// The folder of a store in SQLite.
  var folder: TemporaryFolder? {
    if case .sqlite(let folder, _, _) = home { folder } else { nil }
  }

  /// What was committed, of all that was tracked, once the writer has told it all: it answers
  /// first.
  var commits: [Tracked] {
    store.updated.network.sync {}
    return events.all.compactMap { if case .writer(let tracked) = $0 { tracked } else { nil } }
  }

  /// What failed, of all that was tracked, likewise.
  var failures: [StoreError] {
    store.updated.network.sync {}
    return events.all.compactMap { event in
      switch event {
      case .failed(let error), .unrecorded(_, let error): error
      case .writer, .persisted, .reopened, .probed, .risk: nil
      }
    }
  }
}

/// A clock that a test sets.
final class TestClock: Sendable {
  private let instant = Mutex(Instant.at("2026-11-20T12:00:00Z"))

  var now: Instant { instant.withLock { $0 } }

  func advance(milliseconds: Int64) {
    instant.withLock { $0 = $0.adding(milliseconds: milliseconds) }
  }
}

/// Values in the order in which they came, from any thread.
final class Collected<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])

  var all: [Value] { values.withLock { $0 } }

  func append(_ value: Value) { values.withLock { $0.append(value) } }

  func takeAll() -> [Value] {
    values.withLock { values in
      defer { values = [] }
      return values
    }
  }
}

/// What one thread tells another once.
final class Flag: Sendable {
  private let value = Atomic(false)

  var isRaised: Bool { value.load(ordering: .acquiring) }

  func raise() { value.store(true, ordering: .releasing) }
}

/// UTC, under its own name and three others: where days are cut is not what these tests are about.
@Sendable func testZone(_ name: ZoneName) -> ZoneLookup {
  ["UTC", "Asia/Tokyo", "Europe/Berlin", "Pacific/Apia"].contains(name.text)
    ? .found(.utc) : .unknown
}

extension Store {
  /// Has a batch decided, and waits for the answer.
  func send(_ batch: Batch, to account: UInt64 = 1) async -> Answer {
    await withCheckedContinuation { continuation in
      submit(SentBatch(account: .number(account), batch: batch)) {
        continuation.resume(returning: $0)
      }
    }
  }

  /// Hands batches in before the writer looks at the first, and waits for all answers.
  func sendTogether(_ batches: [(account: UInt64, batch: Batch)]) async -> [Answer] {
    let answers = Collected<(index: Int, answer: Answer)>()
    updated.network.sync {
      for (index, next) in batches.enumerated() {
        submit(SentBatch(account: .number(next.account), batch: next.batch)) { answer in
          answers.append((index, answer))
        }
      }
    }
    // Every round comes back to the queue only while there is more to decide.
    while answers.all.count < batches.count { updated.network.settle() }
    return answers.all.sorted { $0.index < $1.index }.map(\.answer)
  }

  /// Adds account 1 with goal 1, active: two edits, with the ids 1 and 2.
  func addAccountWithGoal(_ number: UInt64 = 1) async throws {
    try book.addAccount(.some(number))
    _ = await send(.of(.addGoal, .activate, from: 1), to: number)
  }
}

extension Answer {
  /// Nil where nothing was ruled.
  var ruling: Ruling? {
    if case .ruled(let ruling, _) = self { ruling } else { nil }
  }

  var chain: Chain? {
    if case .ruled(_, let chain) = self { chain } else { nil }
  }

  var name: String {
    switch self {
    case .ruled: "ruled"
    case .unavailable: "unavailable"
    case .failed: "failed"
    case .unknownAccount: "unknownAccount"
    case .refused: "refused"
    }
  }

  var statuses: [Outcome.Status] { ruling?.outcomes.map(\.status) ?? [] }
}
