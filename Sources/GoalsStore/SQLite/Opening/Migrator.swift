import Digests
import Migrations
import SQLite

/// Brings a database to the version of the schema that this program knows: forward only, each
/// migration in a transaction of its own, recorded in the table `migration`.
struct Migrator: Sendable {
  /// `GOAL` in ASCII, in the header of every database of ours (sqlite.org/fileformat.html §1.3.15).
  static let applicationID: Int64 = 0x474F_414C

  enum Standing: Equatable, Sendable {
    /// Nothing in it yet.
    case empty
    /// It went through this many of our migrations.
    case migrated(Int)
  }

  /// In order. What a database went through must be the first of them.
  let migrations: [Migration]

  /// Judges a database and changes nothing. Answers `.foreign`, `.newer` or `.changedMigration`
  /// when it is not one that `migrate` may continue.
  ///
  /// - Parameter name: what an error calls it; nil for the connection's path.
  func standing(
    of connection: Connection, called name: String? = nil
  ) throws(OpeningError) -> Standing {
    let path = name ?? connection.path
    let found: Found
    do throws(OpeningError) {
      found = try OpeningError.wrapping(path) {
        try connection.read { try Found(in: connection) }
      }
    } catch .sqlite(let error) where error.kind == .other {
      // A header that asks for more than this SQLite knows.
      throw .damaged(path, error)
    } catch {
      throw error
    }
    if found.isEmpty { return .empty }
    guard found.applicationID == .integer(Migrator.applicationID), let applied = found.applied
    else {
      guard case .integer(let id) = found.applicationID else {
        throw .foreign(path, applicationID: 0)
      }
      throw .foreign(path, applicationID: id)
    }
    let known = migrations.last?.number ?? 0
    if let last = applied.last, last.number > known {
      throw .newer(path, version: last.number, known: known)
    }
    for (index, step) in applied.enumerated() {
      guard index < migrations.count, migrations[index].number == step.number,
        Migrator.checksum(of: migrations[index]) == step.checksum
      else { throw .changedMigration(path, number: step.number, name: step.name) }
    }
    return .migrated(applied.count)
  }

  /// Runs the migrations that are missing. After an error the database stands at the version before
  /// the migration that failed.
  ///
  /// - Parameter now: the instant to record, in milliseconds since 1970.
  func migrate(_ connection: Connection, now: () -> Int64) throws(OpeningError) {
    let applied: Int
    switch try standing(of: connection) {
    case .empty: applied = 0
    case .migrated(let count): applied = count
    }
    // A migration that rebuilds a table drops the old one, which with foreign keys on would delete
    // the rows that point at it (sqlite.org/lang_altertable.html §7). They are checked instead.
    try OpeningError.wrapping(connection.path) {
      try connection.set(.foreignKeys, to: 0)
    }
    for (index, migration) in migrations.enumerated().dropFirst(applied) {
      do throws(OpeningError) {
        try OpeningError.wrapping(connection.path) {
          try connection.write {
            if index == 0 { try sign(connection) }
            try apply(migration, on: connection, at: now())
          }
        }
      } catch .sqlite(let error) {
        throw .migrationFailed(number: migration.number, name: migration.name, error)
      } catch {
        throw error
      }
    }
  }

  /// What of a database's schema its migrations did not make, or made otherwise, a sentence each: a
  /// trigger that was added changes what is written, and without an index or a trigger rows stay
  /// that should go.
  func schemaFaults(of connection: Connection) throws -> [String] {
    let model = try Connection(path: ":memory:", access: .create, busyTimeout: 0)
    do throws(OpeningError) {
      try migrate(model) { 0 }
    } catch {
      throw SQLiteError.refused(error.description, doing: "making a schema to compare with")
    }
    let (made, found) = (try Self.schema(of: model), try Self.schema(of: connection))
    return Set(made.keys).union(found.keys).sorted().compactMap { name in
      switch (made[name], found[name]) {
      case (let made, let found) where made == found: nil
      case (nil, _): "the schema has the \(name), which no migration made"
      case (_, nil): "the schema has lost the \(name)"
      case (_, _): "the schema's \(name) is not as the migrations made it"
      }
    }
  }

  /// What makes each table, index, trigger and view, by its kind and name; null for an index that
  /// SQLite made. The tables of ANALYZE, which an operator may run, tell the planner alone
  /// (sqlite.org/fileformat2.html#the_sqlite_stat1_table).
  private static func schema(of connection: Connection) throws -> [String: Value] {
    var schema: [String: Value] = [:]
    for row in try connection.rows(
      """
      SELECT type || ' ' || name, tbl_name || ': ' || sql FROM sqlite_schema
      WHERE name NOT GLOB 'sqlite_stat[1-4]'
      """)
    {
      schema[row[0].description] = row[1]
    }
    return schema
  }

  static func checksum(of migration: Migration) -> [UInt8] {
    SHA256.digest(of: migration.sql.utf8)
  }

  /// Makes an empty database one of ours.
  private func sign(_ connection: Connection) throws {
    try connection.execute(
      """
      PRAGMA application_id = \(Migrator.applicationID);
      CREATE TABLE migration (
        number INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        checksum BLOB NOT NULL CHECK (length(checksum) = 32), -- SHA-256 of its SQL
        applied_at INTEGER NOT NULL -- milliseconds since 1970
      ) STRICT;
      """)
  }

  private func apply(_ migration: Migration, on connection: Connection, at instant: Int64) throws {
    func refuse(_ message: String) -> SQLiteError {
      .refused(message, doing: "migration \(migration.number) (\(migration.name))")
    }
    try connection.execute(migration.sql)
    // SQL has no hashes.
    if migration.makesSeals { try BookSeals(StatementCache(on: connection)).sealAll() }
    guard connection.isInTransaction else { throw refuse("it ended its transaction") }
    if let fault = try connection.foreignKeyFaults().first { throw refuse(fault) }
    try connection.rows(
      "INSERT INTO migration (number, name, checksum, applied_at) VALUES (?, ?, ?, ?)",
      .integer(migration.number), .text(migration.name),
      .blob(Migrator.checksum(of: migration)), .integer(instant))
  }
}

extension Migration {
  fileprivate var makesSeals: Bool { name == "quotas-and-seals" }
}

/// What a database says of itself.
private struct Found {
  struct Step {
    let number: Int64
    let name: String
    let checksum: [UInt8]
  }

  let isEmpty: Bool
  let applicationID: Value
  /// Nil where there is no table of migrations, or none of ours has been through.
  let applied: [Step]?

  init(in connection: Connection) throws {
    applicationID = try connection.value(of: .applicationID)
    let names = try connection.rows("SELECT name FROM sqlite_schema").map { $0.first ?? .null }
    let version = try connection.value(of: .userVersion)
    isEmpty = names.isEmpty && applicationID == 0 && version == 0
    guard applicationID == .integer(Migrator.applicationID), names.contains("migration") else {
      applied = nil
      return
    }
    applied =
      try connection.prepare("SELECT number, name, checksum FROM migration ORDER BY number").all {
        Step(
          number: try $0.integer(at: 0), name: try $0.text(at: 1), checksum: try $0.blob(at: 2))
      }
  }
}
