import GoalsCore
import Migrations
import PostgreSQL
import Synchronization

/// A database on a server, and what has to hold of it before anything is kept there.
struct PostgreSQLDatabase: Sendable {
  typealias ServerID = ID<PostgreSQLDatabase>

  let url: DatabaseURL
  /// Tells what this server writes there from what others write.
  let server: ServerID
  /// How rounds are recorded there; nil for what the extensions that are there call for.
  private let form: Round.Form?
  /// The steps to the schema that this program knows.
  private let steps: [Migration]
  private let findings = Findings()
  /// Told of what is allowed there but dangerous, a sentence each, where it was not before.
  var track: @Sendable (String) -> Void = { _ in }
  /// How long a round waits for a row, in milliseconds. Another server's round lets go of it as
  /// soon as it is durable.
  var roundsPatience = 500
  /// How long connecting may take.
  private static let limit = Duration.seconds(10)

  /// - Parameter url: throws `.refused` where it is none, or has a password in it.
  init(
    _ url: String, server: ServerID, form: Round.Form? = nil,
    steps: [Migration] = Migration.postgreSQL
  ) throws(PostgreSQLError) {
    self.url = try DatabaseURL(url)
    self.server = server
    self.form = form
    self.steps = steps
  }

  /// What connections have found, for those that follow. Copies of a database share it.
  private final class Findings: Sendable {
    /// What is allowed but dangerous, as the last connection found it.
    let risks = Mutex<[String]>([])
    /// Which host took the last connection. It is asked first: one that is silent costs each
    /// connection its share of the time.
    let host = Atomic<Int>(0)
  }

  /// How much there is that is allowed but dangerous, as the last connection found it.
  var riskCount: Int { findings.risks.withLock { $0.count } }

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
    let connection = try Connection.connect(
      to: url, beginningWith: findings.host.load(ordering: .relaxed), within: Self.limit)
    findings.host.store(connection.host, ordering: .relaxed)
    let session = try Session(of: connection, within: Self.limit)
    let said = connection.takeNotices().filter { $0.severity == "WARNING" }.map(\.message)
    let warnings = try session.check() + said
    let known = findings.risks.withLock { risks in
      defer { risks = warnings }
      return risks
    }
    for warning in warnings where !known.contains(warning) { track(warning) }
    return (connection, session, warnings)
  }

  private static let selectTable = Query(
    "look for the schema", "SELECT to_regclass('migration') IS NOT NULL")
  private static let selectVersion = Query(
    "version of the schema",
    "SELECT coalesce(max(number), 0), coalesce(max(accepts), 0) FROM migration")
  private static let insertMigration = Query(
    "take note of a migration",
    """
    INSERT INTO migration (number, name, applied_at, accepts)
    VALUES ($1::bigint, $2::text, $3::bigint, $4::bigint)
    """)

  /// A schema's version, and the oldest whose programs may use it; 0 where there is none yet.
  private typealias Schema = (version: Int64, accepts: Int64)

  private func schema(_ connection: Connection) throws(PostgreSQLError) -> Schema {
    guard try connection.run(Self.selectTable, within: Self.limit).first?.bool(at: 0) == true,
      let row = try connection.run(Self.selectVersion, within: Self.limit).first
    else { return (0, 0) }
    return (try row.bigint(at: 0), try row.bigint(at: 1))
  }

  private var known: Int64 { steps.last?.number ?? 0 }

  /// Throws `.refused` where the schema is not one that this program may use so. Answers what is
  /// allowed but dangerous, a sentence each.
  func check(to use: SharedDatabase.Use = .serve) throws(PostgreSQLError) -> [String] {
    let (connection, _, warnings) = try open()
    defer { connection.close() }
    if let refusal = refusal(of: try schema(connection), to: use) { throw refusal }
    // Tables may be missing then, which is told later with all else.
    if use == .verify { return warnings }
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

  /// Nil for the version that this program knows, and to serve for a newer one that lets it.
  private func refusal(
    of schema: Schema, to use: SharedDatabase.Use = .serve
  ) -> PostgreSQLError? {
    let (version, accepts) = schema
    if version == known || (use == .serve && version > known && accepts <= known) { return nil }
    let found = version == 0 ? "it has no tables" : "its schema is that of version \(version)"
    return PostgreSQLError(
      .refused,
      version < known
        ? "\(found), and this program needs version \(known): run goals migrate '\(url)'"
        : """
        \(found), which is newer than \(known), the last that this program knows: use the \
        program that migrated it
        """, doing: "check the schema")
  }

  /// Brings the schema to the version that this program knows, each step in a transaction of its
  /// own; does nothing where it is there already, or where a newer one lets this program go on.
  /// Answers the steps that were taken.
  ///
  /// - Parameter now: in milliseconds since 1970.
  func migrate(now: Int64) throws(PostgreSQLError) -> [Migration] {
    let (connection, session, _) = try open()
    defer { connection.close() }
    var taken: [Migration] = []
    if try schema(connection).version < known {
      try PostgreSQLWriter.checkStandby(of: connection)
      try makeTable(connection)
      while let step = try step(connection, now: now) { taken.append(step) }
    }
    if session.hasCitus, try distribute(connection) {
      taken.append(Migration(number: known, name: "citus", sql: Migration.citus))
    }
    if let refusal = refusal(of: try schema(connection)) { throw refusal }
    return taken
  }

  private func makeTable(_ connection: Connection) throws(PostgreSQLError) {
    let sql = """
      CREATE TABLE IF NOT EXISTS migration (
        number bigint PRIMARY KEY, name text NOT NULL, applied_at bigint NOT NULL,
        accepts bigint NOT NULL)
      """
    do throws(PostgreSQLError) {
      try connection.execute(sql, within: Self.limit)
    } catch {
      guard error.isDuplicate else { throw error }
      // Another session is making the same table. PostgreSQL waits not for the table but for its
      // row in a catalogue, and the error names that catalogue.
      try connection.execute(sql, within: Self.limit)
    }
  }

  /// Takes the next step; nil where there is none.
  private func step(_ connection: Connection, now: Int64) throws(PostgreSQLError) -> Migration? {
    try connection.transaction(.write, within: Self.limit) { () throws(PostgreSQLError) in
      // Another migration waits here, and then finds it done.
      try connection.execute("LOCK TABLE migration IN EXCLUSIVE MODE", within: Self.stepLimit)
      let version = try schema(connection).version
      guard let next = steps.first(where: { $0.number > version }) else { return nil }
      try connection.execute(next.sql, within: Self.stepLimit)
      let note = Parameters {
        $0.add(next.number)
        $0.add(next.name)
        $0.add(now)
        $0.add(next.accepts)
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
      try PostgreSQLWriter.checkStandby(of: connection)
      try connection.execute(Migration.citus, within: Self.stepLimit)
      return true
    }
  }

  /// A step may write every row anew.
  private static let stepLimit = Duration.seconds(3600)
}
