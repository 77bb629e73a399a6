import Foundation
import SQLite
import Testing
import TestSupport

@Suite("A database in use")
struct UpkeepTests {
  let folder: TemporaryFolder
  let connection: Connection

  init() throws {
    folder = try TemporaryFolder()
    connection = try Connection(path: folder.file("a.sqlite"), access: .create, busyTimeout: 0)
    try connection.set(.journalMode, to: "wal")
    try connection.set(.autocheckpoint, to: 0)
    try connection.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b)")
    try connection.execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
      INSERT INTO t SELECT i, zeroblob(1000) FROM n
      """)
  }

  private func open(_ name: String, _ access: Connection.Access = .create) throws -> Connection {
    try Connection(path: folder.file(name), access: access, busyTimeout: 0)
  }

  @Test("writes its log back")
  func checkpoint() throws {
    let passive = try connection.checkpoint(.passive)
    #expect(passive.frames > 40)
    #expect(passive.checkpointed == passive.frames)
    #expect(try !folder.bytes("a.sqlite-wal").isEmpty)
    try connection.checkpoint(.truncate)
    #expect(try folder.bytes("a.sqlite-wal").isEmpty)
    #expect(try connection.size() == Int64(folder.bytes("a.sqlite").count))
  }

  @Test("does not write back what a reader still needs")
  func checkpointBusy() throws {
    let reader = try open("a.sqlite", .readOnly)
    try reader.read {
      try reader.rows("SELECT count(*) FROM t")
      try connection.execute("INSERT INTO t VALUES (1000, 1)")
      let error = #expect(throws: SQLiteError.self) { try connection.checkpoint(.truncate) }
      #expect(error?.kind == .busy)
    }
    try connection.checkpoint(.truncate)
  }

  @Test("keeps its log when the last connection to close may not write it back")
  func noCheckpointOnClose() throws {
    let reader = try open("a.sqlite", .readWrite)
    try reader.rows("SELECT count(*) FROM t")
    try reader.set(.noCheckpointOnClose, to: true)
    try connection.set(.noCheckpointOnClose, to: true)
    try connection.close()
    try reader.close()
    #expect(try !folder.bytes("a.sqlite-wal").isEmpty)
    let again = try open("a.sqlite", .readOnly)
    #expect(try again.rows("SELECT count(*) FROM t") == [[200]])
  }

  @Test("is sound, and says so")
  func sound() throws {
    #expect(try connection.integrityFaults() == [])
    #expect(try connection.foreignKeyFaults() == [])
  }

  @Test("says what is wrong with it")
  func faults() throws {
    try connection.execute(
      """
      CREATE TABLE c (n INTEGER REFERENCES t (a));
      INSERT INTO c VALUES (1), (999);
      """)
    #expect(try connection.foreignKeyFaults() == ["c row 2 points at no t"])

    try connection.close()
    var bytes = try folder.bytes("a.sqlite")
    let middle = bytes.count / 8192 * 4096
    for index in middle..<middle + 16 { bytes[index] = 0xff }
    try folder.put(bytes, in: "a.sqlite")
    let damaged = try open("a.sqlite", .readWrite)
    #expect(try !damaged.integrityFaults().isEmpty)
    #expect(try damaged.integrityFaults(limit: 1).count == 1)
  }

  @Test("is copied while it is written")
  func backup() throws {
    let copy = try open("b.sqlite")
    let backup = try Backup(of: connection, to: copy)
    guard case .going(let remaining, let all) = try backup.step(pages: 10) else {
      Issue.record("done too early")
      return
    }
    #expect(remaining == all - 10)
    try connection.execute("UPDATE t SET b = 'early' WHERE a = 1")
    try connection.execute("UPDATE t SET b = 'late' WHERE a = 200")
    var progress = Backup.Progress.busy
    var steps = 0
    while progress != .done, steps < 1000 {
      progress = try backup.step(pages: 10)
      steps += 1
    }
    #expect(steps < 20, "the copy started over")
    #expect(try copy.rows("SELECT b FROM t WHERE a IN (1, 200)") == [["early"], ["late"]])
    #expect(try copy.integrityFaults() == [])
    #expect(throws: SQLiteError.self) { try backup.step(pages: 10) }
  }

  @Test("has no copy when the copying was given up")
  func backupGivenUp() throws {
    let copy = try open("b.sqlite")
    do {
      let backup = try Backup(of: connection, to: copy)
      _ = try backup.step(pages: 10)
    }
    #expect(try copy.rows("SELECT count(*) FROM sqlite_schema") == [[0]])
  }

  @Test("can't be copied onto one that is read, nor go on after a close")
  func backupRefused() throws {
    let copy = try open("b.sqlite")
    try copy.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1); BEGIN; SELECT * FROM t")
    #expect(throws: SQLiteError.self) {
      let backup = try Backup(of: connection, to: copy)
      _ = try backup.step(pages: -1)
    }
    try copy.rollBack()
    let backup = try Backup(of: connection, to: copy)
    #expect(throws: SQLiteError.self) { try connection.close() }
    #expect(throws: SQLiteError.self) { try backup.step(pages: 10) }
  }
}
