import Foundation
import PostgreSQLTestSupport
import TestSupport
import Testing

@testable import PostgreSQL

@Suite("Queries on a connection", .enabled(if: Tier.isAll, "runs in make test-all"))
struct RunningTests {
  let connection: Connection

  init() throws {
    connection = try Cluster.common.get().connect()
    try connection.execute(
      "CREATE TEMPORARY TABLE t (n bigint PRIMARY KEY, word text)", within: .seconds(30))
  }

  private static let insert = Query("insert", "INSERT INTO t VALUES ($1::bigint, $2::text)")

  private func insert(_ number: Int64) -> Call {
    var parameters = Parameters()
    parameters.add(number)
    parameters.add("word")
    return Call(Self.insert, parameters)
  }

  @Test("answer rows, and how many they wrote")
  func rows() throws {
    let many = try connection.run(
      Query("many", "INSERT INTO t SELECT n, 'w' || n FROM generate_series(1, 1000) n"),
      within: .seconds(30))
    #expect(many.changes == 1000)
    #expect(many.isEmpty)
    let rows = try connection.run(
      Query("all", "SELECT n, word FROM t ORDER BY n"), within: .seconds(30))
    #expect(rows.count == 1000)
    #expect(try rows.map { try $0.bigint(at: 0) } == Array(1...1000))
    #expect(try rows.last?.text(at: 1) == "w1000")
  }

  @Test("are prepared once, and kept")
  func prepared() throws {
    let count = "SELECT count(*) FROM pg_prepared_statements WHERE name = 'insert'"
    for number in 1...3 as ClosedRange<Int64> {
      try connection.run(Self.insert, insert(number).parameters, within: .seconds(30))
    }
    #expect(try connection.bigint(count) == 1)
    #expect(try connection.bigint("SELECT count(*) FROM t") == 3)
  }

