import Foundation
import GoalsCore
import Testing
import TestSupport

@testable import GoalsStore

/// What somebody does to the files of a database while a server has it open.
enum Displacement: CaseIterable {
  case moved, replaced, linked, logRemoved, logReplaced, lockReplaced

  func happen(in folder: TemporaryFolder) throws {
    let (files, away) = (FileManager.default, folder.file("away"))
    switch self {
    case .moved: try files.moveItem(atPath: folder.database, toPath: away)
    case .replaced:
      try files.moveItem(atPath: folder.database, toPath: away)
      try files.copyItem(atPath: away, toPath: folder.database)
    case .linked: try files.linkItem(atPath: folder.database, toPath: away)
    case .logRemoved: try files.removeItem(atPath: folder.database + "-wal")
    case .logReplaced:
      try files.moveItem(atPath: folder.database + "-wal", toPath: away)
      try folder.put([], in: "goals.sqlite-wal")
    case .lockReplaced:
      try files.removeItem(atPath: folder.database + ".lock")
      try folder.put([], in: "goals.sqlite.lock")
    }
  }

  var error: (DatabaseFile) -> OpeningError {
    switch self {
    case .moved: { .noDatabase($0.path) }
    case .replaced: { .replaced($0.path) }
    case .linked: { .severalNames($0.path) }
    case .logRemoved, .logReplaced: { .replacedBeside($0.path, file: $0.log) }
    case .lockReplaced: { .replacedBeside($0.path, file: $0.lock) }
    }
  }
}

@Suite("A database whose files are moved while it is open")
struct DisplacedFileTests {
  let exposed: ExposedStore
  var store: Store { exposed.store }
  var folder: TemporaryFolder { exposed.folder }

  init() async throws {
    exposed = try ExposedStore(in: TemporaryFolder())
    try await store.addAccountWithGoal()
  }

  @Test("acknowledges nothing more, is not ready, and is read on", arguments: Displacement.allCases)
  func displaced(_ displacement: Displacement) async throws {
    let file = try DatabaseFile(path: folder.database)
    #expect(await store.send(.of(.bump, from: 3)).statuses == [.applied(Version(3))])
    #expect(store.upkeep.lastWrite()?.isDurable == true)
    try displacement.happen(in: folder)
    #expect(store.upkeep.lastWrite() == nil)
    let error = StoreError.inputOutput(displacement.error(file).description)
    for id in UInt64(4)...5 {
      #expect(await store.send(.of(.bump, from: id)).name == "unavailable")
      #expect(throws: error) { try store.upkeep.probe() }
      #expect(throws: error) { try store.book.addAccount(.some(id)) }
      #expect(store.upkeep.lastWrite()?.isDurable == false)
    }
    #expect(try store.state(.number(1))?.state.version == Version(3))
    #expect(exposed.failures == [.storage])
    #expect(exposed.events.all.contains(.unrecorded(requests: 1, error)))
  }

  @Test("writes the log that was removed into the file, and takes nothing that lies there")
  func log() async throws {
    try Displacement.logRemoved.happen(in: folder)
    try folder.put([1], in: "goals.sqlite-wal")
    #expect(await store.send(.of(.bump, from: 3)).name == "unavailable")
    // As if the server were killed: only the file is left.
    let other = try TemporaryFolder()
    try FileManager.default.copyItem(atPath: folder.database, toPath: other.database)
    let after = try TestStore(in: other).store
    #expect(try after.state(.number(1))?.state.version == Version(2))
    #expect(try after.upkeep.verify() == [])
    store.destroy()
    #expect(try folder.contents()["goals.sqlite-wal"] == Data([1]))
  }

  @Test("goes on where the lock was removed, and nobody else takes it")
  func lock() async throws {
    try FileManager.default.removeItem(atPath: folder.database + ".lock")
    #expect(await store.send(.of(.bump, from: 3)).statuses == [.applied(Version(3))])
    let error = #expect(throws: OpeningError.self) {
      try OwnedDatabase.claim(path: folder.database, ifMissing: .refuse)
    }
    guard case .inUse = error else { return #expect(Bool(false), "\(error as Any)") }
  }

  @Test("stops where the lock was removed and another process took it")
  func lockTaken() async throws {
    try FileManager.default.removeItem(atPath: folder.database + ".lock")
    let other = try OwnedDatabase.claim(path: folder.database, ifMissing: .refuse)
    #expect(await store.send(.of(.bump, from: 3)).name == "unavailable")
    withExtendedLifetime(other) {}
  }
}
