import Foundation
import GoalsCore
import Migrations
import SQLite
import Testing
import TestSupport

@testable import GoalsStore

@Suite("A restore")
struct RestorationTests {
  let home: TemporaryFolder
  let backup: String

  /// A database of two accounts, and a backup of it from before its last edits.
  init() async throws {
    home = try await StoredAccounts().folder
    backup = home.file("backup.sqlite")
    let test = try TestStore(in: home)
    _ = try test.store.upkeep.backUp(backup)
    let answer = await test.store.send(.of(.activate, .bump, from: 100))
    #expect(answer.statuses.count == 2)
    test.store.destroy()
  }

  private func restore(
    to database: String? = nil, migrations: [Migration] = Migration.all, isForced: Bool = true
  ) throws(BackupError) -> Restoration.Report {
    try Restoration.run(
      from: BackupSource(backup), to: database ?? home.database, now: .at("2026-11-21T14:00:00Z"),
      migrations: migrations, mayReplace: { _ in isForced })
  }

  private func count(_ table: String, in name: String = "goals.sqlite") throws -> Int64 {
    let connection = try Connection(path: home.file(name), access: .readOnly, busyTimeout: 0)
    guard
      case .integer(let count)? = try connection.rows("SELECT count(*) FROM \(table)").first?.first
    else { return -1 }
    return count
  }

  @Test("moves what was there aside, under the time of the restore")
  func aside() throws {
    let edits = try count("edit")
    let report = try restore()
    #expect(report.replaced == home.database + ".replaced-20261121T140000Z")
    #expect(report.accounts == 2)
    #expect(try count("edit") < edits)
    #expect(try count("edit", in: "goals.sqlite.replaced-20261121T140000Z") == edits)
    #expect(try TestStore(in: home).store.upkeep.verify() == [])
  }

  @Test("in the same second as another uses the next one's name")
  func again() throws {
    _ = try restore()
    #expect(try restore().replaced == home.database + ".replaced-20261121T140001Z")
  }

  @Test("brings a backup of an older version to this one, and leaves the file as it is")
  func older() throws {
    let before = try Data(contentsOf: URL(filePath: backup))
    let number = (Migration.all.last?.number ?? 0) + 1
    let later = Migration(number: number, name: "later", sql: "CREATE TABLE later (n INTEGER);")
    _ = try restore(migrations: Migration.all + [later])
    #expect(try count("later") == 0)
    #expect(try Data(contentsOf: URL(filePath: backup)) == before)
  }

  @Test("whose migration fails changes nothing")
  func badMigration() throws {
    let before = try home.contents()
    let bad = Migration(number: 999, name: "bad", sql: "INSERT INTO nowhere VALUES (1);")
    #expect(throws: BackupError.self) { try restore(migrations: Migration.all + [bad]) }
    #expect(try home.contents() == before)
  }

  @Test("keeps revoked what was revoked since, and names what is lost")
  func tokens() async throws {
    let now = try revokeAndAdd()
    let differences = try #require(try restore().differences)
    #expect(differences.revoked == 1)
    #expect(differences.lostTokens.map(\.id) == [.number(77)])
    #expect(differences.lostTokens.first?.account.id == .number(2))
    #expect(differences.lostAccounts == [])
    let after = try TestStore(in: home)
    let secret = { [UInt8](repeating: $0, count: 32) }
    #expect(try after.store.book.token(secret(1))?.revokedAt == now)
    let other = try #require(try after.store.book.token(secret(2)))
    #expect(other.revokedAt == nil)
    #expect(try after.store.book.token(secret(77)) == nil)
  }

  @Test("ends the sessions of the backup, which may have been ended since")
  func sessions() throws {
    let connection = try Connection(path: backup, access: .readWrite, busyTimeout: 0)
    try connection.rows("INSERT INTO session SELECT randomblob(32), id, 0, 0 FROM token LIMIT 1")
    try connection.close()
    _ = try restore()
    #expect(try count("session") == 0)
  }