  @Test("can't share a name, or have one that the server would cut off")
  func names() throws {
    let long = String(repeating: "n", count: 63)
    try connection.run(Query(long, "SELECT 1"), within: .seconds(30))
    for name in ["", long + "n", "a\u{0}"] {
      let error = #expect(throws: PostgreSQLError.self) {
        try connection.run(Query(name, "SELECT 1"), within: .seconds(30))
      }
      #expect(error?.kind == .defect)
    }
    try connection.run(Query("same", "SELECT 1"), within: .seconds(30))
    let error = #expect(throws: PostgreSQLError.self) {
      try connection.run(Query("same", "SELECT 2"), within: .seconds(30))
    }
    #expect(error?.kind == .defect)
  }

  @Test("that go together are one transaction, answered in order")
  func pipeline() throws {
    let count = Query("count", "SELECT count(*) FROM t")
    let answers = try connection.run(
      [insert(1), Call(count), insert(2), Call(count)], within: .seconds(30))
    #expect(answers.map(\.changes) == [1, 1, 1, 1])
    #expect(try answers[1].first?.bigint(at: 0) == 1)
    #expect(try answers[3].first?.bigint(at: 0) == 2)
    #expect(try connection.run([], within: .zero).isEmpty)
  }

  @Test("that go together leave nothing where one in the middle fails, and the next ones run")
  func pipelineFails() throws {
    let late = Query("late", "SELECT 3::bigint")
    let error = #expect(throws: PostgreSQLError.self) {
      try connection.run([insert(1), insert(2), insert(1), Call(late)], within: .seconds(30))
    }
    #expect(error?.kind == .constraint)
    #expect(error?.isDuplicate == true)
    #expect(error?.doing == "insert")
    #expect(error?.message.contains("(n)=(1)") == true)
    #expect(try connection.bigint("SELECT count(*) FROM t") == 0)
    // It was not prepared, as the server skipped that too.
    #expect(try connection.run(late, within: .seconds(30)).first?.bigint(at: 0) == 3)
    #expect(try connection.run([insert(1), Call(late)], within: .seconds(30)).count == 2)
  }

  @Test("that don't compile are told, and may be corrected")
  func syntax() throws {
    let error = #expect(throws: PostgreSQLError.self) {
      try connection.run([insert(1), Call(Query("a", "SELEKT 1"))], within: .seconds(30))
    }
    #expect(error?.kind == .defect)
    #expect(error?.state?.description == "42601")
    #expect(error?.doing == "a")
    #expect(try connection.run(Query("a", "SELECT 1"), within: .seconds(30)).count == 1)
    #expect(try connection.bigint("SELECT count(*) FROM t") == 0)
  }

  @Test("that fail only when they are committed leave nothing")
  func deferred() throws {
    try connection.execute(
      """
      CREATE TEMPORARY TABLE p (n bigint PRIMARY KEY);
      CREATE TEMPORARY TABLE c (n bigint REFERENCES p DEFERRABLE INITIALLY DEFERRED);
      """, within: .seconds(30))
    let error = #expect(throws: PostgreSQLError.self) {
      try connection.run(
        [insert(1), Call(Query("c", "INSERT INTO c VALUES (1)"))], within: .seconds(30))
    }
    #expect(error?.kind == .constraint)
    #expect(try connection.bigint("SELECT count(*) FROM t") == 0)
  }

  @Test("go both ways at once, however much they are")
  func large() throws {
    let echo = Query("echo", "SELECT $1::bytea")
    let calls = (0..<16).map { index in
      var parameters = Parameters()
      parameters.add(bytea: [UInt8](repeating: UInt8(index), count: 1 << 20).span)
      return Call(echo, parameters)
    }
    let answers = try connection.run(calls, within: .seconds(60))
    #expect(answers.count == 16)
    for (index, answer) in answers.enumerated() {
      let bytes = try #require(answer.first).bytea(at: 0)
      #expect(bytes.count == 1 << 20 && bytes.allSatisfy { $0 == UInt8(index) })
    }
  }

  @Test("in a script stop at the first that fails, and nothing of it stays")
  func script() throws {
    let error = #expect(throws: PostgreSQLError.self) {
      try connection.execute(
        "INSERT INTO t VALUES (1, ''); INSERT INTO t VALUES (1, ''); DROP TABLE t",
        within: .seconds(30))
    }
    #expect(error?.isDuplicate == true)
    #expect(try connection.bigint("SELECT count(*) FROM t") == 0)
    #expect(throws: PostgreSQLError.self) {
      try connection.execute("SELECT 1\u{0}; DROP TABLE t", within: .seconds(30))
    }
    // There is no use for it here, and it would have the connection wait for data.
    let copy = #expect(throws: PostgreSQLError.self) {
      try connection.execute("COPY t FROM STDIN", within: .seconds(30))
    }
    #expect(copy?.kind == .unknown)
    #expect(!connection.isOpen)
  }

  @Test("in a transaction are seen when it is committed, and not where its body throws")
  func transactions() throws {
    try connection.transaction(.write, within: .seconds(30)) { () throws(PostgreSQLError) in
      try connection.run(Self.insert, insert(1).parameters, within: .seconds(30))
      #expect(connection.isInTransaction)
    }
    #expect(!connection.isInTransaction)
    let error = #expect(throws: PostgreSQLError.self) {
      try connection.transaction(.write, within: .seconds(30)) { () throws(PostgreSQLError) in
        for number in [2, 1] as [Int64] {
          try connection.run(Self.insert, insert(number).parameters, within: .seconds(30))
        }
      }
    }
    #expect(error?.isDuplicate == true)
    #expect(!connection.isInTransaction)
    #expect(try connection.bigint("SELECT count(*) FROM t") == 1)
    let writing = #expect(throws: PostgreSQLError.self) {
      try connection.transaction(.read, within: .seconds(30)) { () throws(PostgreSQLError) in
        try connection.run(Query("make", "CREATE TABLE u ()"), within: .seconds(30))
      }
    }
    #expect(writing?.kind == .unavailable)
    #expect(writing?.state == .readOnlyTransaction)
    #expect(!connection.isOpen)
  }

  @Test("in a transaction are not taken for recorded where an error was passed over")
  func swallowed() throws {
    let error = #expect(throws: PostgreSQLError.self) {
      try connection.transaction(.write, within: .seconds(30)) { () throws(PostgreSQLError) in
        try connection.run(Self.insert, insert(1).parameters, within: .seconds(30))
        _ = try? connection.run(Self.insert, insert(1).parameters, within: .seconds(30))
      }
    }
    #expect(error?.kind == .defect)
    #expect(error?.message.contains("ROLLBACK") == true)
    #expect(!connection.isInTransaction)
    #expect(try connection.bigint("SELECT count(*) FROM t") == 0)
  }

  @Test("that were overtaken are to be tried again")
  func overtaken() throws {
    let name = "overtaken_\(UUID().uuidString.prefix(8).lowercased())"
    let other = try Cluster.common.get().connect()
    try other.execute(
      "CREATE TABLE \(name) (n int); INSERT INTO \(name) VALUES (0)", within: .seconds(30))
    defer { try? other.execute("DROP TABLE \(name)", within: .seconds(30)) }
    try connection.execute(
      "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT * FROM \(name)", within: .seconds(30))
    try other.execute("UPDATE \(name) SET n = 1", within: .seconds(30))
    let error = #expect(throws: PostgreSQLError.self) {
      try connection.run(Query("late", "UPDATE \(name) SET n = 2"), within: .seconds(30))
    }
    #expect(error?.kind == .retryable)
    #expect(error?.state == .serializationFailure)
    try connection.execute("ROLLBACK", within: .seconds(30))
  }
}

