import ChangePropagation
import Foundation
import GoalsCore
import SQLite
import Testing
import TestSupport

@testable import GoalsStore

/// A store in SQLite of which a test reaches the connection that writes.
struct ExposedStore {
  let folder: TemporaryFolder
  let store: Store
  let events = Collected<StoreEvent>()
  private let database: OwnedDatabase
  private let environment: StoreEnvironment
  private let backing: SQLiteBacking

  init(in folder: TemporaryFolder) throws {
    self.folder = folder
    let events = events
    database = try OwnedDatabase.claim(path: folder.database, ifMissing: .create)
    backing = try SQLiteBacking(database, now: { 0 })
    environment = StoreEnvironment(
      now: { .at("2026-11-20T12:00:00Z") }, zone: testZone, track: { events.append($0) })
    // Nothing is kept in memory, so that every state has to come from the disk.
    store = Store(StoreEngine(backing, environment: environment, cacheLimit: 0))
  }

  /// Does something to the connection that writes, on its queue.
  func withWriter(_ body: (Connection) throws -> Void) throws {
    try store.updated.network.sync {
      let session = try #require(try backing.writersView() as? SQLiteSession)
      try body(session.connection)
    }
  }

  /// Closes the store, and opens another over the same file.
  func reopened() throws -> Store {
    store.destroy()
    return try Store.sqlite(database, environment: environment)
  }

  /// Has the connection that writes refuse to, as long as it is not opened again.
  func failWriting() throws {
    try withWriter { try $0.execute("PRAGMA query_only = 1") }
  }

  /// Once the writer has told them all: it answers first.
  var failures: [CommitFailure] {
    store.updated.network.sync {}
    return events.all.compactMap {
      if case .writer(.commitFailed(let failure, _)) = $0 { failure } else { nil }
    }
  }

  var reopenings: Int { events.all.count { $0 == .reopened } }

  /// A batch that takes more room than one of a few bumps.
  static func large(from first: UInt64) -> Batch {
    let note = Note.of(String(repeating: "x", count: 500))
    let edits = (0..<200).map { _ in Edit(.bump(.number(1), by: .one, note: note)) }
    return .of(all: edits, from: first)
  }
}

@Suite("A database file that fails the writer")
struct FileFailureTests {
  let exposed: ExposedStore
  var store: Store { exposed.store }

  init() async throws {
    exposed = try ExposedStore(in: TemporaryFolder())
    for account in UInt64(1)...2 { try await store.addAccountWithGoal(account) }
  }

  private func heads() throws -> [Int?] {
    try (UInt64(1)...2).map { account in
      let head = try store.log.page(.number(account), .none, 0)?.head.number
      #expect(try store.state(.number(account))?.state.version.number == head)
      return head
    }
  }

  @Test("because it may not grow is written no more, read on, and written again when it may")
  func full() async throws {
    try exposed.withWriter { connection in
      let pages = try connection.value(of: .pageCount)
      try connection.execute("PRAGMA max_page_count = \(pages)")
    }
    for _ in 0..<2 {
      #expect(await store.send(ExposedStore.large(from: 1000)).name == "unavailable")
      #expect(try heads() == [2, 2])
    }
    #expect(exposed.failures == [.full, .full])
    #expect(exposed.reopenings == 0)
    try exposed.withWriter { try $0.execute("PRAGMA max_page_count = 1000000") }
    #expect(await store.send(ExposedStore.large(from: 1000)).ruling?.recorded.count == 200)
    #expect(try heads() == [202, 2])
    #expect(try store.upkeep.verify() == [])
  }

  @Test("by an error of the disk is opened again, and written from the next change on")
  func disk() async throws {
    try exposed.failWriting()
    #expect(await store.send(.of(.bump, from: 3)).name == "unavailable")
    #expect(exposed.reopenings == 1)
    #expect(try heads() == [2, 2])
    #expect(await store.send(.of(.bump, from: 3)).statuses == [.applied(Version(3))])
    #expect(try heads() == [3, 2])
    // One that is put behind whatever the failed commit may have left in the log.
    #expect(try exposed.folder.rows("SELECT number, written_at FROM probe") == [[1, 0]])
    try exposed.failWriting()
    #expect(throws: StoreError.self) { try store.book.addAccount(.some(3)) }
    try store.book.addAccount(.some(3))
    let after = try exposed.reopened()
    #expect(try after.state(.number(1))?.state.version == Version(3))
    #expect(try after.upkeep.verify() == [])
  }

  /// What is found in the place of the file.
  enum Replacement: CaseIterable {
    case nothing, emptyFile, otherDatabase
  }

