import GoalsCore
import Testing
import TestSupport

@testable import GoalsStore

/// A database that is copied from or to.
final class CopiedDatabase {
  enum Kind {
    case file
    #if POSTGRESQL
    case server
    #endif

    /// Those that this run is about: see `StoreKind.ofTier`.
    static let ofTier: [Kind] = {
      #if POSTGRESQL
      return Tier.volume([file], all: [file, server])
      #else
      return [file]
      #endif
    }()
  }

  /// Every kind of copy there is among them.
  static let ways = Kind.ofTier.flatMap { from in Kind.ofTier.map { (from, $0) } }

  let side: CopySide
  let folder: TemporaryFolder

  init(_ kind: Kind = .file, in folder: TemporaryFolder? = nil) throws {
    self.folder = try folder ?? TemporaryFolder()
    switch kind {
    case .file: side = .file(self.folder.database)
    #if POSTGRESQL
    case .server:
      side = .server(
        try SharedDatabase(PostgreSQLDatabase.fresh().url.description, server: .number(1)))
    #endif
    }
  }

  /// Does something with the store in it, and closes that.
  func use<Result>(
    at now: Instant = .at("2026-11-20T12:00:00Z"), _ body: (Store) async throws -> Result
  ) async throws -> Result {
    let environment = StoreEnvironment(now: { now }, zone: testZone, track: { _ in })
    let store =
      switch side {
      case .file(let path):
        try Store.sqlite(
          OwnedDatabase.claim(path: path, ifMissing: .create), environment: environment)
      case .server(let database): try database.store(environment: environment)
      }
    defer { store.destroy() }
    return try await body(store)
  }

  func expectSound() async throws {
    try await use { store throws in #expect(try store.upkeep.verify() == []) }
  }

  func copy(to target: CopiedDatabase) throws -> Copying.Report {
    try Copying.run(from: side, to: target.side, now: .at("2026-11-20T12:00:00Z"))
  }

  /// All that is stored of an account.
  struct Content: Equatable {
    let record: AccountRecord
    let entries: [LogEntry]
    let inverses: [[UInt8]?]
    let snapshot: Snapshot
    let tokens: [TokenRecord]
    let sessions: [SessionRecord]

    fileprivate init<Session: CopySession>(_ record: AccountRecord, in session: Session) throws {
      self.record = record
      let key = try #require(try session.key(of: record.id))
      let rows = try session.rows(key, after: .none, limit: 10_000)
      (entries, inverses) = (rows.map(\.entry), rows.map(\.inverse))
      let read = try #require(try session.snapshot(of: record.id))
      // Without the book, which a file has not.
      snapshot = Snapshot(state: read.state, chain: read.chain, logBytes: read.logBytes)
      tokens = try session.tokens(of: record.id)
      sessions = try session.sessions(of: record.id)
    }
  }

  func contents() throws -> [Content] {
    func contents(in session: some CopySession) throws -> [Content] {
      try session.accounts().map { try Content($0, in: session) }
    }
    let session = try side.session()
    defer { session.close() }
    return try contents(in: session)
  }
}

extension CopySide {
  fileprivate func session() throws -> any CopySession {
    switch self {
    case .file(let path):
      try OwnedDatabase.claim(path: path, ifMissing: .refuse).copySession(
        now: .at("2026-11-20T12:00:00Z"))
    case .server(let database): try database.copySession()
    }
  }
}