  @Test("brings back no link of the backup, which may have been used since")
  func links() throws {
    let connection = try Connection(path: backup, access: .readWrite, busyTimeout: 0)
    try connection.rows(
      """
      INSERT INTO link (secret, account, name, scope, ends_at)
      VALUES (zeroblob(32), 1, 'phone', 'write', 9223372036854775807)
      """)
    try connection.close()
    _ = try restore()
    #expect(try count("link") == 0)
    let secret = [UInt8](repeating: 0, count: 32)
    #expect(try TestStore(in: home).store.book.link(secret) == nil)
  }

  @Test("keeps revoked what was revoked with its maker since")
  func family() throws {
    let now = try revokeFamily()
    #expect(try restore().differences?.revoked == 2)
    let book = try TestStore(in: home).store.book
    #expect(try book.tokens(.number(1)).map(\.revokedAt) == [now, now])
    #expect(try book.tokens(.number(1)).map(\.madeBy) == [nil, .number(1)])
  }

  @Test("revokes what a revoked token has made, also where the database knows nothing of it")
  func unknownChild() throws {
    let now = try revokeFamily()
    let connection = try Connection(path: home.database, access: .readWrite, busyTimeout: 0)
    try connection.rows("DELETE FROM token WHERE made_by IS NOT NULL")
    try connection.close()
    #expect(try restore().differences?.revoked == 2)
    let book = try TestStore(in: home).store.book
    #expect(try book.tokens(.number(1)).map(\.revokedAt) == [now, now])
  }

  /// Has token 1 make another, backs that up, and revokes both; answers when.
  private func revokeFamily() throws -> Instant {
    let test = try TestStore(in: home)
    _ = try test.store.book.addToken(.some(30, of: 1, secret: 30, madeBy: .number(1)), nil)
    try FileManager.default.removeItem(atPath: backup)
    _ = try test.store.upkeep.backUp(backup)
    #expect(try test.store.book.revokeToken(.number(1), of: .number(1)))
    test.store.destroy()
    return test.clock.now
  }

  /// Revokes token 1 and adds another; answers when. The lock ends with it.
  private func revokeAndAdd() throws -> Instant {
    let test = try TestStore(in: home)
    #expect(try test.store.book.revokeToken(.number(1), of: .number(1)))
    #expect(try test.store.book.addToken(.some(77, of: 2, secret: 77), nil))
    test.store.destroy()
    return test.clock.now
  }

  /// Has the database that will be replaced changed.
  private func change(
    _ folder: TemporaryFolder? = nil, _ body: (Store.Book) throws -> Void
  ) throws {
    let test = try TestStore(in: folder ?? home)
    try body(test.store.book)
    test.store.destroy()
  }

  @Test("keeps removed what was removed since, with all that belonged to it")
  func removal() async throws {
    try change { _ = try $0.removeAccount(.number(1)) }
    let report = try restore()
    #expect(report.accounts == 1)
    #expect(report.differences?.removed == [.init(id: .number(1), name: "Someone")])
    #expect(report.differences?.lostTokens == [])
    for (table, rows) in [("account", 1), ("token", 1), ("removed_account", 1)] as [(String, Int64)]
    {
      #expect(try count(table) == rows, "\(table)")
    }
    let after = try TestStore(in: home)
    #expect(try after.store.upkeep.verify() == [])
    #expect(try after.store.state(.number(1)) == nil)
    let answer = await after.store.send(.of(Edit(.add(.some(88))), from: 200), to: 2)
    #expect(answer.ruling?.recorded.count == 1)
  }

  @Test("over a database that never had the backup's accounts removes none of them")
  func foreign() throws {
    let other = try TemporaryFolder()
    try change(other) { book in
      try book.addAccount(.some(7))
      _ = try book.removeAccount(.number(7))
      try book.addAccount(.some(8, name: "Ben"))
    }
    let report = try restore(to: other.database)
    #expect(report.accounts == 2)
    #expect(report.differences?.removed == [])
    #expect(report.differences?.lostAccounts.map(\.name) == ["Ben"])
  }