  @Test(
    "and is gone is looked for by every change, until it is there",
    arguments: Replacement.allCases)
  func gone(_ replacement: Replacement) async throws {
    let folder = exposed.folder
    let other = try TemporaryFolder()
    try TestStore(in: other).store.destroy()
    try exposed.failWriting()
    let away = folder.file("away")
    try FileManager.default.moveItem(atPath: folder.database, toPath: away)
    switch replacement {
    case .nothing: break
    case .emptyFile: try folder.put([], in: "goals.sqlite")
    case .otherDatabase:
      try FileManager.default.copyItem(atPath: other.database, toPath: folder.database)
    }
    let before = try folder.contents()
    for id in UInt64(3)...5 {
      #expect(await store.send(.of(.bump, from: id)).name == "unavailable")
      #expect(throws: StoreError.self) { try store.upkeep.probe() }
      #expect(throws: StoreError.self) { try store.book.addAccount(.some(id)) }
      // Those who read still have the file open.
      #expect(try heads() == [2, 2])
    }
    #expect(exposed.reopenings == 0)
    // Nothing was made of what is there, and the log beside it was left alone.
    let files = ["goals.sqlite", "goals.sqlite-wal", "away"]
    let after = try folder.contents()
    for file in files { #expect(after[file] == before[file], "\(file)") }
    if replacement != .nothing { try FileManager.default.removeItem(atPath: folder.database) }
    try FileManager.default.moveItem(atPath: away, toPath: folder.database)
    #expect(await store.send(.of(.bump, from: 3)).statuses == [.applied(Version(3))])
    #expect(try heads() == [3, 2])
    #expect(try store.upkeep.verify() == [])
  }
}

@Suite("A database file that was emptied")
struct EmptiedFileTests {
  @Test("does not take with it the log that lies beside it")
  func emptied() async throws {
    let exposed = try ExposedStore(in: TemporaryFolder())
    try await exposed.store.addAccountWithGoal()
    try exposed.failWriting()
    let before = try exposed.folder.contents()["goals.sqlite-wal"]
    #expect(before?.isEmpty == false)
    try exposed.folder.put([], in: "goals.sqlite")
    for id in UInt64(3)...4 {
      #expect(await exposed.store.send(.of(.bump, from: id)).name == "unavailable")
    }
    #expect(try exposed.folder.contents()["goals.sqlite-wal"] == before)
    #expect(try exposed.folder.contents()["goals.sqlite"]?.isEmpty == true)
  }
}

@Suite("A disk that is full")
struct FullDiskTests {
  /// A file system of 1 MB in memory.
  final class SmallDisk {
    let folder: TemporaryFolder
    private let isMounted: Bool

    init() throws {
      folder = try TemporaryFolder()
      isMounted = mount("tmpfs", folder.path, "tmpfs", 0, "size=1m") == 0
      try #require(isMounted, "A file system in memory can't be mounted here.")
    }

    deinit {
      if isMounted { umount2(folder.path, Int32(MNT_DETACH)) }
    }

    /// Whether this process may mount one: the system's owner may, outside of most containers.
    static let isPossible = geteuid() == 0 && (try? SmallDisk()) != nil
  }

  @Test(
    "refuses what does not fit, is read on, and takes it when there is room",
    .enabled(if: SmallDisk.isPossible, "needs the right to mount a file system"))
  func full() async throws {
    let disk = try SmallDisk()
    let exposed = try ExposedStore(in: disk.folder)
    let store = exposed.store
    try await store.addAccountWithGoal()
    try disk.folder.put([UInt8](repeating: 0, count: 300_000), in: "ballast")
    var recorded: [UInt64] = []
    var refused: UInt64?
    for first in stride(from: UInt64(1000), to: 100_000, by: 200) {
      let answer = await store.send(ExposedStore.large(from: first))
      if answer.name == "ruled" { recorded.append(first) } else { refused = first }
      if refused != nil { break }
    }
    let first = try #require(refused)
    let head = 2 + 200 * recorded.count
    #expect(exposed.failures == [.full])
    for _ in 0..<3 {
      #expect(await store.send(ExposedStore.large(from: first)).name == "unavailable")
      #expect(try store.state(.number(1))?.state.version.number == head)
      #expect(try store.log.page(.number(1), .none, 0)?.head.number == head)
    }
    try FileManager.default.removeItem(atPath: disk.folder.file("ballast"))
    #expect(await store.send(ExposedStore.large(from: first)).ruling?.recorded.count == 200)
    #expect(try store.state(.number(1))?.state.version.number == head + 200)
    #expect(try store.upkeep.verify() == [])
    let after = try exposed.reopened()
    #expect(try after.state(.number(1))?.state.version.number == head + 200)
    after.destroy()
  }
}
