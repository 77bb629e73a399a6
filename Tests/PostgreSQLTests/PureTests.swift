import Testing

@testable import PostgreSQL

@Suite("A database's URL")
struct DatabaseURLTests {
  @Test(
    "holds no password, and a refusal does not tell what it was",
    arguments: [
      "postgresql://u:hunter2@h/d", "postgres://u:hunter2@h", "postgresql://u@h/d?password=hunter2",
      "postgresql://h/d?sslpassword=hunter2", "postgresql://u:hunter2%zz@h/d",
      "postgresql://u:hunter2/@h/d", "postgresql://u:hunter2", "postgresql://u@h:hunter2/d",
      "user=u password=hunter2", "hunter2", "postgresql://u@h/d?hunter2=1",
      "postgresql://u:hunter2@",
    ])
  func secrets(_ text: String) {
    let error = #expect(throws: PostgreSQLError.self) { try DatabaseURL(text) }
    #expect(error?.kind == .refused)
    #expect(error.map { "\($0)".contains("hunter2") } == false)
  }

  @Test("says where a password belongs")
  func sentence() {
    let error = #expect(throws: PostgreSQLError.self) { try DatabaseURL("postgresql://u:p@h/d") }
    #expect(error?.message.contains("PGPASSFILE") == true)
  }

  @Test("names hosts one by one, each with its port")
  func hosts() throws {
    func hosts(_ text: String) throws -> [[String: String]] {
      try DatabaseURL(text).hosts.map(\.settings)
    }
    #expect(try hosts("postgresql://") == [[:]])
    #expect(try hosts("postgresql://u@a/d") == [["host": "a"]])
    #expect(
      try hosts("postgresql://u@a:1,b:65535/d")
        == [["host": "a", "port": "1"], ["host": "b", "port": "65535"]])
    #expect(
      try hosts("postgresql:///d?host=/a,/b&port=7")
        == [["host": "/a", "port": "7"], ["host": "/b", "port": "7"]])
    #expect(
      try hosts("postgresql://[::1],b:2/d?hostaddr=::1,127.0.0.1")
        == [
          ["host": "::1", "hostaddr": "::1"], ["host": "b", "hostaddr": "127.0.0.1", "port": "2"],
        ])
  }

  @Test(
    "is refused where its lists don't match",
    arguments: [
      "postgresql:///d?host=a,b,c&port=1,2", "postgresql://a:0/d", "postgresql://a:65536/d",
      "postgresql:///d?host=a,b&hostaddr=127.0.0.1", "postgresql://a/d?port=1,2",
    ])
  func mismatch(_ text: String) {
    let error = #expect(throws: PostgreSQLError.self) { try DatabaseURL(text) }
    #expect(error?.message.contains("ports") == true)
  }

  @Test("shares out the time among its hosts")
  func share() throws {
    #expect(try DatabaseURL("postgresql://a/d").share(of: .seconds(6)) == .seconds(6))
    #expect(try DatabaseURL("postgresql://a,b,c/d").share(of: .seconds(6)) == .seconds(2))
  }

  @Test("asks for a server that can write, unless it says otherwise")
  func attributes() throws {
    let plain = try DatabaseURL("postgresql://a/d")
    #expect(plain.settings["target_session_attrs"] == "read-write")
    #expect(plain.settings["client_encoding"] == "UTF8")
    let any = try DatabaseURL("postgresql://a/d?target_session_attrs=any&client_encoding=LATIN1")
    #expect(any.settings["target_session_attrs"] == "any")
    #expect(any.settings["client_encoding"] == "UTF8")
    #expect("\(any)" == "postgresql://a/d?target_session_attrs=any&client_encoding=LATIN1")
  }
}