@Suite("What a server says unasked", .enabled(if: Tier.isAll, "runs in make test-all"))
struct UnaskedTests {
  let connection: Connection

  init() throws {
    connection = try Cluster.common.get().connect()
  }

  @Test("is kept until it is taken")
  func notices() throws {
    try connection.execute(
      "DO $$BEGIN RAISE NOTICE 'one'; RAISE INFO 'two'; END$$", within: .seconds(30))
    #expect(
      connection.takeNotices() == [
        Notice(severity: "NOTICE", state: SQLState("00000"), message: "one"),
        Notice(severity: "INFO", state: SQLState("00000"), message: "two"),
      ])
    #expect(connection.takeNotices().isEmpty)
    try connection.execute(
      "DO $$BEGIN FOR i IN 1..200 LOOP RAISE NOTICE '%', i; END LOOP; END$$", within: .seconds(30))
    #expect(connection.takeNotices().count == 100)
  }

  @Test("leaves open what became of a commit where it is a warning that is not known")
  func warning() throws {
    let error = #expect(throws: PostgreSQLError.self) {
      try connection.run(
        Query("warn", "DO $$BEGIN RAISE WARNING 'be careful'; END$$"), within: .seconds(30))
    }
    #expect(error?.kind == .unknown)
    #expect(error?.message == "be careful")
    #expect(!connection.isOpen)
  }

  @Test("does not count where it is a warning of another kind")
  func harmless() throws {
    try connection.run(Query("roll back", "ROLLBACK"), within: .seconds(30))
    #expect(connection.takeNotices().map(\.state?.description) == ["25P01"])
    #expect(connection.isOpen)
  }

  @Test("by NOTIFY comes to who listens, in order")
  func notifications() throws {
    let other = try Cluster.common.get().connect()
    let channel = "c\(UUID().uuidString.prefix(8).lowercased())"
    try connection.execute("LISTEN \(channel)", within: .seconds(30))
    #expect(try connection.notifications(within: .milliseconds(1)).isEmpty)
    let waiting = Background { [channel] in
      let cluster = try Cluster.common.get()
      try cluster.connect().execute(
        "NOTIFY \(channel), 'a'; NOTIFY \(channel), 'b'", within: .seconds(30))
    }
    var told: [Connection.Notification] = []
    while told.count < 2 { told += try connection.notifications(within: .seconds(30)) }
    try waiting.value()
    #expect(told.map(\.payload) == ["a", "b"])
    #expect(told.allSatisfy { $0.channel == channel })
    try other.run(Query("tell", "SELECT pg_notify('\(channel)', 'c')"), within: .seconds(30))
    #expect(
      try connection.notifications(within: .seconds(30)).map(\.process) == [other.serverProcess])
  }
}
