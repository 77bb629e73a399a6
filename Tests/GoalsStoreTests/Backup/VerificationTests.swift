import Foundation
import GoalsCore
import Migrations
import SQLite
import Testing
import TestSupport

@testable import GoalsStore

@Suite("The verification of a file that nobody has open")
struct VerificationTests {
  let home: TemporaryFolder
  let scratch: TemporaryFolder

  /// A database of two accounts.
  init() async throws {
    home = try await StoredAccounts().folder
    scratch = try TemporaryFolder()
  }

  private func verify(
    _ name: String = "goals.sqlite", migrations: [Migration] = Migration.all
  ) throws(BackupError) -> Verification {
    try Verification.run(
      of: home.file(name), scratch: ScratchFolder(in: [scratch.file("none"), scratch.path]),
      now: .at("2026-11-21T14:00:00Z"), migrations: migrations)
  }

  /// Every name and every byte of both folders.
  private func everything() throws -> [String: Data] {
    var found: [String: Data] = [:]
    for folder in [home, scratch] {
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
        found[folder.file(name)] = try Data(contentsOf: URL(filePath: folder.file(name)))
      }
    }
    return found
  }

  /// What verifying throws. It leaves everything as it was.
  private func failure(of name: String = "goals.sqlite") throws -> BackupError? {
    let before = try everything()
    let error = #expect(throws: BackupError.self) { try verify(name) }
    #expect(try everything() == before)
    return error
  }

  @Test("leaves it as it is, and nothing behind, also where its folder can't be written")
  func leavesNothing() throws {
    let before = try everything()
    chmod(home.path, 0o500)
    #expect(try verify() == Verification(faults: [], accounts: 2))
    chmod(home.path, 0o700)
    #expect(try everything() == before)
  }

  @Test("looks at one of an older version as this program would migrate it, and does not")
  func older() throws {
    let before = try everything()
    let later = Migration(
      number: 999, name: "later", sql: "CREATE TABLE later (n); INSERT INTO later VALUES (1);")
    #expect(try verify(migrations: Migration.all + [later]).faults.isEmpty)
    #expect(try everything() == before)
  }

  @Test("finds what is wrong, as often as it is asked")
  func faults() throws {
    try home.tamper("UPDATE day SET count = count + 1 WHERE account = 2")
    let before = try everything()
    for _ in 1...2 {
      let found = try verify()
      #expect(found.accounts == 0)
      #expect(found.faults.count == 1)
      #expect(found.faults.first?.contains("\(Account.ID.number(2))") == true)
    }
    #expect(try everything() == before)
  }

  /// It is neither an account nor an import, so nothing else reads it.
  @Test("finds a row that its table's CHECK constraints forbid, also in a backup and in a server")
  func checks() async throws {
    try home.tamper("UPDATE account SET staged = 2 WHERE number = 2")
    let said = "CHECK constraint failed in account"
    #expect(try verify().faults == [said])
    let test = try TestStore(in: home)
    #expect(try test.store.upkeep.verify() == [said])
    let error = #expect(throws: BackupError.self) {
      try test.store.upkeep.backUp(home.file("backup.sqlite"))
    }
    #expect(error == .unsound("The copy", fault: said))
  }

  @Test(
    "tells first of the storage, then of each account, also while a server is at work",
    arguments: [true, false])
  func order(isAlone: Bool) throws {
    try home.tamper(
      """
      UPDATE day SET count = count + 1;
      INSERT INTO undo_chain (account, root, latest, undone) VALUES (9, 1, 2, 1);
      """)
    let database = LooseDatabase(path: home.database, migrator: Migrator(migrations: Migration.all))
    let (faults, accounts) = try database.verify(isAlone: isAlone)
    #expect(accounts == 0)
    let expected = ["points at no account", "\(Account.ID.number(1))", "\(Account.ID.number(2))"]
    #expect(faults.count == expected.count)
    for (fault, part) in zip(faults, expected) { #expect(fault.contains(part)) }
  }

  @Test("finds damage that keeps SQLite from opening it")
  func damaged() throws {
    var bytes = Array(try Data(contentsOf: URL(filePath: home.database)))
    for index in 100..<130 { bytes[index] = 0xff }
    try home.put(bytes, in: "goals.sqlite")
    #expect(try verify().faults.count == 1)
  }

  @Test("sees what is only in the log beside it")
  func log() throws {
    let connection = try Connection(path: home.database, access: .readWrite, busyTimeout: 0)
    try connection.set(.journalMode, to: "wal")
    try connection.set(.noCheckpointOnClose, to: true)
    try connection.execute("UPDATE day SET count = count + 1 WHERE account = 2")
    try connection.close()
    let before = try everything()
    #expect(before[home.database + "-wal"]?.isEmpty == false)
    #expect(try verify().faults.count == 1)
    #expect(try everything() == before)
  }

  @Test("is refused for what is no database of this program")
  func refused() throws {
    try home.put([], in: "empty")
    try home.put(Array("Dear Ann".utf8), in: "letter")
    let blank = try Connection(path: home.file("blank"), access: .create, busyTimeout: 0)
    try blank.execute("PRAGMA user_version = 1; PRAGMA user_version = 0")
    try blank.close()
    let foreign = try Connection(path: home.file("foreign"), access: .create, busyTimeout: 0)
    try foreign.execute("CREATE TABLE a (n)")
    try foreign.close()
    #expect(try failure(of: "empty") == .opening(.empty(home.file("empty"))))
    #expect(try failure(of: "letter") == .opening(.notADatabase(home.file("letter"))))
    #expect(try failure(of: "blank") == .opening(.empty(home.file("blank"))))
    #expect(
      try failure(of: "foreign") == .opening(.foreign(home.file("foreign"), applicationID: 0)))
    #expect(try failure(of: "nothing") == .opening(.noDatabase(home.file("nothing"))))
  }

  @Test("is refused for one of a newer program")
  func newer() throws {
    let known = Array(Migration.all.dropLast())
    #expect(
      throws: BackupError.opening(
        .newer(
          home.database, version: Int64(Migration.all.count), known: Int64(known.count)))
    ) { try verify(migrations: known) }
  }

  @Test("is refused while a process has it open")
  func inUse() throws {
    let owner = try OwnedDatabase.claim(path: home.database, ifMissing: .refuse)
    #expect(try failure() == .opening(.inUse(owner.file.path, lock: owner.file.lock)))
    withExtendedLifetime(owner) {}
    #expect(try scratch.contents().isEmpty)
  }

  @Test("is refused where a restore was cut off that the next start will finish")
  func unfinishedRestore() throws {
    let replacement = home.database + ".restoring-20261121T140000Z"
    try home.put([1], in: "goals.sqlite.restoring-20261121T140000Z")
    let refusal = BackupError.unfinishedRestore(home.database, replacement: replacement)
    #expect(try failure() == refusal)
    try FileManager.default.removeItem(atPath: home.database)
    #expect(try failure() == refusal)
  }

  @Test("is refused where there is no room for a copy")
  func noScratch() throws {
    let error = #expect(throws: BackupError.self) {
      try Verification.run(
        of: home.database, scratch: ScratchFolder(in: [scratch.file("none")]),
        now: .at("2026-11-21T14:00:00Z"))
    }
    #expect(error?.description.contains("make a folder in \(scratch.file("none"))") == true)
  }

  @Test(
    "is refused for what is no file, and for one beside which that is: nothing of it is waited for",
    arguments: ["", "-wal", "-journal", ".lock"], [false, true])
  func irregular(suffix: String, isFolder: Bool) throws {
    let path = home.database + suffix
    try? FileManager.default.removeItem(atPath: path)
    // A pipe is open only once somebody writes it.
    #expect((isFolder ? mkdir(path, 0o700) : mkfifo(path, 0o600)) == 0)
    #expect(throws: BackupError.opening(.notAFile(path, found: "no file"))) { try verify() }
    #expect(try scratch.contents().isEmpty)
  }
}