@Suite("An error that a server reports")
struct ClassificationTests {
  @Test(
    "means what a store acts upon",
    arguments: [
      ("40001", .retryable), ("40P01", .retryable), ("55P03", .retryable), ("57014", .retryable),
      ("40003", .unknown), ("08007", .unknown), ("23505", .constraint), ("23514", .constraint),
      ("57P01", .unavailable), ("57P02", .unavailable), ("57P03", .unavailable),
      ("08006", .unavailable), ("53100", .unavailable), ("53300", .unavailable),
      ("58030", .unavailable), ("08P01", .defect), ("25006", .unavailable), ("28P01", .refused),
      ("28000", .refused),
      ("3D000", .refused), ("42501", .refused), ("42P01", .defect), ("42601", .defect),
      ("22P03", .defect), ("XX000", .defect),
    ] as [(String, PostgreSQLError.Kind)])
  func kinds(_ text: String, _ kind: PostgreSQLError.Kind) throws {
    #expect(PostgreSQLError.Kind(try #require(SQLState(text))) == kind)
  }

  @Test("has five digits and capital letters", arguments: ["", "4000", "400011", "4000x", "4000É"])
  func noState(_ text: String) {
    #expect(SQLState(text) == nil)
  }

  @Test("is read from what libpq says of a connection that was refused")
  func connecting() {
    let error = PostgreSQLError(
      connecting: """
        connection to server at "h" (::1), port 5432 failed: FATAL:  28P01: password authentication \
        failed for user "u"
        LOCATION:  auth_failed, auth.c:326

        """)
    #expect(error.kind == .refused)
    #expect(error.state == .invalidPassword)
    #expect(
      error.message == """
        connection to server at "h" (::1), port 5432 failed: FATAL: password authentication failed \
        for user "u"; put the role's password into PGPASSWORD, or into ~/.pgpass or the file that \
        PGPASSFILE names: HOST:PORT:DATABASE:USER:PASSWORD, mode 600
        """)
  }
}

@Suite("A server's settings")
struct SessionRuleTests {
  static let kept = Session(
    version: 150_000, encoding: "UTF8", isReadOnly: false, isolation: "read committed",
    synchronousCommit: "on", fsync: "on", fullPageWrites: "on", synchronousStandbyNames: "ANY 1 (a)"
  )

  @Test(
    "that keep what was committed are taken", arguments: ["on", "remote_write", "remote_apply"])
  func sound(_ synchronousCommit: String) throws {
    var session = Self.kept
    session.synchronousCommit = synchronousCommit
    #expect(try session.check() == [])
    // An engine that only speaks the protocol.
    (session.fsync, session.fullPageWrites, session.synchronousStandbyNames) = (nil, nil, nil)
    #expect(try session.check() == [])
  }

  private static let faulty: [(String, @Sendable (inout Session) -> Void)] = [
    ("PostgreSQL 14", { $0.version = 149_999 }), ("LATIN1", { $0.encoding = "LATIN1" }),
    ("serializable", { $0.isolation = "serializable" }),
    ("synchronous_commit", { $0.synchronousCommit = "off" }),
    ("synchronous_commit", { $0.synchronousCommit = "local" }), ("fsync", { $0.fsync = "off" }),
    ("full_page_writes", { $0.fullPageWrites = "off" }),
  ]

  @Test("that lose it are refused, each by its name", arguments: faulty)
  func refused(_ word: String, _ change: @Sendable (inout Session) -> Void) {
    var session = Self.kept
    change(&session)
    let error = #expect(throws: PostgreSQLError.self) { try session.check() }
    #expect(error?.kind == .refused)
    #expect(error?.message.contains(word) == true)
  }

  @Test("of a standby are refused for as long as it is one")
  func readOnly() {
    var session = Self.kept
    session.isReadOnly = true
    let error = #expect(throws: PostgreSQLError.self) { try session.check() }
    #expect(error?.kind == .unavailable)
    #expect(error?.state == .readOnlyTransaction)
  }

  @Test("that name no standby are a danger that is told")
  func alone() throws {
    var session = Self.kept
    session.synchronousStandbyNames = ""
    let dangers = try session.check()
    #expect(dangers.count == 1)
    #expect(dangers.first?.hasPrefix("synchronous_standby_names is empty") == true)
  }
}
