import Foundation
import Testing
import TestSupport

@testable import SQLite

@Suite("A connection")
struct ConnectionTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func connect(_ access: Connection.Access) throws -> Connection {
    try Connection(path: folder.file("a.sqlite"), access: access, busyTimeout: 0)
  }

  @Test("makes a file only when it was asked to")
  func creates() throws {
    for access in [Connection.Access.readOnly, .readWrite] {
      let error = #expect(throws: SQLiteError.self) { try connect(access) }
      #expect(error?.kind == .cannotOpen)
      #expect(error?.systemError == ENOENT)
    }
    try connect(.create).execute("CREATE TABLE t (a)")
    #expect(try connect(.readOnly).rows("SELECT name FROM sqlite_schema") == [["t"]])
  }

  @Test("that reads refuses to write")
  func readOnly() throws {
    try connect(.create).execute("CREATE TABLE t (a)")
    for connection in [try connect(.readOnly), try connect(.readWrite)] {
      try connection.set(.queryOnly, to: 1)
      let error = #expect(throws: SQLiteError.self) {
        try connection.execute("INSERT INTO t VALUES (1)")
      }
      #expect(error?.kind == .readOnly)
    }
  }

  @Test("is not made for a name that SQLite would read otherwise", arguments: ["", "a\u{0}b"])
  func names(_ name: String) {
    #expect(throws: SQLiteError.self) {
      try Connection(path: name, access: .create, busyTimeout: 0)
    }
  }

  @Test("takes a name that looks like a URI for a name")
  func uri() {
    // As a URI it would be a database in memory, which opens.
    let error = #expect(throws: SQLiteError.self) {
      try Connection(path: "file:a?mode=memory", access: .readWrite, busyTimeout: 0)
    }
    #expect(error?.kind == .cannotOpen)
  }

  @Test(
    "tells a file that is no database from a damaged one",
    arguments: [
      (at: 0, SQLiteError.Kind.notADatabase), (at: 100, .corrupt), (at: 4096, .corrupt),
    ])
  func garbled(at offset: Int, kind: SQLiteError.Kind) throws {
    let connection = try connect(.create)
    try connection.execute("CREATE TABLE t (a); INSERT INTO t VALUES (zeroblob(9000))")
    try connection.close()
    var bytes = try folder.bytes("a.sqlite")
    for index in offset..<offset + 20 { bytes[index] = 0xff }
    try folder.put(bytes, in: "a.sqlite")
    let error = #expect(throws: SQLiteError.self) {
      try connect(.readWrite).rows("SELECT sum(length(a)) FROM t WHERE a <> 'x'")
    }
    #expect(error?.kind == kind)
  }

  @Test("tells a file that was cut off")
  func truncated() throws {
    let connection = try connect(.create)
    try connection.execute("CREATE TABLE t (a); INSERT INTO t VALUES (zeroblob(9000))")
    try connection.close()
    let bytes = try folder.bytes("a.sqlite")
    for length in stride(from: 4096, to: bytes.count, by: 4096) {
      try folder.put(Array(bytes[..<length]), in: "a.sqlite")
      let error = #expect(throws: SQLiteError.self) {
        try connect(.readWrite).rows("SELECT 1 FROM t")
      }
      #expect(error?.kind == .corrupt)
    }
  }
}

@Suite("A setting")
struct SettingTests {
  let connection: Connection

  init() throws {
    connection = try Connection(path: ":memory:", access: .create, busyTimeout: 0)
  }

  @Test("that takes is read back")
  func taken() throws {
    try connection.set(.foreignKeys, to: 1)
    try connection.set(.pageSize, to: 8192)
    try connection.set(.synchronous, to: 2)
    #expect(try connection.value(of: .pageSize) == 8192)
  }

  @Test(
    "that does not take is refused",
    arguments: [
      (.pageSize, 1000), (.journalMode, "wal"), (.journalMode, "no such mode"),
      (Pragma(name: "no_such_pragma"), 1), (.foreignKeys, 2),
    ] as [(Pragma, Value)])
  func notTaken(_ pragma: Pragma, _ value: Value) throws {
    let error = #expect(throws: SQLiteError.self) { try connection.set(pragma, to: value) }
    #expect(error?.kind == .notTaken || error?.primaryCode == 1)
  }

  @Test("says what it is when it should be another")
  func sentence() throws {
    let error = #expect(throws: SQLiteError.self) {
      try connection.set(.journalMode, to: "wal")
    }
    #expect(error?.message == "journal_mode is memory, not wal")
    #expect(error?.doing == "PRAGMA journal_mode = wal")
  }

  @Test(
    "that is a switch turns both ways",
    arguments: [
      Switch.defensive, .noCheckpointOnClose, .trustedSchema, .doubleQuotedStrings,
      .doubleQuotedStringsInSchema, .loadExtension,
    ])
  func switches(_ option: Switch) throws {
    try connection.set(option, to: true)
    try connection.set(option, to: false)
  }

  @Test("that is defensive keeps SQL from writing the schema")
  func defensive() throws {
    try connection.execute("CREATE TABLE t (a)")
    try connection.set(.defensive, to: true)
    #expect(throws: SQLiteError.self) {
      try connection.execute("PRAGMA writable_schema = 1; DELETE FROM sqlite_schema")
    }
  }
}
