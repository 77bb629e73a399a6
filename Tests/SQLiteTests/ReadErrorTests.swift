import Glibc
import Testing
import TestSupport

@testable import SQLite

@Suite("A device that does not read") struct ReadErrorTests {
  @Test(
    "is no damaged file: the error is of reading, and names the device's own",
    arguments: [true, false], ["delete", "wal"] as [Value])
  func read(gathering: Bool, journal: Value) throws {
    let folder = try TemporaryFolder()
    let disk = try FaultyDisk(gathering: gathering)
    let connection = try disk.connect(folder.file("a.sqlite"))
    try connection.set(.journalMode, to: journal)
    try connection.execute("CREATE TABLE t (a); INSERT INTO t VALUES (hex(zeroblob(50000)))")
    // So that nothing is answered from memory.
    try connection.execute("PRAGMA cache_size = 0; PRAGMA shrink_memory")
    let select = try connection.prepare("SELECT length(a) FROM t")
    disk.failReading(true)
    let error = #expect(throws: SQLiteError.self) { try select.first { _ in } }
    #expect(error?.kind == .inputOutput)
    #expect(error?.extendedCode == 266, "SQLITE_IOERR_READ")
    #expect(error?.systemError == EIO)
    #expect(throws: SQLiteError.self) { try connection.integrityFaults() }
    disk.failReading(false)
    #expect(try connection.rows("SELECT length(a) FROM t") == [[.integer(100_000)]])
  }

  @Test("is a damaged file to SQLite alone, which is why its answer is looked at")
  func control() throws {
    let folder = try TemporaryFolder()
    let disk = try FaultyDisk()
    let connection = try disk.connect(folder.file("a.sqlite"), alone: true)
    disk.failReading(true)
    let error = #expect(throws: SQLiteError.self) { try connection.execute("CREATE TABLE t (a)") }
    #expect(error?.kind == .corrupt)
  }
}
