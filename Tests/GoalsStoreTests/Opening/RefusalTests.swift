import Foundation
import Migrations
import SQLite
import Testing
import TestSupport

@testable import GoalsStore

@Suite("A file that is no database of this program")
struct RefusalTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Claims the database, expects a refusal, and that nothing in the folder was changed by it.
  private func refusal(
    _ migrations: [Migration] = .made, ifMissing: OwnedDatabase.Missing = .create
  ) throws -> OpeningError? {
    let before = try folder.contents()
    let error = #expect(throws: OpeningError.self) {
      try folder.claim(migrations, ifMissing: ifMissing)
    }
    #expect(try folder.contents() == before)
    return error
  }

  @Test(
    "is refused when it is no database at all",
    arguments: [[0], Array("SQLite format 3\0".utf8), [UInt8](repeating: 0, count: 8192)]
      as [[UInt8]])
  func notADatabase(_ bytes: [UInt8]) throws {
    try folder.put(bytes, in: "goals.sqlite")
    #expect(try refusal() == .notADatabase(folder.database))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["goals.sqlite"])
  }

  @Test(
    "is refused when its header is garbled", arguments: [0..<3, 16..<18, 18..<19, 19..<20, 20..<23])
  func garbledHeader(_ garbled: Range<Int>) throws {
    try folder.start()
    var bytes = Array(try Data(contentsOf: URL(filePath: folder.database)))
    for index in garbled { bytes[index] = 0xee }
    try folder.put(bytes, in: "goals.sqlite")
    #expect(try refusal() == .notADatabase(folder.database))
  }

  @Test("is refused when it was cut off or its schema is garbled")
  func damaged() throws {
    try folder.start()
    let bytes = Array(try Data(contentsOf: URL(filePath: folder.database)))
    var garbled = bytes
    for index in 100..<130 { garbled[index] = 0xff }
    for damaged in [Array(bytes[..<4096]), Array(bytes[..<6000]), garbled] {
      try folder.put(damaged, in: "goals.sqlite")
      let refusal = try refusal()
      guard case .damaged(folder.database, let error) = refusal else {
        Issue.record("not refused as damaged: \(String(describing: refusal))")
        continue
      }
      #expect(error.kind == .corrupt)
      let said = refusal?.description ?? ""
      #expect(said.contains("goals verify --database \(folder.database)"))
      #expect(said.contains("goals restore BACKUP --force --database \(folder.database)"))
    }
  }

  @Test("is refused when it is another application's", arguments: [0, 1, -1] as [Int64])
  func foreign(_ applicationID: Int64) throws {
    for mode in ["wal", "delete"] {
      let other = try Connection(path: folder.database, access: .create, busyTimeout: 0)
      try other.set(.journalMode, to: .text(mode))
      try other.set(.applicationID, to: .integer(applicationID))
      try other.execute("CREATE TABLE IF NOT EXISTS migration (number INTEGER)")
      try other.close()
      #expect(try refusal() == .foreign(folder.database, applicationID: applicationID))
    }
  }

  @Test("is refused when it is another application's, also by what is only in its log")
  func foreignInLog() throws {
    let other = try Connection(path: folder.database, access: .create, busyTimeout: 0)
    try other.set(.journalMode, to: "wal")
    try other.set(.noCheckpointOnClose, to: true)
    try other.execute("PRAGMA application_id = 7; CREATE TABLE t (a)")
    try other.close()
    let log = try Data(contentsOf: URL(filePath: folder.file("goals.sqlite-wal")))
    #expect(throws: OpeningError.foreign(folder.database, applicationID: 7)) { try folder.claim() }
    #expect(try Data(contentsOf: URL(filePath: folder.file("goals.sqlite-wal"))) == log)
  }

  @Test("is refused when it bears our mark without our record")
  func unrecorded() throws {
    let other = try Connection(path: folder.database, access: .create, busyTimeout: 0)
    try other.set(.applicationID, to: .integer(Migrator.applicationID))
    try other.close()
    #expect(
      try refusal() == .foreign(folder.database, applicationID: Migrator.applicationID))
  }

  @Test("is refused when a newer program wrote it")
  func newer() throws {
    try folder.start()
    let error = try refusal(.made(upTo: 2))
    #expect(error == .newer(folder.database, version: 3, known: 2))
    #expect(error?.description.contains("its schema is at version 3") == true)
  }

  @Test("is refused when it went through another migration of the same number")
  func changed() throws {
    try folder.start()
    var migrations = [Migration].made
    migrations[1] = Migration(number: 2, name: "two", sql: "INSERT INTO a VALUES (2); ")
    #expect(
      try refusal(migrations) == .changedMigration(folder.database, number: 2, name: "two"))
  }

  @Test("is refused when its record lacks a step")
  func gap() throws {
    try folder.start { connection throws in
      try connection.execute("DELETE FROM migration WHERE number = 2")
    }
    #expect(
      try refusal() == .changedMigration(folder.database, number: 3, name: "three"))
  }

  @Test("is not made where there is none and none was asked for")
  func missing() throws {
    #expect(try refusal(ifMissing: .refuse) == .noDatabase(folder.database))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test("is not made beside the log of one that is gone", arguments: [true, false])
  func logAlone(isEmptied: Bool) throws {
    let copy = try TemporaryFolder()
    try folder.start { connection throws in
      try connection.execute("INSERT INTO a VALUES (9)")
      let log = try #require(try folder.contents()["goals.sqlite-wal"])
      try copy.put(Array(log), in: "goals.sqlite-wal")
    }
    if isEmptied { try copy.put([], in: "goals.sqlite") }
    let before = try copy.contents()
    #expect(
      throws: OpeningError.logWithoutDatabase(copy.database, log: copy.database + "-wal")
    ) { try copy.claim() }
    #expect(try copy.contents() == before)
  }

  @Test("is refused when it is a folder, or a link that leads nowhere")
  func notAFile() throws {
    try FileManager.default.createDirectory(
      atPath: folder.database, withIntermediateDirectories: false)
    #expect(throws: OpeningError.notAFile(folder.database, found: "a folder")) {
      try folder.claim()
    }
    try FileManager.default.removeItem(atPath: folder.database)
    try FileManager.default.createSymbolicLink(
      atPath: folder.database, withDestinationPath: folder.file("elsewhere"))
    let error = #expect(throws: OpeningError.self) { try folder.claim() }
    #expect(error == .notAFile(folder.database, found: "a link that leads nowhere"))
    #expect(!FileManager.default.fileExists(atPath: folder.file("elsewhere")))
  }

  @Test("is refused when it has a second name")
  func hardLink() throws {
    try folder.start()
    try FileManager.default.linkItem(atPath: folder.database, toPath: folder.file("other"))
    #expect(try refusal() == .severalNames(folder.database))
  }

  @Test("is refused for a path without a file name", arguments: ["", "/", ".", "..", "a/", "a/.."])
  func noName(_ path: String) {
    let error = #expect(throws: OpeningError.self) {
      try OwnedDatabase.claim(path: path, ifMissing: .create)
    }
    #expect(error == .notAFile(path, found: "no file name"))
  }
}

