import Foundation
import SQLite
import Synchronization
import Testing

@Suite("A statement")
struct StatementTests {
  let connection: Connection

  init() throws {
    connection = try Connection(path: ":memory:", access: .create, busyTimeout: 0)
    try connection.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT NOT NULL UNIQUE) STRICT")
  }

  @Test("runs again with other values, and keeps those that were not bound anew")
  func reuse() throws {
    let insert = try connection.prepare("INSERT INTO t VALUES (?, 'x' || ? || ?)")
    try insert.bind("b", at: 3)
    for number in 1...3 {
      try insert.bind(Int64(number), at: 1)
      try insert.bind(Int64(number), at: 2)
      try insert.run()
    }
    #expect(try connection.rows("SELECT b FROM t") == [["x1b"], ["x2b"], ["x3b"]])
    #expect(connection.totalChanges == 3)
  }

  @Test("takes no new values until it is reset, and keeps the old ones")
  func bindWhileRunning() throws {
    let statement = try connection.prepare("SELECT ?1 UNION ALL SELECT ?1")
    try statement.bind("old", at: 1)
    #expect(try statement.step())
    #expect(throws: SQLiteError.self) { try statement.bind(1, at: 1) }
    #expect(throws: SQLiteError.self) { try statement.bind("new", at: 1) }
    #expect(throws: SQLiteError.self) { try statement.bind(value: .blob([1, 2, 3]), at: 1) }
    #expect(try statement.step())
    #expect(try statement.text(at: 0) == "old")
    #expect(try !statement.step())
    #expect(throws: SQLiteError.self) { try statement.bind("newer", at: 1) }
    statement.reset()
    #expect(try statement.first { row in try row.text(at: 0) } == "old")
    try statement.bind("new", at: 1)
    #expect(try statement.first { row in try row.text(at: 0) } == "new")
  }

  @Test(
    "keeps its values apart, whatever their lengths",
    arguments: [1, 511, 512, 513, 100_000], [1, 512, 513])
  func lengths(_ first: Int, _ second: Int) throws {
    let statement = try connection.prepare("SELECT ?, ?, ?")
    let texts = [
      String(repeating: "a", count: first), String(repeating: "b", count: second), "c",
    ]
    for _ in 1...2 {
      for place in [2, 0, 1] { try statement.bind(texts[place], at: place + 1) }
      #expect(try statement.step())
      for place in 0..<3 { #expect(try statement.text(at: place) == texts[place]) }
      statement.reset()
      try statement.bind(value: .blob(Array(texts[1].utf8)), at: 2)
      #expect(try statement.step())
      #expect(try statement.text(at: 0) == texts[0])
      #expect(try statement.blob(at: 1) == Array(texts[1].utf8))
      statement.reset()
    }
  }

  @Test("ends its read when its reader throws")
  func readerThrows() throws {
    let statement = try connection.prepare("SELECT 'a' UNION ALL SELECT 'b'")
    #expect(throws: SQLiteError.self) {
      try statement.each { row in _ = try row.integer(at: 0) }
    }
    #expect(throws: SQLiteError.self) {
      try statement.first { row in _ = try row.integer(at: 0) }
    }
    #expect(try statement.first { row in try row.text(at: 0) } == "a")
  }

  @Test("tells a key that is taken from another broken rule, and can be run again")
  func constraints() throws {
    let insert = try connection.prepare("INSERT INTO t VALUES (?, ?)")
    func attempt(_ a: Int64, _ b: Value) -> SQLiteError? {
      do {
        try insert.bind(a, at: 1)
        try insert.bind(value: b, at: 2)
        try insert.run()
        return nil
      } catch {
        return error
      }
    }
    #expect(attempt(1, "a") == nil)
    #expect(attempt(1, "b")?.isUniqueViolation == true)
    #expect(attempt(2, "a")?.isUniqueViolation == true)
    let null = attempt(2, .null)
    #expect(null?.kind == .constraint)
    #expect(null?.isUniqueViolation == false)
    #expect(null?.doing == "INSERT INTO t VALUES (?, ?)")
    #expect(null?.message == "NOT NULL constraint failed: t.b")
    #expect(attempt(2, "b") == nil)
  }

  @Test(
    "is exactly one",
    arguments: [
      "", " ", "-- nothing", "SELECT 1; SELECT 2", "SELECT 1;\u{0}", "SELECT 1\u{0}2", "SELEC 1",
      "SELECT 1; nonsense",
    ])
  func exactlyOne(_ sql: String) {
    let error = #expect(throws: SQLiteError.self) { try connection.prepare(sql) }
    #expect(error?.doing == sql || error?.message == "more than one statement")
  }

  @Test("may end with a semicolon and a comment")
  func ending() throws {
    #expect(try connection.rows("SELECT 1; -- one\n ") == [[1]])
  }

  @Test("is refused after its connection was closed, and holds nothing open")
  func closed() throws {
    let kept = try connection.prepare("SELECT 1")
    let running = try connection.prepare("SELECT 1 UNION ALL SELECT 2")
    #expect(try running.step())
    try connection.close()
    try connection.close()
    for statement in [kept, running] {
      #expect(throws: SQLiteError.self) { try statement.step() }
      #expect(throws: SQLiteError.self) { try statement.bind(1, at: 1) }
      #expect(throws: SQLiteError.self) { try statement.value(at: 0) }
      #expect(statement.columnCount == 0)
      statement.reset()
    }
    let error = #expect(throws: SQLiteError.self) { try connection.execute("SELECT 1") }
    #expect(error?.kind == .closed)
    connection.interrupt()
    #expect(connection.totalChanges == 0)
    #expect(!connection.isInTransaction)
  }

  @Test("keeps its connection open")
  func outlives() throws {
    let statement = try {
      try Connection(path: ":memory:", access: .create, busyTimeout: 0).prepare("SELECT 7")
    }()
    #expect(try statement.first { row in try row.integer(at: 0) } == 7)
  }

  @Test("can be stopped from another thread")
  func interrupted() throws {
    let interrupt = connection.interrupt
    let isOver = Flag()
    // It would count for ever, so nothing but the interrupt ends it. A thread of its own, because a
    // task may wait for the very thread that counts.
    Thread.detachNewThread {
      while !isOver.value.load(ordering: .acquiring) { interrupt() }
    }
    defer { isOver.value.store(true, ordering: .releasing) }
    let error = #expect(throws: SQLiteError.self) {
      try connection.rows(
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n WHERE i = 1)
        SELECT count(*) FROM n
        """)
    }
    #expect(error?.kind == .interrupted)
  }

  @Test("is interrupted also while it is looked for what follows it")
  func interruptedBehind() throws {
    let running = try connection.prepare("VALUES (1), (2)")
    #expect(try running.step())
    // It lasts until nothing runs, and SQLite heeds it at blanks and at the end.
    connection.interrupt()
    let error = #expect(throws: SQLiteError.self) { try connection.prepare("VALUES(1);") }
    #expect(error?.kind == .interrupted)
  }
}

private final class Flag: Sendable {
  let value = Atomic(false)
}

@Suite("A script")
struct ScriptTests {
  @Test("runs every statement in order, up to one that fails")
  func order() throws {
    let connection = try Connection(path: ":memory:", access: .create, busyTimeout: 0)
    try connection.execute(
      "-- é\nCREATE TABLE t (a); INSERT INTO t VALUES (1);\nSELECT * FROM t;; /* end */")
    let error = #expect(throws: SQLiteError.self) {
      try connection.execute("INSERT INTO t VALUES (2); INSERT INTO u VALUES (3); DELETE FROM t")
    }
    #expect(error?.message == "no such table: u")
    #expect(try connection.rows("SELECT a FROM t") == [[1], [2]])
    try connection.execute("")
  }
}
