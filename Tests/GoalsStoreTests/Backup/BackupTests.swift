import Foundation
import GoalsCore
import SQLite
import Testing
import TestSupport

@testable import GoalsStore

@Suite("A backup of a database in use")
struct BackupTests {
  @Test("is a database of its own, whole and sound, in a single file")
  func whole() async throws {
    let stored = try await StoredAccounts()
    let test = try TestStore(in: stored.folder)
    let copy = try TemporaryFolder()
    let report = try test.store.upkeep.backUp(copy.database)
    #expect(report.path == copy.database)
    #expect(report.accounts == 2)
    #expect(try copy.contents().mapValues(\.count) == ["goals.sqlite": Int(report.bytes)])
    #expect(try FileStatus.of(copy.database, following: false)?.permissions == 0o600)
    let restored = try TestStore(in: copy)
    #expect(try restored.store.upkeep.verify() == [])
    for account in UInt64(1)...2 {
      let (there, here) = (
        try restored.store.state(.number(account)), try test.store.state(.number(account))
      )
      #expect(there?.state == here?.state)
      #expect(there?.chain == here?.chain)
    }
  }

  @Test("has what is committed while it is made, and does not start over for it")
  func meanwhile() async throws {
    let folder = try TemporaryFolder()
    let database = try OwnedDatabase.claim(path: folder.database, ifMissing: .create)
    let backing = try SQLiteBacking(database, now: { 1 })
    try backing.add(.some(1), with: nil)
    let filler = String(repeating: "x", count: 100_000)
    for number in UInt64(2)...60 { try backing.add(.some(number, name: filler), with: nil) }
    let copy = folder.file("copy")
    try Files.make(copy)
    try backing.beginCopy(to: copy)
    #expect(throws: StoreError.other("another copy is being made")) {
      try backing.beginCopy(to: folder.file("other"))
    }
    var steps = 1
    while try !backing.continueCopy() {
      try backing.add(.some(UInt64(10_000 + steps), name: filler), with: nil)
      steps += 1
      try #require(steps < 100, "every commit starts it over")
    }
    #expect(steps > 3, "all was copied at once")
    let pages = try folder.rows("PRAGMA page_count")
    #expect(try folder.rows("SELECT count(*) FROM account") == [[.integer(Int64(59 + steps))]])
    backing.close()
    let loose = LooseDatabase(path: copy, migrator: database.migrator)
    try loose.settle()
    let (faults, accounts) = try loose.verify(isAlone: false)
    #expect(faults == [])
    #expect(accounts == 59 + steps)
    #expect(
      try DatabaseFile.size(of: copy) == pages.first?.first.flatMap(\.integer).map { $0 * 4096 })
  }

  @Test("ends where the connection that it is copied through is closed", arguments: [false, true])
  func closed(_ reopens: Bool) throws {
    let folder = try TemporaryFolder()
    let database = try OwnedDatabase.claim(path: folder.database, ifMissing: .create)
    let backing = try SQLiteBacking(database, now: { 1 })
    let copy = folder.file("copy")
    try Files.make(copy)
    try backing.beginCopy(to: copy)
    if reopens { try backing.reopen() } else { backing.close() }
    #expect(throws: StoreError.self) { try backing.continueCopy() }
    guard !reopens else { return }
    // The last connection could be closed for good: the log was written back.
    #expect(try DatabaseFile.size(of: folder.file("goals.sqlite-wal")) == nil)
  }

  @Test(
    "is refused where a file is, or where one of the database's may be",
    arguments: [
      "taken", "link", "goals.sqlite", "goals.sqlite-wal", "goals.sqlite-shm",
      "goals.sqlite-journal",
      "goals.sqlite.lock", "goals.sqlite.sock", "goals.sqlite.restoring-x",
      "goals.sqlite.unverified-x",
      "no/folder",
    ])
  func refused(_ name: String) throws {
    let folder = try TemporaryFolder()
    let test = try TestStore(in: folder)
    try folder.put([1, 2, 3], in: "taken")
    symlink("taken", folder.file("link"))
    let before = try folder.contents()
    #expect(throws: BackupError.self) { try test.store.upkeep.backUp(folder.file(name)) }
    #expect(try folder.contents() == before)
  }

  @Test("is none where the copy is not sound")
  func unsound() async throws {
    let stored = try await StoredAccounts()
    let test = try stored.tampered(by: "UPDATE day SET count = count + 1 WHERE account = 2")
    let copy = try TemporaryFolder()
    let error = #expect(throws: BackupError.self) { try test.store.upkeep.backUp(copy.database) }
    #expect(error?.description.hasPrefix("The copy is not sound: account ") == true)
    #expect(try copy.contents().isEmpty)
  }

  @Test("is refused by a store in memory, and by one that is closed")
  func unavailable() throws {
    let folder = try TemporaryFolder()
    let memory = try TestStore(.memory)
    #expect(throws: BackupError.self) { try memory.store.upkeep.backUp(folder.database) }
    let closed = try TestStore(.sqlite)
    closed.store.destroy()
    #expect(throws: BackupError.store(.closed)) {
      try closed.store.upkeep.backUp(folder.database)
    }
    #expect(try folder.contents().isEmpty)
  }
}

extension Value {
  fileprivate var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
}
