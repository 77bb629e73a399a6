import GoalsCore
import Migrations

#if canImport(PostgreSQL)
import PostgreSQL
#endif

/// A database on a server of PostgreSQL, of which many stores may write the one log
/// (docs/decisions/0022-many-servers.md).
///
/// Where the program was built without libpq, everything asked of one is refused.
package struct SharedDatabase: Sendable {
  /// Why it can't be used, in one line that says what to do.
  package struct Refusal: Error, CustomStringConvertible, Sendable {
    package let description: String
  }

  /// What it is to be used for.
  package enum Use: Sendable {
    /// What every program may do that the schema lets.
    case serve
    /// What needs to know all of the schema.
    case verify, copy
  }

  /// Whether a text means one, and no file. One that is not as it should be is refused then, and
  /// not shown: there may be a password in it.
  package static func isOne(_ text: String) -> Bool {
    let text = text.lowercased()
    return text.contains("://") || text.hasPrefix("postgres:") || text.hasPrefix("postgresql:")
      || ["host=", "hostaddr=", "dbname=", "password="].contains { text.contains($0) }
  }

  #if canImport(PostgreSQL)
  private let database: PostgreSQLDatabase

  /// - Parameters:
  ///   - url: without a password.
  ///   - server: tells what this server writes there from what others write.
  package init(_ url: String, server: ID<SharedDatabase>) throws(Refusal) {
    let id = PostgreSQLDatabase.ServerID(high: server.high, low: server.low)
    database = try refusing { () throws(PostgreSQLError) in
      try PostgreSQLDatabase(url, server: id)
    }
  }

  /// Answers what is allowed there but dangerous, a sentence each. Refuses a server whose
  /// settings might lose a commit, and a schema that this program may not use so, or from which a
  /// table is lost but to verify it.
  package func check(to use: Use = .serve) throws(Refusal) -> [String] {
    try refusing { () throws(PostgreSQLError) in try database.check(to: use) }
  }

  /// Brings the schema to the version that this program knows, and answers the steps it took.
  package func migrate(now: Instant) throws(Refusal) -> [Migration] {
    try refusing { () throws(PostgreSQLError) in
      try database.migrate(now: now.milliseconds)
    }
  }

  /// The store in it. It connects when something is asked for.
  package func store(environment: StoreEnvironment) throws(Refusal) -> Store {
    .postgreSQL(database, environment: environment)
  }

  /// A connection by which accounts are copied. It connects when something is asked for.
  func copySession() throws(Refusal) -> any CopySession { PostgreSQLWriter(database) }
  #else
  package init(_ url: String, server: ID<SharedDatabase>) throws(Refusal) {
    throw Refusal(
      description: "This program was built without libpq: install libpq-dev, and build it again.")
  }

  package func check(to use: Use = .serve) throws(Refusal) -> [String] { [] }
  package func migrate(now: Instant) throws(Refusal) -> [Migration] { [] }
  package func store(environment: StoreEnvironment) throws(Refusal) -> Store {
    throw Refusal(description: "This program was built without libpq.")
  }

  func copySession() throws(Refusal) -> any CopySession {
    throw Refusal(description: "This program was built without libpq.")
  }
  #endif
}

#if canImport(PostgreSQL)
private func refusing<Value>(
  _ body: () throws(PostgreSQLError) -> Value
) throws(SharedDatabase.Refusal) -> Value {
  do throws(PostgreSQLError) {
    return try body()
  } catch {
    throw SharedDatabase.Refusal(
      description: "The database can't be used: \(error.message)"
        + (error.state.map { " (SQLSTATE \($0))" } ?? "") + (advice(error.state) ?? ""))
  }
}

/// What to do about what a server says in its own words.
private func advice(_ state: SQLState?) -> String? {
  switch state {
  case .insufficientPrivilege:
    """
    ; make the role the owner of the database and of its tables: ALTER DATABASE … OWNER TO …, \
    ALTER TABLE … OWNER TO …
    """
  case .duplicateTable:
    "; goals migrate did not make what is there: make an empty database for Goals"
  // NB: open: a server has many reasons.
  default: nil
  }
}
#endif