@Suite("An empty file")
struct EmptyFileTests {
  @Test("is no database where none was to be made of it", arguments: [true, false])
  func refused(isRefused: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.put([], in: "goals.sqlite")
    #expect(throws: OpeningError.empty(folder.database)) {
      try folder.claim(ifMissing: isRefused ? .refuse : .createFile)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["goals.sqlite"])
  }

  @Test("is none either when SQLite wrote its header")
  func blank() throws {
    let folder = try TemporaryFolder()
    let blank = try Connection(path: folder.database, access: .create, busyTimeout: 0)
    try blank.execute("PRAGMA user_version = 1; PRAGMA user_version = 0")
    try blank.close()
    let before = try folder.contents()
    #expect(throws: OpeningError.empty(folder.database)) { try folder.claim(ifMissing: .refuse) }
    #expect(try folder.contents() == before)
    try folder.start()
  }

  @Test("is made where there is none, if that was asked for")
  func made() throws {
    let folder = try TemporaryFolder()
    let connection = try folder.claim(ifMissing: .createFile).start(now: { 1 })
    #expect(try connection.rows("SELECT n FROM a") == [[2], [3]])
    try connection.close()
  }

  @Test("becomes a database, whatever a cut-off first transaction left beside it")
  func empty() throws {
    let folder = try TemporaryFolder()
    try folder.put([], in: "goals.sqlite")
    try folder.put([1, 2, 3], in: "goals.sqlite-journal")
    try folder.start()
    #expect(try folder.contents().keys.sorted() == ["goals.sqlite"])
  }
}
