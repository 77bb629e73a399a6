import Foundation
import PostgreSQLTestSupport
import TestSupport
import Testing

@testable import PostgreSQL

private let sleep = Query("sleep", "SELECT pg_sleep(3600)")
private let insert = Query("insert", "INSERT INTO t VALUES (1)")

@Suite("A connection that is lost", .enabled(if: Tier.isAll, "runs in make test-all"))
struct LossTests {
  private func background(
    _ cluster: Cluster, _ query: Query, named name: String = UUID().uuidString
  ) throws -> (Background<Void>, String) {
    let url = try cluster.url("postgres", "&application_name=\(name)")
    let running = Background {
      let connection = try Connection.connect(to: url, within: .seconds(30))
      try connection.run(query, within: .seconds(600))
    }
    return (running, name)
  }

  /// Whenever the time is up: the query is sent before it is first looked at.
  @Test("when the time is up leaves the outcome unknown, and cancels nothing")
  func deadline() throws {
    let cluster = try Cluster.common.get()
    let connection = try cluster.connect()
    let process = connection.serverProcess
    let error = #expect(throws: PostgreSQLError.self) {
      try connection.run(sleep, within: .seconds(1))
    }
    #expect(error?.kind == .unknown)
    #expect(error?.doing == "sleep")
    #expect(!connection.isOpen)
    let after = #expect(throws: PostgreSQLError.self) {
      try connection.run(sleep, within: .seconds(1))
    }
    #expect(after?.kind == .unavailable)
    let other = try cluster.connect()
    try other.wait(
      until: """
        SELECT EXISTS (SELECT FROM pg_stat_activity WHERE pid = \(process) AND state = 'active')
        """)
    _ = try other.bigint("SELECT pg_terminate_backend(\(process))::int")
  }

  /// The server sleeps, and reads no more than fits into its buffers.
  @Test("while it waits for a large answer or to be rid of a large question, is over in time")
  func deadlineInTheMiddle() throws {
    let connection = try Cluster.common.get().connect()
    var parameters = Parameters()
    parameters.add(bytea: [UInt8](repeating: 1, count: 64 << 20).span)
    let error = #expect(throws: PostgreSQLError.self) {
      try connection.run(
        [Call(sleep), Call(Query("large", "SELECT $1::bytea"), parameters)],
        within: .seconds(1))
    }
    #expect(error?.kind == .unknown)
  }

  @Test("to a server that dies during a query leaves the outcome unknown")
  func killedQuery() throws {
    let cluster = try Cluster(port: 27004)
    let (running, name) = try background(cluster, sleep)
    let idle = try cluster.connect()
    try idle.wait(forApplication: name, "wait_event = 'PgSleep'")
    try cluster.kill()
    #expect(try running.failure().kind == .unknown)
    // The server's processes end one by one, each as it notices.
    var error: PostgreSQLError?
    while error == nil {
      do throws(PostgreSQLError) {
        try idle.run(Query("one", "SELECT 1"), within: .seconds(30))
      } catch let caught {
        error = caught
      }
    }
    #expect(error?.kind == .unavailable || error?.kind == .unknown)
    #expect(!idle.isOpen)
  }

  @Test("by an operator is found before anything is sent, or leaves the outcome unknown")
  func terminated() throws {
    let cluster = try Cluster.common.get()
    let other = try cluster.connect()
    let idle = try cluster.connect()
    let process = idle.serverProcess
    _ = try other.bigint("SELECT pg_terminate_backend(\(process))::int")
    idle.waitForTheEnd()
    let error = #expect(throws: PostgreSQLError.self) { try idle.run(sleep, within: .seconds(30)) }
    #expect(error?.kind == .unavailable)
    #expect(error?.state == .adminShutdown)
    #expect(!idle.isOpen)

    let (running, name) = try background(cluster, sleep)
    try other.wait(forApplication: name, "wait_event = 'PgSleep'")
    try other.run(
      Query(
        "end",
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '\(name)'"),
      within: .seconds(30))
    let failure = try running.failure()
    #expect(failure.kind == .unknown)
    #expect(failure.state == .adminShutdown)
  }

  @Test("is not what a cancelled query leaves")
  func cancelled() throws {
    let cluster = try Cluster.common.get()
    let other = try cluster.connect()
    let (running, name) = try background(cluster, sleep)
    try other.wait(forApplication: name, "wait_event = 'PgSleep'")
    try other.run(
      Query(
        "cancel",
        "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE application_name = '\(name)'"),
      within: .seconds(30))
    let failure = try running.failure()
    #expect(failure.kind == .retryable)
    #expect(failure.state == .queryCanceled)
  }

  /// The standby that the server waits for does not come. When the wait is cancelled, the server
  /// says that all is well, and warns that it may not be.
  @Test("during a commit, or a commit that is not what it was to be, leaves the outcome unknown")
  func commits() throws {
    let cluster = try Cluster(["synchronous_standby_names = 'missing'"], port: 27005)
    let other = try cluster.connect()
    try other.execute("SET synchronous_commit = local", within: .seconds(30))
    try other.execute("CREATE TABLE t (n int)", within: .seconds(30))
    for act in ["pg_cancel_backend", "pg_terminate_backend"] {
      let (running, name) = try background(cluster, insert)
      try other.wait(forApplication: name, "wait_event = 'SyncRep'")
      try other.run(
        Query(act, "SELECT \(act)(pid) FROM pg_stat_activity WHERE application_name = $1::text"),
        parameter(name), within: .seconds(30))
      let failure = try running.failure()
      #expect(failure.kind == .unknown, "\(failure)")
      #expect(failure.message.contains("synchronous replication"))
    }
    #expect(try other.bigint("SELECT count(*) FROM t") == 2)

    let (running, name) = try background(cluster, insert)
    try other.wait(forApplication: name, "wait_event = 'SyncRep'")
    try cluster.kill()
    #expect(try running.failure().kind == .unknown)
    try cluster.start()
    // Others see it, and no standby has it: so reading it proves nothing.
    #expect(try cluster.connect().bigint("SELECT count(*) FROM t") == 3)
  }

  private func parameter(_ text: String) -> Parameters {
    var parameters = Parameters()
    parameters.add(text)
    return parameters
  }
}

