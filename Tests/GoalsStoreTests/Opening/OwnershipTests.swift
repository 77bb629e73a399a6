import Foundation
import SQLite
import Testing
import TestSupport

@testable import GoalsStore

@Suite("A database that is owned")
struct OwnershipTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private var inUse: OpeningError {
    .inUse(folder.database, lock: folder.database + ".lock")
  }

  @Test("is refused to a second owner, also in the same process, until the first is gone")
  func second() throws {
    do {
      let owner = try folder.claim()
      #expect(throws: inUse) { try folder.claim() }
      #expect(throws: inUse) { try folder.claim(ifMissing: .create) }
      _ = owner.file
    }
    _ = try folder.claim()
  }

  @Test("is refused through a link to it")
  func link() throws {
    try folder.start()
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link"), withDestinationPath: "goals.sqlite")
    let owner = try folder.claim()
    #expect(throws: inUse) {
      try OwnedDatabase.claim(path: folder.file("link"), ifMissing: .refuse)
    }
    _ = owner.file
  }

  @Test(
    "is refused while another process has it, and free when that is killed",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/flock")))
  func otherProcess() throws {
    let process = try LockingProcess(file: folder.database + ".lock")
    let error = #expect(throws: OpeningError.self) { try folder.claim() }
    #expect(error == inUse)
    #expect(error?.description.contains("is in use by another process") == true)
    #expect(try folder.contents().isEmpty)
    process.kill()
    _ = try folder.claim()
  }

  @Test(
    "is free when its owner is gone, also while a child that was just forked has its descriptors",
    .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd")))
  func copies() throws {
    let copies = try {
      let owner = try folder.claim()
      return try descriptors(of: owner.file.lock).map { dup($0) }
    }()
    #expect(copies.count == 1)
    defer { for copy in copies { close(copy) } }
    _ = try folder.claim()
  }

  /// Those of this process that are open on a file.
  private func descriptors(of file: String) throws -> [Int32] {
    let folder = "/proc/self/fd"
    let files = FileManager.default
    return try files.contentsOfDirectory(atPath: folder).compactMap { name in
      (try? files.destinationOfSymbolicLink(atPath: folder + "/" + name)) == file
        ? Int32(name) : nil
    }
  }

  @Test("is locked beside it, where SQLite's own locks are not touched")
  func besideOnly() throws {
    let connection = try folder.claim().start(now: { 1 })
    // Another program may still read, and is kept from nothing but writing at the same time.
    let other = try Connection(path: folder.database, access: .readOnly, busyTimeout: 0)
    #expect(try other.rows("SELECT count(*) FROM a") == [[2]])
    try connection.close()
  }

  @Test("can be read and written by its owner only")
  func mode() throws {
    let connection = try folder.claim().start(now: { 1 })
    for name in ["goals.sqlite", "goals.sqlite-wal", "goals.sqlite-shm", "goals.sqlite.lock"] {
      let status = try #require(try FileStatus.of(folder.file(name), following: false))
      #expect(status.permissions == 0o600, "\(name)")
    }
    try connection.close()
  }

  @Test("is left as it was by a claim that is not followed by a start")
  func claimOnly() throws {
    _ = try folder.claim()
    #expect(try folder.contents().isEmpty)
    try folder.start(.made(upTo: 1))
    let before = try folder.contents()
    _ = try folder.claim()
    #expect(try folder.contents() == before)
  }

  @Test("has one writer, which syncs every commit")
  func writer() throws {
    let connection = try folder.claim().start(now: { 1 })
    let settings: [(Pragma, Value)] = [
      (.journalMode, "wal"), (.synchronous, 2), (.foreignKeys, 1), (.pageSize, 4096),
      (.autocheckpoint, 6000), (.mmapSize, 0), (.trustedSchema, 0), (.queryOnly, 0),
    ]
    for (pragma, value) in settings {
      #expect(try connection.value(of: pragma) == value, "\(pragma.name)")
    }
    #expect(throws: SQLiteError.self) { try connection.rows("SELECT \"no column\"") }
    try connection.close()
  }

  @Test("has readers that neither write nor touch the log")
  func readers() throws {
    let database = try folder.claim()
    let writer = try database.start(now: { 1 })
    let reader = try database.openReader()
    #expect(try reader.rows("SELECT n FROM a") == [[2], [3]])
    #expect(throws: SQLiteError.self) { try reader.execute("DELETE FROM a") }
    #expect(try reader.value(of: .queryOnly) == 1)
    #expect(try reader.value(of: .autocheckpoint) == 0)
    #expect(try reader.value(of: .mmapSize) == 0)
    try writer.execute("INSERT INTO a VALUES (4)")
    try writer.set(.noCheckpointOnClose, to: true)
    try writer.close()
    try reader.close()
    #expect(try folder.contents()["goals.sqlite-wal"]?.isEmpty == false)
  }

  @Test("keeps the page size that it has")
  func pageSize() throws {
    let connection = try Connection(path: folder.database, access: .create, busyTimeout: 0)
    try connection.set(.pageSize, to: 8192)
    try Migrator(migrations: .made).migrate(connection) { 1 }
    try connection.close()
    try folder.start { connection throws in
      #expect(try connection.value(of: .pageSize) == 8192)
    }
  }
}

@Suite("A database that is opened again after a failure")
struct ReopeningTests {
  let folder: TemporaryFolder
  let database: OwnedDatabase

  init() throws {
    folder = try TemporaryFolder()
    database = try folder.claim()
    let connection = try database.start(now: { 1 })
    try connection.execute("INSERT INTO a VALUES (4)")
    try connection.close()
  }

  @Test("holds what was committed")
  func reopen() throws {
    let connection = try database.reopen()
    #expect(try connection.rows("SELECT n FROM a") == [[2], [3], [4]])
    #expect(try connection.value(of: .synchronous) == 2)
    #expect(try connection.value(of: .foreignKeys) == 1)
  }

  @Test("is refused when it is gone, and not replaced by an empty one")
  func gone() throws {
    try FileManager.default.removeItem(atPath: folder.database)
    #expect(throws: OpeningError.noDatabase(folder.database)) { try database.reopen() }
    #expect(throws: OpeningError.self) { try database.openReader() }
    #expect(try folder.contents().isEmpty)
  }

  @Test("is refused when it was emptied or set back")
  func emptied() throws {
    try folder.put([], in: "goals.sqlite")
    #expect(throws: OpeningError.replaced(folder.database)) { try database.reopen() }
    #expect(try folder.contents() == ["goals.sqlite": Data()])
  }
}

/// A process that holds a lock until it is killed.
private final class LockingProcess {
  private let output: UnsafeMutablePointer<FILE>
  private let identifier: pid_t
  private var isAlive = true

  /// Comes back once the lock is held.
  init(file: String) throws {
    // Every program replaces the one before: a child would keep the lock beyond the kill.
    let command = "exec flock --no-fork '\(file)' sh -c 'printf %10d $$; exec sleep 600'"
    output = try #require(popen(command, "r"))
    let told = try FileHandle(fileDescriptor: fileno(output), closeOnDealloc: false)
      .read(upToCount: 10)
    let number = String(decoding: told ?? Data(), as: UTF8.self)
    guard let identifier = pid_t(number.trimmingCharacters(in: .whitespaces)) else {
      pclose(output)
      throw CocoaError(.fileLocking, userInfo: ["told": number])
    }
    self.identifier = identifier
  }

  deinit { kill() }

  func kill() {
    guard isAlive else { return }
    isAlive = false
    Glibc.kill(identifier, SIGKILL)
    pclose(output)
  }
}
