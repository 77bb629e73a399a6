import GoalsCore
import Migrations
import SQLite
import Testing
import TestSupport

@testable import GoalsStore

/// An import is written in portions, and nobody sees any of it before all of it is there.
@Suite("An import on its way") struct StagedImportTests {
  private let test: TestStore
  private let log: ImportedLog
  private let export: Export

  /// Some 2,400 edits. They are made once.
  private static let made = Task {
    let source = try TestStore(.memory)
    try await source.store.addAccountWithGoal()
    for first in stride(from: UInt64(1_000_000), to: 1_002_400, by: 800) {
      let edits = (0..<800).map { offset in
        offset.isMultiple(of: 2)
          ? Edit(.bump(.number(1), by: .one, note: .of("\(first + offset)")))
          : Edit(.undo(.number(first + offset - 1)))
      }
      _ = await source.store.send(.of(all: edits, from: first))
    }
    let export = try Export(in: source.store)
    return (export, try export.read.get())
  }

  /// The snapshot of the log in account 1, whose first token has its id, as one by sign-up has.
  private var signedUp: Snapshot {
    var snapshot = log.snapshot
    snapshot.isSignedUp = true
    return snapshot
  }

  /// Accounts 1, to which the log comes, with a token and a session; and 2.
  init() async throws {
    (export, log) = try await Self.made.value
    test = try TestStore(.sqlite)
    try test.store.book.addAccount(.some(1), .some(1, of: 1, secret: 1))
    _ = try test.store.book.addSession(.some)
    try test.store.book.addAccount(
      AccountRecord(
        id: .number(2), name: "Other", createdAt: test.clock.now, initialCalendar: .initial))
    _ = await test.store.send(.of(.addGoal, .activate, from: 1), to: 2)
  }

