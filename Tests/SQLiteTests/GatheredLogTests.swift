import CGatheringVFS
import CSQLite
import Foundation
import Testing
import TestSupport

@testable import SQLite

/// A database with a table `t (a INTEGER PRIMARY KEY, b UNIQUE)`, whose log is kept.
private func makeDatabase(_ connection: Connection) throws {
  try connection.set(.pageSize, to: 4096)
  try connection.set(.journalMode, to: "wal")
  try connection.set(.synchronous, to: 2)
  try connection.set(.autocheckpoint, to: 0)
  try connection.set(.noCheckpointOnClose, to: true)
  try connection.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b UNIQUE, c)")
}

extension Connection {
  /// Inserts so many rows of about 1 kB, in one statement.
  fileprivate func insert(_ numbers: ClosedRange<Int>) throws(SQLiteError) {
    try execute(
      """
      WITH RECURSIVE n(i) AS (SELECT \(numbers.lowerBound) UNION ALL
        SELECT i + 1 FROM n WHERE i < \(numbers.upperBound))
      INSERT INTO t SELECT i, (i * 7919) % 1000003, hex(zeroblob(500)) || i FROM n
      """)
  }

  fileprivate func count() throws(SQLiteError) -> Int64 {
    guard case .integer(let count)? = try rows("SELECT count(*) FROM t").first?.first else {
      return -1
    }
    return count
  }
}

@Suite("A log that is gathered")
struct GatheredLogTests {
  let folder: TemporaryFolder
  let writer: Connection
  /// As the readers are: by SQLite's own VFS.
  let reader: Connection

  init() throws {
    folder = try TemporaryFolder()
    writer = try Connection(
      path: folder.file("a.sqlite"), access: .create, log: .gathered, busyTimeout: 0)
    try makeDatabase(writer)
    reader = try Connection(path: folder.file("a.sqlite"), access: .readOnly, busyTimeout: 0)
    try reader.set(.autocheckpoint, to: 0)
    try reader.set(.noCheckpointOnClose, to: true)
  }

  /// What a recovery makes of the files as they are now: the process was killed, as far as they
  /// know.
  private func countAfterKill() throws -> Int64 {
    try? FileManager.default.removeItem(atPath: folder.file("k.sqlite-shm"))
    for end in ["", "-wal"] {
      try folder.put(folder.bytes("a.sqlite" + end), in: "k.sqlite" + end)
    }
    let copy = try Connection(path: folder.file("k.sqlite"), access: .readWrite, busyTimeout: 0)
    try copy.set(.noCheckpointOnClose, to: true)
    #expect(try copy.integrityFaults() == [])
    return try copy.count()
  }

  /// Has a transaction write most of its pages to the log before it commits.
  private func spill() throws {
    try writer.execute("PRAGMA cache_size = 5; PRAGMA cache_spill = 1")
  }

  @Test(
    "holds every commit for those who read, and after a kill, however it is synced",
    arguments: [0, 1, 2] as [Value], [false, true])
  func committed(_ synchronous: Value, _ spills: Bool) throws {
    try writer.set(.synchronous, to: synchronous)
    if spills { try spill() }
    var count = 0
    for size in [1, 2, 5, 40, 1, 300, 3] {
      try writer.write {
        try writer.insert(count + 1...count + size)
        // Written to the log already where it spills, and written once more.
        try writer.execute("UPDATE t SET c = c || 'x' WHERE a > \(count)")
      }
      count += size
      #expect(try reader.count() == Int64(count))
      #expect(try countAfterKill() == Int64(count))
    }
    // A page alone.
    try writer.execute("UPDATE t SET c = 'y' WHERE a = 1")
    #expect(try reader.rows("SELECT c FROM t WHERE a = 1") == [["y"]])
    #expect(try countAfterKill() == Int64(count))
  }