@Suite("A folder for a moment") struct ScratchFolderTests {
  private let parent: TemporaryFolder

  init() throws { parent = try TemporaryFolder() }

  @Test("goes with what is in it, at once, and none is made after it")
  func removed() throws {
    let scratch = ScratchFolder(in: [parent.path])
    let path = try scratch.make()
    try parent.put([1], in: String(path.dropFirst(parent.path.count + 1)) + "/goals.sqlite")
    scratch.remove { #expect((try? parent.contents().isEmpty) == true) }
    #expect(throws: OpeningError.self) { try scratch.make() }
    scratch.remove()
    #expect(try parent.contents().isEmpty)
  }

  @Test("that a killed process left goes with the next one, and nothing else does")
  func swept() throws {
    let other = ScratchFolder(in: [parent.path])
    let used = try other.make()
    for name in ["goals-verify-killed", "else"] {
      #expect(mkdir("\(parent.path)/\(name)", 0o700) == 0)
      try parent.put([1], in: "\(name)/goals.sqlite")
    }
    let link = parent.path + "/goals-verify-link"
    #expect(symlink("else", link) == 0)
    let scratch = ScratchFolder(in: [parent.path])
    let made = try scratch.make()
    let kept = [used, made, link, parent.path + "/else"].map { URL(filePath: $0).lastPathComponent }
    let names = try FileManager.default.contentsOfDirectory(atPath: parent.path)
    #expect(Set(names) == Set(kept))
    #expect(FileManager.default.fileExists(atPath: parent.path + "/else/goals.sqlite"))
    scratch.remove()
    other.remove()
  }

  @Test("goes also while files are made in it")
  func busy() throws {
    let scratch = ScratchFolder(in: [parent.path])
    let path = try scratch.make()
    let isGone = Flag()
    let maker = Thread {
      var number = 0
      while (try? Data([1]).write(to: URL(filePath: "\(path)/\(number)"))) != nil { number += 1 }
      isGone.raise()
    }
    maker.start()
    while (try? FileManager.default.contentsOfDirectory(atPath: path).isEmpty) == true {}
    scratch.remove()
    while !isGone.isRaised {}
    #expect(try parent.contents().isEmpty)
  }
}