@Suite("The start of a session", .enabled(if: Tier.isAll, "runs in make test-all"))
struct SessionTests {
  @Test("reads the settings, and turns off what would cancel a commit")
  func reads() throws {
    let cluster = try Cluster.common.get()
    let url = try cluster.url("postgres", "&options=-c%20statement_timeout%3D5000")
    let connection = try Connection.connect(to: url, within: .seconds(30))
    #expect(
      try connection.bigint("SELECT setting FROM pg_settings WHERE name = 'statement_timeout'")
        == 5000)
    let session = try Session(of: connection, within: .seconds(30))
    #expect(session.version >= 150_000)
    #expect(session.encoding == "UTF8")
    #expect(try session.check().count == 1)
    #expect(
      try connection.bigint("SELECT setting FROM pg_settings WHERE name = 'statement_timeout'") == 0
    )
  }

  @Test(
    "refuses what a role, a database or the server has set",
    arguments: [
      ("options=-c%20synchronous_commit%3Doff", "synchronous_commit is off"),
      ("options=-c%20synchronous_commit%3Dlocal", "synchronous_commit is local"),
      ("options=-c%20default_transaction_isolation%3Dserializable", "isolation is serializable"),
      ("options=-c%20default_transaction_read_only%3Don", "only reads"),
    ])
  func refuses(_ setting: String, _ sentence: String) throws {
    let url = try Cluster.common.get().url("postgres", "&target_session_attrs=any&\(setting)")
    let connection = try Connection.connect(to: url, within: .seconds(30))
    let session = try Session(of: connection, within: .seconds(30))
    let error = #expect(throws: PostgreSQLError.self) { try session.check() }
    #expect(error?.message.contains(sentence) == true)
  }

  @Test("has a commit be as durable as it was then, whatever is set later")
  func keeps() async throws {
    let cluster = try Cluster(port: 27007)
    let connection = try cluster.connect()
    _ = try Session(of: connection, within: .seconds(30)).check()
    for set in ["synchronous_commit = off", "work_mem = '77kB'"] {
      try cluster.connect().execute("ALTER SYSTEM SET \(set)", within: .seconds(30))
    }
    try cluster.connect().execute("SELECT pg_reload_conf()", within: .seconds(30))
    func setting(_ name: String) throws -> String? {
      let query = Query(name, "SELECT current_setting('\(name)')")
      return try connection.run(query, within: .seconds(30)).first?.text(at: 0)
    }
    // It has heard of both once it has heard of one.
    try await until { try setting("work_mem") == "77kB" }
    #expect(try setting("synchronous_commit") == "on")
    let later = try Session(of: cluster.connect(), within: .seconds(30))
    #expect(throws: PostgreSQLError.self) { try later.check() }
  }

  @Test("refuses a database in another encoding")
  func encoding() throws {
    let cluster = try Cluster.common.get()
    let connection = try cluster.connect()
    // The cluster outlives a repetition of the test.
    try connection.execute("DROP DATABASE IF EXISTS latin", within: .seconds(60))
    try connection.execute(
      "CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0", within: .seconds(60))
    let session = try Session(of: cluster.connect(database: "latin"), within: .seconds(30))
    let error = #expect(throws: PostgreSQLError.self) { try session.check() }
    #expect(error?.message.contains("LATIN1") == true)
  }

  @Test("refuses a server that keeps nothing when its machine stops")
  func careless() throws {
    let cluster = try Cluster(["fsync = off", "full_page_writes = off"], port: 27006)
    let session = try Session(of: cluster.connect(), within: .seconds(30))
    #expect(session.fsync == "off")
    #expect(session.fullPageWrites == "off")
    let error = #expect(throws: PostgreSQLError.self) { try session.check() }
    #expect(error?.kind == .refused)
  }
}