  @Test("is the same as one that SQLite writes by itself, to the byte")
  func same() throws {
    try writer.insert(1...10)
    try writer.close()
    try reader.close()
    // Salts are random (sqlite.org/walformat.html §2.1), so both go on with one log.
    let both = try [("b.sqlite", Connection.LogWriting.gathered), ("c.sqlite", .direct)].map {
      name, log in
      for end in ["", "-wal"] {
        try folder.put(folder.bytes("a.sqlite" + end), in: name + end)
      }
      let connection = try Connection(
        path: folder.file(name), access: .readWrite, log: log, busyTimeout: 0)
      try connection.set(.autocheckpoint, to: 0)
      try connection.execute("PRAGMA cache_size = 5")
      return connection
    }
    // Rows that stay in their pages: SQLite leaves what memory held behind the end of longer ones.
    let script = [
      "INSERT INTO t VALUES (1001, -1, 'a')",
      "BEGIN; DELETE FROM t WHERE a < 5; UPDATE t SET c = zeroblob(900); COMMIT",
      "BEGIN; UPDATE t SET c = 'b'; ROLLBACK; DELETE FROM t WHERE a = 6",
      """
      BEGIN; WITH RECURSIVE n(i) AS (SELECT 2000 UNION ALL SELECT i + 1 FROM n WHERE i < 2300)
      INSERT INTO t SELECT i, i, zeroblob(700) FROM n; UPDATE t SET c = zeroblob(710); COMMIT
      """,
      "CREATE INDEX i ON t (b, a)",
      "BEGIN; UPDATE t SET c = zeroblob(800); UPDATE t SET b = -b - 5; ROLLBACK; DELETE FROM t WHERE a = 7",
      "BEGIN; UPDATE t SET b = -b - 9000; UPDATE t SET c = zeroblob(20); UPDATE t SET b = 1 - b; COMMIT",
    ]
    for statements in script {
      for connection in both { try connection.execute(statements) }
      let logs = try ["b.sqlite-wal", "c.sqlite-wal"].map(folder.bytes)
      #expect(logs[0].count == logs[1].count && logs[0] == logs[1], "\(statements)")
    }
    for connection in both { try connection.checkpoint(.passive) }
    #expect(try folder.bytes("b.sqlite") == folder.bytes("c.sqlite"))
  }

  @Test("gives back what a transaction wrote to it before its commit, to nobody else")
  func spilled() throws {
    try spill()
    let before = try folder.bytes("a.sqlite-wal").count
    try writer.write {
      for first in stride(from: 1, to: 1000, by: 100) {
        try writer.insert(first...first + 99)
        #expect(try writer.count() == Int64(first + 99))
        #expect(try reader.count() == 0)
      }
      #expect(
        try writer.rows("SELECT sum(c = hex(zeroblob(500)) || a) FROM t WHERE b >= 0") == [[1000]])
    }
    #expect(try folder.bytes("a.sqlite-wal").count > before + 1_000_000)
    #expect(try reader.count() == 1000)
    #expect(try writer.integrityFaults() == [])
  }

  @Test("forgets what is rolled back, and what is left open at the end")
  func rolledBack() throws {
    try spill()
    try writer.insert(1...3)
    for size in [1, 20, 500] {
      try writer.begin(.write)
      try writer.insert(1001...1000 + size)
      #expect(try countAfterKill() == 3)
      try writer.rollBack()
      #expect(try writer.count() == 3)
    }
    try writer.insert(4...5)
    #expect(try reader.count() == 5)
    #expect(try countAfterKill() == 5)
    try writer.begin(.write)
    try writer.insert(2001...2500)
    try writer.close()
    #expect(try reader.count() == 5)
    #expect(try countAfterKill() == 5)
  }

  @Test("starts over once it was written back")
  func restarted() throws {
    let checkpoints: [() throws -> Void] = [
      { try writer.checkpoint(.passive) }, { try writer.checkpoint(.truncate) }, {},
    ]
    var sizes: [Int] = []
    for turn in 0..<12 {
      try writer.insert(turn * 50 + 1...turn * 50 + 50)
      #expect(try reader.count() == Int64(turn + 1) * 50)
      #expect(try countAfterKill() == Int64(turn + 1) * 50)
      sizes.append(try folder.bytes("a.sqlite-wal").count)
      try checkpoints[turn % 3]()
    }
    #expect(sizes.max() ?? 0 < 3 * sizes[0])
    #expect(try writer.integrityFaults() == [])
  }

  @Test("is refused on top of a VFS that is not there")
  func noBase() {
    #expect(cgathering_vfs_register("goals-test", "no such VFS", 1) == SQLITE_NOTFOUND)
    let error = #expect(throws: SQLiteError.self) {
      try Connection(
        path: folder.file("a.sqlite"), access: .readWrite, vfs: "goals-test", busyTimeout: 0)
    }
    #expect(error?.message == "no such vfs: goals-test")
  }
}

