/// What matters of a server's settings for whether what it commits is kept.
package struct Session: Equatable, Sendable {
  package var version: Int64
  package var encoding: String
  package var isReadOnly: Bool
  package var isolation: String
  package var synchronousCommit: String
  /// Nil where the engine has no such setting, as those have that only speak PostgreSQL's protocol.
  package var fsync: String?
  package var fullPageWrites: String?
  package var synchronousStandbyNames: String?
  /// Whether Citus is there, with which a table may be on several servers.
  package var hasCitus = false

  /// Throws `.refused` where an answered commit might not be kept, with what has to be done;
  /// `.unavailable` for a host that only reads. Else answers what is allowed but dangerous, a
  /// sentence each.
  package func check() throws(PostgreSQLError) -> [String] {
    if let sentence = refusal {
      throw PostgreSQLError(.refused, sentence, doing: "check the server's settings")
    }
    if isReadOnly {
      throw PostgreSQLError(
        .unavailable, state: .readOnlyTransaction,
        """
        the server only reads: name the primary, too, and leave target_session_attrs=read-write \
        in the URL
        """, doing: "check the server's settings")
    }
    guard synchronousStandbyNames == "" else { return [] }
    return [
      """
      synchronous_standby_names is empty: what was committed last is lost with the server's disk. \
      Add a standby and name it there.
      """
    ]
  }

  private var refusal: String? {
    if version < 150_000 {
      return "PostgreSQL \(version / 10_000) is too old: at least 15 is needed"
    }
    if encoding != "UTF8" {
      return "the database is in \(encoding): create one with ENCODING 'UTF8' TEMPLATE template0"
    }
    if isolation != "read committed" {
      return "the isolation is \(isolation): set default_transaction_isolation to 'read committed'"
    }
    if synchronousCommit == "off" || synchronousCommit == "local" {
      return
        "synchronous_commit is \(synchronousCommit): set it to on, for the role and database, too"
    }
    if fsync == "off" {
      return "fsync is off: turn it on in postgresql.conf, and reload"
    }
    if fullPageWrites == "off" {
      return "full_page_writes is off: turn it on in postgresql.conf, and reload"
    }
    return nil
  }
}

extension Session {
  private static let query = Query(
    "session",
    """
    SELECT current_setting('server_version_num')::bigint, current_setting('server_encoding'),
      current_setting('transaction_read_only')::bool, current_setting('transaction_isolation'),
      current_setting('synchronous_commit'), current_setting('fsync', true),
      current_setting('full_page_writes', true), current_setting('synchronous_standby_names', true),
      set_config('synchronous_commit', current_setting('synchronous_commit'), false),
      set_config('statement_timeout', '0', false),
      set_config('idle_in_transaction_session_timeout', '10s', false),
      EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')
    """)

  /// Reads the settings, and has those of a commit stay as they are, whatever somebody sets while
  /// the connection lasts. Turns off what would cancel a commit that takes long, and has the server
  /// end a transaction that a paused program left open: it may hold rows that others wait for.
  package init(of connection: Connection, within limit: Duration) throws(PostgreSQLError) {
    guard let row = try connection.run(Self.query, within: limit).first else {
      throw PostgreSQLError(.defect, "there is no answer", doing: Self.query.name)
    }
    func setting(_ column: Int) throws(PostgreSQLError) -> String? {
      row.isNull(at: column) ? nil : try row.text(at: column)
    }
    version = try row.bigint(at: 0)
    encoding = try row.text(at: 1)
    isReadOnly = try row.bool(at: 2)
    isolation = try row.text(at: 3)
    synchronousCommit = try row.text(at: 4)
    fsync = try setting(5)
    fullPageWrites = try setting(6)
    synchronousStandbyNames = try setting(7)
    hasCitus = try row.bool(at: 11)
  }
}