  private var rows: [[Value]] {
    get throws {
      try #require(test.folder).rows(
        """
        SELECT (SELECT count(*) FROM account), (SELECT count(*) FROM edit),
          (SELECT count(*) FROM edit_id), (SELECT count(*) FROM day), (SELECT count(*) FROM note),
          (SELECT count(*) FROM goal), (SELECT count(*) FROM undo_chain),
          (SELECT count(*) FROM snapshot)
        """)
    }
  }

  /// Takes so many portions of the log.
  private func begun(portions: Int) throws -> Import {
    let imported = test.store.beginImport(log, .number(1), Authority(token: .number(1)))
    for _ in 0..<portions { #expect(try imported.advance() == nil) }
    return imported
  }

  @Test("writes few rows in each transaction, and fewest in the one that counts")
  func portions() throws {
    let folder = try TemporaryFolder()
    let database = try OwnedDatabase.claim(path: folder.database, ifMissing: .create)
    let backing = try SQLiteBacking(database, now: { 1 })
    try backing.add(.some(1), with: .some(1, of: 1, secret: 1))
    let view = try #require(try backing.writersView() as? SQLiteSession)
    var staged = StagedLog(log)
    var count = 0
    while let portion = staged.next() {
      let before = view.connection.totalChanges
      try backing.write { data in try data.stage(portion, of: &staged) }
      #expect(view.connection.totalChanges - before <= Int64(StagedLog.rows) + 1)
      count += 1
    }
    #expect(count >= 3 * 2 + 2)
    let before = view.connection.totalChanges
    _ = try backing.write { data in try data.fill(.number(1), with: staged) }
    #expect(view.connection.totalChanges - before < 10)
    #expect(try view.faults() == [])
    backing.close()
  }

  @Test("writes few bytes in each transaction, but at least an edit")
  func bytes() async throws {
    let source = try TestStore(.memory)
    try await source.store.addAccountWithGoal()
    let long = Note.of(String(repeating: "n", count: 280))
    let edits = (0..<1000).map { _ in Edit(.bump(.number(1), by: .one, note: long)) }
    _ = await source.store.send(.of(all: edits, from: 10))
    var staged = StagedLog(try Export(in: source.store).read.get())
    var versions: [Int] = []
    while let portion = staged.next() {
      guard case .part(.rows(let rows)) = portion else { continue }
      #expect(rows.reduce(0) { $0 + $1.entry.payload.count } <= StagedLog.bytes)
      versions += rows.map(\.entry.version.number)
    }
    #expect(versions == Array(1...1002))
  }

  @Test("lets others' edits be committed, and is seen by nobody until it is whole")
  func unseen() async throws {
    let imported = try begun(portions: 0)
    let copy = try TemporaryFolder()
    var id: UInt64 = 3
    while try imported.advance() == nil {
      #expect(try test.store.upkeep.verify() == [])
      #expect(try test.store.book.accounts().map(\.id) == [.number(1), .number(2)])
      #expect(try test.store.book.count() == 2)
      #expect(try test.store.book.timeZones() == [.number(1): .utc, .number(2): .utc])
      #expect(try test.store.book.logBytes()[.number(1)] == 0)
      #expect(try test.store.book.logBytes().count == 2)
      #expect(try test.store.state(.number(1))?.state.version == Version.none)
      #expect(await test.store.send(.of(.bump, from: id), to: 2).name == "ruled")
      id += 1
      if id == 6 {
        #expect(try test.store.upkeep.backUp(copy.database).accounts == 2)
        #expect(try copy.rows("SELECT count(*), sum(staged) FROM account") == [[2, 0]])
        #expect(try copy.rows("SELECT count(*) FROM edit WHERE place >> 40 > 2") == [[0]])
      }
    }
    #expect(id > 10)
    try compare()
  }

  /// The account is as if nothing had been staged.
  private func compare() throws {
    try compare(test.store)
    try compare(test.reopened().store)
  }

  private func compare(_ store: Store) throws {
    #expect(try store.book.accounts().map(\.id) == [.number(1), .number(2)])
    #expect(try store.book.account(.number(1))?.name == "Someone")
    #expect(try store.book.tokens(.number(1)) == [.some(1, of: 1, secret: 1)])
    #expect(try store.book.session(SessionRecord.some.secret)?.1.account == .number(1))
    #expect(try store.upkeep.verify() == [])
    #expect(try Export(in: store) == export)
  }

  @Test(
    "leaves nothing behind after a crash but what the next start removes",
    arguments: [1, 4, 7, 9])
  func crash(portions: Int) throws {
    let before = try rows
    let imported = try begun(portions: portions)
    let after = try rows
    #expect(after != before)
    test.store.destroy()
    #expect(throws: StoreError.closed) { try imported.advance() }
    let folder = try #require(test.folder)
    #expect(try rows == after)
    let loose = LooseDatabase(path: folder.database, migrator: Migrator(migrations: Migration.all))
    #expect(try loose.verify(isAlone: true) == ([], 2))
    let next = try test.reopened()
    #expect(try rows == before)
    #expect(try next.store.adopt(log) == .adopted(signedUp))
    #expect(try Export(in: next.store) == export)
  }

  @Test("leaves nothing behind where nobody wants it any more", arguments: [1, 4, 7, 9])
  func dropped(portions: Int) throws {
    let before = try rows
    var imported: Import? = try begun(portions: portions)
    #expect(imported != nil)
    #expect(try rows != before)
    imported = nil
    while try rows != before { test.store.updated.network.settle() }
    #expect(try test.store.upkeep.verify() == [])
  }

  @Test("removes no account that is not hidden, whatever number it is told")
  func othersStay() throws {
    let folder = try TemporaryFolder()
    let backing = try SQLiteBacking(try folder.claim(Migration.all), now: { 1 })
    try backing.add(.some(1), with: .some(1, of: 1, secret: 1))
    var stray = StagedLog(log)
    stray.number = 1
    #expect(try backing.write { data in try data.discard(stray) })
    #expect(try backing.writersView().account(.number(1)) == .some(1))
  }

  @Test("that is over stays so, and so does its account")
  func over() throws {
    let imported = try begun(portions: 0)
    while try imported.advance() == nil {}
    #expect(try imported.advance() == .notEmpty)
    try compare()
  }

  @Test("that is over leaves the next one alone, which has its number")
  func next() async throws {
    try test.store.book.addAccount(.some(3))
    let late = try begun(portions: 4)
    _ = await test.store.send(.of(.addGoal, from: 1))
    #expect(try late.advance() == .notEmpty)
    let next = test.store.beginImport(log, .number(3), nil)
    for _ in 0..<4 { #expect(try next.advance() == nil) }
    let staged = try rows
    #expect(try late.advance() == .notEmpty)
    #expect(try rows == staged)
  }

  @Test("leaves nothing to be remembered of the number that it frees: ids count once")
  func freedNumber() async throws {
    // Nothing is recorded, but the writer has seen that the log of the last account is empty.
    try test.store.book.addAccount(.some(3))
    _ = await test.store.send(.of(.bad, from: 1), to: 3)
    #expect(try test.store.adopt(log, by: 3) == .adopted(log.snapshot))
    #expect(try test.store.book.removeAccount(.number(3)))
    // Its rows lie under a number that was the last account's.
    #expect(try test.store.adopt(log) == .adopted(signedUp))
    let again = Batch.of(.addGoal, .activate, from: 1)
    #expect(
      await test.store.send(again).statuses == [.duplicate(Version(1)), .duplicate(Version(2))])
    try compare()
  }

  @Test("ends where something was recorded in the account meanwhile, or it is gone, or its token")
  func overtaken() async throws {
    let before = try rows
    let revoked = try begun(portions: 4)
    #expect(try test.store.book.revokeToken(.number(1), of: .number(1)))
    #expect(throws: StoreError.refused) { try revoked.advance() }
    #expect(try rows == before)
    let (late, gone) = (
      test.store.beginImport(log, .number(1), nil), test.store.beginImport(log, .number(1), nil)
    )
    for imported in [late, gone] { for _ in 0..<5 { #expect(try imported.advance() == nil) } }
    _ = await test.store.send(.of(.addGoal, from: 1))
    #expect(try late.advance() == .notEmpty)
    #expect(try test.store.book.removeAccount(.number(1)))
    #expect(try gone.advance() == .unknownAccount)
    #expect(try test.folder?.rows("SELECT count(*) FROM account") == [[1]])
    #expect(try test.store.upkeep.verify() == [])
  }
}

extension SessionRecord {
  fileprivate static let some = SessionRecord(
    secret: [UInt8](repeating: 9, count: 32), token: .number(1),
    createdAt: .at("2026-11-20T12:00:00Z"), renewedAt: .at("2026-11-20T12:00:00Z"))
}