@Suite("A gathered log on a disk that fails")
struct FailingGatheredLogTests {
  let folder: TemporaryFolder
  let disk: FaultyDisk
  let writer: Connection
  let reader: Connection

  init() throws {
    folder = try TemporaryFolder()
    disk = try FaultyDisk()
    writer = try disk.connect(folder.file("a.sqlite"))
    try makeDatabase(writer)
    reader = try Connection(path: folder.file("a.sqlite"), access: .readOnly, busyTimeout: 0)
    try writer.insert(1...10)
  }

  @Test("takes a commit in one write, or as many as SQLite's own VFS needs, and one sync")
  func writes() throws {
    for (rows, pages) in [(1, 2...6), (20, 7...31), (150, 32...62)] {
      let (writes, syncs) = (disk.writes, disk.syncs)
      let before = try folder.bytes("a.sqlite-wal").count
      try writer.write {
        try writer.insert(rows * 1000...rows * 1001 - 1)
      }
      let frames = try (folder.bytes("a.sqlite-wal").count - before) / 4120
      #expect(pages.contains(frames))
      // 31 frames of 24 + 4096 bytes fit into 2^17 - 1.
      #expect(disk.writes - writes == (frames + 30) / 31)
      #expect(disk.syncs - syncs == 1)
    }
  }

  @Test(
    "keeps the commits before, says what failed, and takes the next one",
    arguments: FaultyDisk.faults, [1, 20, 100, 2000])
  func commit(_ fault: FaultyDisk.Fault, _ rows: Int) throws {
    // With 2000 rows, pages are written before the commit.
    try writer.execute("PRAGMA cache_size = 200")
    for _ in 0..<3 {
      disk.fail(fault)
      let error = #expect(throws: SQLiteError.self) {
        try writer.write { try writer.insert(1001...1000 + rows) }
      }
      #expect(error?.kind == fault.kind)
      #expect(!writer.isInTransaction)
      #expect(try reader.count() == 10)
      #expect(try writer.count() == 10)
      disk.fail(nil)
    }
    // One that is smaller than what was lost, and one that is larger.
    try writer.write { try writer.insert(11...11) }
    #expect(try reader.count() == 11)
    try writer.write { try writer.insert(12...3000) }
    #expect(try reader.count() == 3000)
    #expect(try writer.integrityFaults() == [])
    for end in ["", "-wal"] {
      try folder.put(folder.bytes("a.sqlite" + end), in: "k.sqlite" + end)
    }
    let copy = try Connection(path: folder.file("k.sqlite"), access: .readWrite, busyTimeout: 0)
    #expect(try copy.count() == 3000)
  }

  @Test(
    "neither commits nor shows what a transaction goes on with after the loss of what it wrote",
    arguments: [false, true])
  func lost(_ reads: Bool) throws {
    try writer.execute("PRAGMA cache_size = 10")
    try writer.begin(.write)
    try writer.insert(1001...1200)
    disk.fail(FaultyDisk.faults[0])
    // What it wrote has to be written out before it is read. SQLite rolls back the statement alone.
    let error = #expect(throws: SQLiteError.self) {
      try writer.execute("INSERT INTO t SELECT a + 5000, b + 2000000, c FROM t WHERE a > 1000")
    }
    #expect(error?.kind == .full)
    try #require(writer.isInTransaction, "SQLite rolled back all of it, so this shows nothing.")
    disk.fail(nil)
    // So that reading has nothing to write.
    try writer.execute("PRAGMA cache_size = 5000")
    let later = #expect(throws: SQLiteError.self) {
      if reads { try writer.rows("SELECT sum(length(c)) FROM t") } else { try writer.commit() }
    }
    #expect(later?.kind == .full)
    try writer.rollBack()
    #expect(try reader.count() == 10)
    #expect(try writer.count() == 10)
    try writer.write { try writer.insert(11...500) }
    #expect(try reader.count() == 500)
    #expect(try writer.integrityFaults() == [])
  }
}