  @Test("names the accounts and tokens that would be lost, and asks before it moves anything")
  func lost() throws {
    try change { book in
      try book.addAccount(.some(3, name: "Ana"))
      _ = try book.addToken(.some(30, of: 3, secret: 30), nil)
      _ = try book.addToken(.some(20, of: 2, secret: 20), nil)
    }
    let before = try home.contents()
    var told: Restoration.Differences??
    #expect(throws: BackupError.wouldReplace(try DatabaseFile(path: home.database).path)) {
      try Restoration.run(
        from: BackupSource(backup), to: home.database, now: .at("2026-11-21T14:00:00Z"),
        mayReplace: {
          told = $0
          return false
        })
    }
    #expect(try home.contents() == before)
    let differences = try #require(told ?? nil)
    let ana = Restoration.AccountName(id: .number(3), name: "Ana")
    #expect(differences.lostAccounts == [ana])
    #expect(Set(differences.lostTokens.map(\.id)) == [.number(20), .number(30)])
    #expect(differences.lostTokens.contains(.init(id: .number(30), name: "phone", account: ana)))
    #expect(try restore().differences == differences)
  }

  @Test("over a database that can't be read at the moment is refused")
  func unread() throws {
    let other = try Connection(path: home.database, access: .readWrite, busyTimeout: 0)
    try other.set(.lockingMode, to: "exclusive")
    try other.begin(.write)
    let before = try home.contents().keys
    let error = #expect(throws: BackupError.self) { try restore() }
    guard case .presentUnread = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try home.contents().keys == before)
  }

  @Test("over a log whose database is gone or empty moves the log aside", arguments: [true, false])
  func logAlone(isGone: Bool) throws {
    try home.put([1, 2, 3], in: "goals.sqlite-wal")
    try home.put([], in: "goals.sqlite")
    if isGone { unlink(home.database) }
    let report = try restore()
    #expect(report.differences == nil)
    #expect(try home.contents()["goals.sqlite.replaced-20261121T140000Z-wal"] == Data([1, 2, 3]))
  }

  // MARK: Cut off

  /// How far another process came with it.
  enum Reached: CaseIterable {
    case copied, committed, database, log, finished
  }

  @Test(
    "that was cut off is finished by whoever opens the database next, or never was",
    arguments: Reached.allCases)
  func cutOff(_ reached: Reached) throws {
    let file = try DatabaseFile(path: home.database)
    let (edits, kept) = (try count("edit"), try count("edit", in: "backup.sqlite"))
    #expect(kept < edits)
    // A log that is there goes with its database.
    try home.put([], in: "goals.sqlite-wal")
    let replacement = Replacement(file: file, stamp: "20261121T140000Z")
    try Files.copy(backup, to: replacement.unverified)
    let steps: [(from: String, to: String)] = [
      (replacement.unverified, replacement.committed), (file.path, replacement.aside),
      (file.log, replacement.aside + "-wal"), (replacement.committed, file.path),
    ]
    let taken = Reached.allCases.firstIndex(of: reached) ?? 0
    for step in steps.prefix(taken) { try Files.rename(step.from, to: step.to) }
    let owner = try OwnedDatabase.claim(path: home.database, ifMissing: .refuse)
    let connection = try owner.start(now: { 1 })
    try connection.close()
    if reached == .copied {
      #expect(try count("edit") == edits)
    } else {
      #expect(try count("edit") == kept)
      let names = try home.contents().keys
      #expect(names.contains("goals.sqlite.replaced-20261121T140000Z-wal"))
      #expect(try count("edit", in: "goals.sqlite.replaced-20261121T140000Z") == edits)
      #expect(!names.contains { $0.contains(".restoring-") })
    }
  }

  @Test("removes what one that was killed left unchecked")
  func unverified() throws {
    try home.put([1], in: "goals.sqlite.unverified-20261121T130000Z")
    try home.put([1], in: "goals.sqlite.unverified-20261121T130000Z-wal")
    _ = try restore()
    #expect(try !home.contents().keys.contains { $0.contains("unverified") })
  }
}
