import SQLite
import Testing
import TestSupport

@Suite("A transaction")
struct TransactionTests {
  let folder: TemporaryFolder
  let connection: Connection
  let other: Connection

  init() throws {
    folder = try TemporaryFolder()
    connection = try Connection(path: folder.file("a.sqlite"), access: .create, busyTimeout: 0)
    try connection.set(.journalMode, to: "wal")
    try connection.execute("CREATE TABLE t (a)")
    other = try Connection(path: folder.file("a.sqlite"), access: .readWrite, busyTimeout: 0)
  }

  @Test("is seen by others when it is committed, not before")
  func commits() throws {
    try connection.write {
      try connection.execute("INSERT INTO t VALUES (1)")
      #expect(try other.rows("SELECT a FROM t") == [])
      #expect(connection.isInTransaction)
    }
    #expect(!connection.isInTransaction)
    #expect(try other.rows("SELECT a FROM t") == [[1]])
  }

  @Test("is taken back when its body throws")
  func rollsBack() throws {
    let error = #expect(throws: SQLiteError.self) {
      try connection.write {
        try connection.execute("INSERT INTO t VALUES (1)")
        throw SQLiteError.refused("no", doing: "test")
      }
    }
    #expect(error?.message == "no")
    #expect(!connection.isInTransaction)
    #expect(try connection.rows("SELECT a FROM t") == [])
  }

  @Test("is taken back when its commit fails")
  func commitFails() throws {
    try connection.set(.foreignKeys, to: 1)
    try connection.execute(
      """
      CREATE TABLE p (n INTEGER PRIMARY KEY);
      CREATE TABLE c (n REFERENCES p (n) DEFERRABLE INITIALLY DEFERRED);
      """)
    let error = #expect(throws: SQLiteError.self) {
      try connection.write {
        try connection.execute("INSERT INTO c VALUES (1)")
      }
    }
    #expect(error?.kind == .constraint)
    #expect(!connection.isInTransaction)
    #expect(try connection.rows("SELECT n FROM c") == [])
  }

  @Test("that reads sees one state, whatever is written meanwhile")
  func reads() throws {
    try other.read {
      #expect(try other.rows("SELECT count(*) FROM t") == [[0]])
      try connection.execute("INSERT INTO t VALUES (1)")
      #expect(try other.rows("SELECT count(*) FROM t") == [[0]])
    }
    #expect(try other.rows("SELECT count(*) FROM t") == [[1]])
  }

  @Test("that writes finds the database busy at its beginning, not at its end")
  func busy() throws {
    try connection.begin(.write)
    let error = #expect(throws: SQLiteError.self) { try other.begin(.write) }
    #expect(error?.kind == .busy)
    #expect(!other.isInTransaction)
    try connection.rollBack()
    try connection.rollBack()
    try other.begin(.write)
    try other.commit()
  }

  @Test("that has no room is refused as full, and may be tried again")
  func full() throws {
    guard case .integer(let pages) = try connection.value(of: .pageCount) else {
      Issue.record("no page count")
      return
    }
    try connection.execute("PRAGMA max_page_count = \(pages + 2)")
    let error = #expect(throws: SQLiteError.self) {
      try connection.write {
        try connection.rows("INSERT INTO t VALUES (zeroblob(100000))")
      }
    }
    #expect(error?.kind == .full)
    #expect(!connection.isInTransaction)
    try connection.execute("PRAGMA max_page_count = 10000")
    try connection.rows("INSERT INTO t VALUES (zeroblob(100000))")
    #expect(try connection.integrityFaults() == [])
  }
}
