import GoalsCore
import Migrations
import PostgreSQL

/// A database on a server, and what has to hold of it before anything is kept there.
struct PostgreSQLDatabase: Sendable {
  typealias ServerID = ID<PostgreSQLDatabase>

  let url: DatabaseURL
  /// By which the one who writes here is told from other servers.
  let server: ServerID
  /// How rounds are recorded there; nil for what the extensions that are there call for.
  private let form: Round.Form?
  /// How long connecting may take.
  private static let limit = Duration.seconds(10)

  /// - Parameter url: throws `.refused` where it is none, or has a password in it.
  init(_ url: String, server: ServerID, form: Round.Form? = nil) throws(PostgreSQLError) {
    self.url = try DatabaseURL(url)
    self.server = server
    self.form = form
  }

  /// Opens a connection, to whose server a commit may be left.
  func connect() throws(PostgreSQLError) -> Connection { try open().connection }

  /// The same, with the form of the rounds there.
  func connectToRecord() throws(PostgreSQLError) -> (Connection, Round.Form) {
    let (connection, session, _) = try open()
    return (connection, form ?? (session.hasCitus ? .updating : .locking))
  }

  private func open() throws(PostgreSQLError) -> (
    connection: Connection, session: Session, warnings: [String]
  ) {
    let connection = try Connection.connect(to: url, within: Self.limit)
    let session = try Session(of: connection, within: Self.limit)
    let said = connection.takeNotices().filter { $0.severity == "WARNING" }.map(\.message)
    return (connection, session, try session.check() + said)
  }

  private static let selectTable = Query(
    "look for the schema", "SELECT to_regclass('migration') IS NOT NULL")
  private static let selectVersion = Query(
    "version of the schema", "SELECT coalesce(max(number), 0) FROM migration")
  private static let insertMigration = Query(
    "take note of a migration",
    "INSERT INTO migration (number, name, applied_at) VALUES ($1::bigint, $2::text, $3::bigint)")

  /// 0 where there is no schema yet.
  private func version(_ connection: Connection) throws(PostgreSQLError) -> Int64 {
    guard try connection.run(Self.selectTable, within: Self.limit).first?.bool(at: 0) == true else {
      return 0
    }
    return try connection.run(Self.selectVersion, within: Self.limit).first?.bigint(at: 0) ?? 0
  }

  static var known: Int64 { Migration.postgreSQL.last?.number ?? 0 }

  /// Throws `.refused` where the schema is not the one that this program knows. Answers what is
  /// allowed but dangerous, a sentence each.
  ///
  /// - Parameter toVerify: tables may be missing then, which is told later with all else.
  func check(toVerify: Bool = false) throws(PostgreSQLError) -> [String] {
    let (connection, _, warnings) = try open()
    defer { connection.close() }
    if let refusal = refusal(of: try version(connection)) { throw refusal }
    if toVerify { return warnings }
    let rights = try connection.run(Self.selectPrivileges, within: Self.limit).first
    guard try rights?.bool(at: 0) == true else {
      throw PostgreSQLError(
        .refused, "it has lost a table: goals verify says which", doing: "check the tables")
    }
    guard try rights?.bool(at: 1) == true else {
      throw PostgreSQLError(
        .refused,
        "its role may not write there: make it the owner of the tables, or grant it all of them",
        doing: "check the role")
    }
    return warnings
  }

  private static let selectPrivileges = Query(
    "privileges",
    """
    SELECT bool_and(to_regclass(name) IS NOT NULL),
      bool_and(has_table_privilege(to_regclass(name), privilege))
    FROM unnest(ARRAY['account', 'edit', 'undo_chain', 'snapshot', 'goal', 'day', 'note', 'token',
        'session', 'probe']) AS t (name),
      unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS p (privilege)
    """)

  /// Nil for the version that this program knows.
  private func refusal(of version: Int64) -> PostgreSQLError? {
    let known = Self.known
    if version == known { return nil }
    let schema = version == 0 ? "it has no tables" : "its schema is that of version \(version)"
    return PostgreSQLError(
      .refused,
      version < known
        ? "\(schema), and this program needs version \(known): run goals migrate '\(url)'"
        : """
        \(schema), which is newer than \(known), the last that this program knows: use the \
        program that migrated it
        """, doing: "check the schema")
  }

  /// Brings the schema to the version that this program knows, each step in a transaction of its
  /// own; does nothing where it is there already. Answers the steps that were taken.
  ///
  /// - Parameter now: in milliseconds since 1970.
  func migrate(now: Int64) throws(PostgreSQLError) -> [Migration] {
    let (connection, session, _) = try open()
    defer { connection.close() }
    let makeTable = """
      CREATE TABLE IF NOT EXISTS migration (
        number bigint PRIMARY KEY, name text NOT NULL, applied_at bigint NOT NULL)
      """
    do throws(PostgreSQLError) {
      try connection.execute(makeTable, within: Self.limit)
    } catch {
      guard error.isUniqueViolation else { throw error }
      // Somebody else is making it: PostgreSQL does not wait for that one, but for its row.
      try connection.execute(makeTable, within: Self.limit)
    }
    var taken: [Migration] = []
    while let step = try step(connection, now: now) { taken.append(step) }
    if session.hasCitus, try distribute(connection) {
      taken.append(Migration(number: Self.known, name: "citus", sql: Migration.citus))
    }
    if let refusal = refusal(of: try version(connection)) { throw refusal }
    return taken
  }

  /// Takes the next step; nil where there is none.
  private func step(_ connection: Connection, now: Int64) throws(PostgreSQLError) -> Migration? {
    try connection.transaction(.write, within: Self.limit) { () throws(PostgreSQLError) in
      // Who else migrates waits here, and then finds it done.
      try connection.execute("LOCK TABLE migration IN EXCLUSIVE MODE", within: Self.stepLimit)
      let version = try version(connection)
      guard let next = Migration.postgreSQL.first(where: { $0.number > version }) else {
        return nil
      }
      try connection.execute(next.sql, within: Self.stepLimit)
      let note = Parameters {
        $0.add(next.number)
        $0.add(next.name)
        $0.add(now)
      }
      try connection.run(Self.insertMigration, note, within: Self.limit)
      return next
    }
  }

  private static let isDistributed = Query(
    "look for distributed tables",
    "SELECT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = to_regclass('account'))")

  /// Distributes the tables of accounts; false where they are distributed.
  private func distribute(_ connection: Connection) throws(PostgreSQLError) -> Bool {
    try connection.transaction(.write, within: Self.limit) { () throws(PostgreSQLError) in
      try connection.execute("LOCK TABLE migration IN EXCLUSIVE MODE", within: Self.stepLimit)
      let found = try connection.run(Self.isDistributed, within: Self.limit)
      if try found.first?.bool(at: 0) == true { return false }
      try connection.execute(Migration.citus, within: Self.stepLimit)
      return true
    }
  }

  /// A step may write every row anew.
  private static let stepLimit = Duration.seconds(3600)
}
