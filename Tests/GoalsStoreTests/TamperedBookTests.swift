import GoalsCore
import Migrations
import SQLite
import Testing

@testable import GoalsStore

@Suite("A book of accounts and tokens that was tampered with") struct TamperedBookTests {
  private static let other = "x'00000000000000000000000000000002'"
  static let changes: [Tampering] =
    [
      "UPDATE account SET id = zeroblob(16) WHERE number = 1",
      "UPDATE account SET name = 'Eve' WHERE number = 1",
      "UPDATE account SET created_at = created_at + 1 WHERE number = 1",
      "UPDATE account SET seal = zeroblob(32) WHERE number = 1",
      "UPDATE token SET id = zeroblob(16) WHERE account = 1",
      "UPDATE token SET scope = 'read' WHERE account = 1",
      "UPDATE token SET goal = \(other) WHERE account = 1",
      "UPDATE token SET expires_at = 1 WHERE account = 1",
      "UPDATE token SET created_at = created_at + 1 WHERE account = 1",
      "UPDATE token SET revoked_at = 1 WHERE account = 1",
      "UPDATE token SET made_by = \(other) WHERE account = 1",
      "UPDATE token SET secret = zeroblob(32) WHERE account = 1",
      "UPDATE token SET name = '' WHERE account = 1",
      "DELETE FROM token WHERE account = 1",
      """
      INSERT INTO token SELECT zeroblob(16), account, name, scope, goal, zeroblob(32), created_at, last_used_at,
        expires_at, revoked_at, made_by FROM token WHERE account = 1
      """,
    ].map { Tampering($0, "it or its tokens are not as they were made") } + [
      // As if it were an import that was cut off, which the next start removes.
      .init(
        "UPDATE account SET staged = 1 WHERE number = 1", "CHECK constraint failed in account"),
      .init("UPDATE probe SET number = 7", "CHECK constraint failed in probe"),
    ]
  private static let said = [1, 2].map { number in
    "account 00000000-0000-0000-0000-00000000000\(number): it or its tokens are not as they were made"
  }

  @Test("is told of the account", arguments: changes)
  func changed(_ tampering: Tampering) async throws {
    let test = try await StoredAccounts().tampered(by: tampering.sql)
    let faults = try test.store.upkeep.verify()
    #expect(faults.count == 1 && faults[0].contains(tampering.said), "\(faults)")
  }

  @Test(
    "is told that a token has another maker than it had, or none",
    arguments: ["NULL", "id", other])
  func maker(_ maker: String) async throws {
    let stored = try await StoredAccounts()
    let store = try TestStore(in: stored.folder).store
    #expect(try store.book.addToken(.some(50, of: 1, secret: 50, madeBy: .number(1)), nil))
    store.destroy()
    let test = try stored.tampered(
      by: "UPDATE token SET made_by = \(maker) WHERE made_by IS NOT NULL")
    #expect(try test.store.upkeep.verify() == [Self.said[0]])
  }

  @Test("is told of both accounts between which a token was moved")
  func moved() async throws {
    let test = try await StoredAccounts().tampered(
      by: "UPDATE token SET account = 2 WHERE account = 1")
    #expect(try test.store.upkeep.verify() == Self.said)
  }

  @Test("is told of it also after tokens were made and revoked since")
  func later() async throws {
    let test = try await StoredAccounts().tampered(
      by: "UPDATE token SET expires_at = 1 WHERE account = 1")
    _ = try test.store.book.addToken(.some(50, of: 1, secret: 50), nil)
    for token in [UInt64(1), 50] {
      #expect(try test.store.book.revokeToken(.number(token), of: .number(1)))
    }
    #expect(try test.store.upkeep.verify() == [Self.said[0]])
  }

  @Test("is told of an account that looks like an import to the letter, which no start removes")
  func hidden() async throws {
    let stored = try await StoredAccounts()
    let store = try TestStore(in: stored.folder).store
    try store.book.addAccount(.some(3), .some(60, of: 3, secret: 60))
    store.destroy()
    var test = try stored.tampered(
      by: "UPDATE account SET staged = 1, name = '', created_at = 0 WHERE number = 3"
    )
    let said = ["account number 3 is hidden, and is no import"]
    #expect(try test.store.upkeep.verify() == said)
    test = try test.reopened()
    #expect(try test.store.upkeep.verify() == said)
  }

  @Test("is sound after all that this program does to it")
  func sound() async throws {
    let test = try TestStore(in: await StoredAccounts().folder)
    let book = test.store.book
    #expect(try book.addToken(.some(50, of: 1, secret: 50), nil))
    #expect(try book.addToken(.some(51, of: 1, secret: 51, madeBy: .number(50)), nil))
    #expect(try book.revokeToken(.number(50), of: .number(1)))
    #expect(try book.revokeToken(.number(50), of: .number(1)) == false)
    #expect(try book.revokeToken(.number(51), of: .number(2)) == false)
    #expect(try book.addToken(.some(52, of: 1, secret: 52), nil))
    #expect(try book.addToken(.some(53, of: 1, secret: 53, madeBy: .number(52)), nil))
    try book.recordUses([.number(53): test.clock.now])
    try book.addAccount(.some(3), .some(60, of: 3, secret: 60))
    #expect(try book.removeAccount(.number(2)))
    #expect(try test.store.upkeep.verify() == [])
    #expect(try test.reopened().store.upkeep.verify() == [])
  }

  static let schemas: [Tampering] = [
    .init("DROP INDEX token_account", "the schema has lost the index token_account"),
    .init("DROP TRIGGER account_log", "the schema has lost the trigger account_log"),
    .init(
      "CREATE TRIGGER t AFTER INSERT ON edit BEGIN SELECT 1; END",
      "the schema has the trigger t, which no migration made"),
    .init(
      "CREATE INDEX i ON edit (id)", "the schema has the index i, which no migration made"),
    .init("CREATE TABLE t (a)", "the schema has the table t, which no migration made"),
    .init(
      """
      DROP TRIGGER account_log;
      CREATE TRIGGER account_log AFTER DELETE ON account BEGIN SELECT 1; END
      """, "the schema's trigger account_log is not as the migrations made it"),
  ]

  @Test("is sound after an operator's ANALYZE")
  func analyzed() async throws {
    let stored = try await StoredAccounts()
    let connection = try Connection(
      path: stored.folder.database, access: .readWrite, busyTimeout: 0)
    try connection.execute("ANALYZE")
    try connection.close()
    #expect(try TestStore(in: stored.folder).store.upkeep.verify() == [])
  }

  @Test("is told of what was done to its schema", arguments: schemas)
  func schema(_ tampering: Tampering) async throws {
    let stored = try await StoredAccounts()
    let connection = try Connection(
      path: stored.folder.database, access: .readWrite, busyTimeout: 0)
    try connection.execute(tampering.sql)
    try connection.close()
    let test = try TestStore(in: stored.folder)
    #expect(try test.store.upkeep.verify() == [tampering.said])
    test.store.destroy()
    let loose = LooseDatabase(
      path: stored.folder.database, migrator: Migrator(migrations: Migration.all))
    #expect(try loose.verify(isAlone: true).faults == [tampering.said])
  }
}
