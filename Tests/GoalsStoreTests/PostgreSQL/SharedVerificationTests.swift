import GoalsCore
import PostgreSQL
import TestSupport
import Testing

@testable import GoalsStore
@testable import StoreTestSupport

@Suite(
  "A database on PostgreSQL", .timeLimit(.minutes(10)),
  .enabled(if: Tier.isAll, "runs in make test-all"))
struct SharedVerificationTests {
  /// One with two accounts in which there is something of everything.
  private func filled(_ form: Round.Form? = nil) async throws -> PostgreSQLDatabase {
    let database = try PostgreSQLDatabase.fresh(form)
    try await StoredAccounts.fill(TestStore(in: database))
    let book = try TestStore(in: database).store.book
    let start = Instant.at("2026-11-20T12:00:00Z")
    for secret in UInt8(1)...2 {
      _ = try book.addSession(
        SessionRecord(
          secret: [UInt8](repeating: secret, count: 32), token: .number(UInt64(secret)),
          createdAt: start, renewedAt: start))
    }
    return database
  }

  private func verify(_ database: PostgreSQLDatabase, after sql: String) throws -> [String] {
    let connection = try database.connect()
    try connection.execute(sql, within: .seconds(60))
    connection.close()
    let store = try TestStore(in: database).store
    defer { store.destroy() }
    return try store.upkeep.verify()
  }

  private static let first = "00000000-0000-0000-0000-000000000001"
  private static let stranger = "00000000-0000-0000-0000-000000000063"
  private static let whichIsNot = "has rows of account \(stranger), which is not there"

  @Test("that is sound is said to be so, as the migrations made it and with all that is kept in it")
  func sound() async throws {
    #expect(try verify(.fresh(), after: "") == [])
    let database = try await filled()
    #expect(try verify(database, after: "") == [])
    let sessions = try verify(database, after: "UPDATE session SET renewed_at = renewed_at + 1")
    #expect(sessions == [])
  }

  @Test("has the schema that is kept beside its migrations")
  func schema() throws {
    let session = PostgreSQLSession(try .fresh())
    defer { session.close() }
    #expect(try Set(SchemaPart.found(by: session)) == Set(SchemaPart.made))
    #expect(SchemaPart.tables.count == 12)
  }

  @Test("is the same to whatever else is in it, and after an operator's ANALYZE")
  func others() async throws {
    let faults = try verify(
      await filled(),
      after: """
        ANALYZE; CREATE TABLE other (account uuid); CREATE INDEX other_account ON other (account)
        """)
    #expect(faults == [])
  }

  @Test(
    "finds rows of no account in each table, and sessions of no token", arguments: strangers,
    Round.Form.allCases)
  func findsStrangers(_ damage: Tampering, _ form: Round.Form) async throws {
    #expect(try verify(await filled(form), after: damage.sql) == [damage.said])
  }

  static let strangers: [Tampering] =
    [
      ("edit", "version, id, format, payload, inverse, chain"),
      ("undo_chain", "root, latest, undone"),
      ("snapshot", "time_zone, week_start, day_start, list"),
      ("goal", "slot, id, title, colour, unit, timelines"),
      ("day", "slot, day, count, excused"), ("note", "slot, version, day, text"),
    ].map { table, columns in
      .init(
        """
        INSERT INTO \(table) (account, \(columns)) SELECT '\(stranger)', \(columns) FROM \(table)
        WHERE account = '\(first)'
        """, "the table \(table) \(whichIsNot)")
    } + [
      .init(
        """
        INSERT INTO token (secret, id, account, name, scope, created_at)
        VALUES (sha256('a'), '\(stranger)', '\(stranger)', 'Eve', 'write', 0)
        """, "the table token \(whichIsNot)"),
      .init(
        """
        INSERT INTO link (secret, account, name, scope, ends_at)
        VALUES (sha256('a'), '\(stranger)', 'Eve', 'write', 0)
        """, "the table link \(whichIsNot)"),
      .init(
        "INSERT INTO session VALUES (sha256('a'), sha256('b'), 0, 0)",
        "the session that began at 1970-01-01T00:00:00.000Z is of no token"),
      .init(
        "UPDATE session SET token = sha256('b') WHERE token = decode(repeat('01', 32), 'hex')",
        "the session that began at 2026-11-20T12:00:00.000Z is of no token"),
      .init(
        "UPDATE session SET renewed_at = 0 WHERE token = decode(repeat('01', 32), 'hex')",
        """
        account \(first): the session that began at 2026-11-20T12:00:00.000Z was renewed before that
        """),
    ]

  @Test("names the account whose rows are not as they were made", arguments: changes)
  func namesAccount(_ damage: Tampering) async throws {
    let faults = try verify(await filled(), after: damage.sql)
    #expect(faults.count == 1)
    #expect(faults.first?.hasPrefix("account \(Self.first): \(damage.said)") == true)
  }

  private static let altered = "it or its tokens are not as they were made"
  static let changes: [Tampering] =
    [
      "UPDATE account SET name = 'Eve' WHERE id = '\(first)'",
      "UPDATE account SET seal = sha256('a') WHERE id = '\(first)'",
      "UPDATE token SET scope = 'read' WHERE account = '\(first)'",
      "UPDATE token SET expires_at = 1 WHERE account = '\(first)'",
      "UPDATE token SET made_by = id WHERE account = '\(first)'",
      "UPDATE token SET secret = sha256('a') WHERE account = '\(first)'; DELETE FROM session",
      "DELETE FROM token WHERE account = '\(first)'; DELETE FROM session",
      """
      INSERT INTO token SELECT sha256('a'), gen_random_uuid(), account, name, scope, goal, 0 FROM token
      WHERE account = '\(first)'
      """,
    ].map { .init($0, altered) } + [
      .init(
        "UPDATE account SET zone_chosen = false WHERE id = '\(first)'",
        "its log names another time zone, and it is not said that one was chosen"),
      .init(
        "UPDATE account SET day_start = 1 WHERE id = '\(first)'",
        "at version 1 the chain does not fit what is recorded"),
      .init(
        "UPDATE account SET time_zone = '' WHERE id = '\(first)'", "its calendar can't be read"),
      .init(
        "UPDATE account SET log_bytes = 1 WHERE id = '\(first)'",
        "it is not said that the log takes "),
      .init(
        "UPDATE account SET snapshot_format = 9 WHERE id = '\(first)'",
        "its snapshot is of a format that this program does not know"),
      .init(
        "DELETE FROM snapshot WHERE account = '\(first)'", "its snapshot is missing"),
      .init(
        "DELETE FROM undo_chain WHERE account = '\(first)'",
        "the chains of undo are not those of the log"),
      .init(
        "DELETE FROM edit WHERE account = '\(first)' AND version = 18",
        "the log's end is not where the account says"),
      .init(
        "DELETE FROM edit WHERE account = '\(first)' AND version = 3",
        "version 3 is missing from the log"),
      .init(
        "UPDATE edit SET id = gen_random_uuid() WHERE account = '\(first)' AND version = 3",
        "at version 3 the edit's id or version is not that of its row"),
      .init(
        "UPDATE day SET count = count + 1 WHERE account = '\(first)'",
        "goal 00000000-0000-0000-0000-000000000001 is not as the log tells it"),
      .init(
        "UPDATE day SET slot = slot + 9 WHERE account = '\(first)'",
        "a day of no goal can't be read"),
      .init(
        "DELETE FROM note WHERE account = '\(first)'",
        "goal 00000000-0000-0000-0000-000000000001 is not as the log tells it"),
    ]

  @Test("names both accounts between which a token was moved, and a revoked token with a session")
  func tokens() async throws {
    let accounts = [1, 2].map {
      "account 00000000-0000-0000-0000-00000000000\($0): \(Self.altered)"
    }
    let database = try await filled()
    let moved = "UPDATE token SET account = '00000000-0000-0000-0000-000000000002'"
    #expect(try verify(database, after: moved) == accounts)
    let revoked = try verify(await filled(), after: "UPDATE token SET revoked_at = 1")
    #expect(revoked.count == 4 && revoked.suffix(2) == accounts)
    #expect(
      revoked[0] == """
        account \(Self.first): the session that began at 2026-11-20T12:00:00.000Z is of token \
        \(Self.first), which is revoked
        """)
  }

  @Test("is told of what was added to its schema", arguments: added)
  func findsAdded(_ damage: Tampering) async throws {
    #expect(
      try verify(await filled(), after: damage.sql)
        == ["the schema has the \(damage.said), which no migration made"])
  }

  static let added: [Tampering] = [
    .init("CREATE INDEX fast ON edit (id)", "index fast"),
    .init(
      "ALTER TABLE day ADD UNIQUE (account, slot, day)",
      "constraint day_account_slot_day_key of day"),
    .init("ALTER TABLE day ADD CONSTRAINT few CHECK (count < 9000)", "constraint few of day"),
    .init("ALTER TABLE day ADD COLUMN spy text", "column day.spy"),
    .init("CREATE RULE quiet AS ON DELETE TO day DO INSTEAD NOTHING", "rule quiet of day"),
    .init("CREATE POLICY mine ON day USING (true)", "policy mine of day"),
    .init("CREATE TABLE more () INHERITS (day)", "table more that inherits from day"),
    .init(
      """
      CREATE FUNCTION spy() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
      CREATE TRIGGER spy BEFORE INSERT ON edit FOR EACH ROW EXECUTE FUNCTION spy()
      """, "trigger spy of edit"),
    .init(
      "CREATE TABLE mine (token uuid CONSTRAINT held REFERENCES token (id))",
      "constraint held of mine"),
  ]

  @Test("is told of what its schema has lost, or has otherwise", arguments: lost)
  func findsLost(_ damage: Tampering) async throws {
    #expect(try verify(await filled(), after: damage.sql) == ["the schema\(damage.said)"])
  }

  static let lost: [Tampering] = [
    .init(
      "DROP INDEX token_id",
      " has lost the index token_id: CREATE UNIQUE INDEX token_id ON token USING btree (id)"),
    .init(
      "ALTER TABLE edit DROP CONSTRAINT edit_pkey",
      " has lost the constraint edit_pkey of edit: PRIMARY KEY (account, version)"),
    .init(
      "ALTER TABLE edit DROP CONSTRAINT edit_account_id_key",
      " has lost the constraint edit_account_id_key of edit: UNIQUE (account, id)"),
    .init(
      "ALTER TABLE day DROP CONSTRAINT day_count_check",
      " has lost the constraint day_count_check of day: CHECK (count >= 0)"),
    .init("DROP TABLE day", " has lost the table day"),
    .init("DROP TABLE account", " has lost the table account"),
    .init("ALTER TABLE note DROP COLUMN text", " has lost the column note.text: bytea NOT NULL"),
    .init(
      "ALTER TABLE note ALTER COLUMN text DROP NOT NULL",
      "'s column note.text is not as the migrations made it: bytea NOT NULL; it is: bytea"),
    .init(
      "ALTER TABLE day SET UNLOGGED",
      """
      's table day is not as the migrations made it: a table, logged; it is: a table, not logged
      """),
    .init(
      """
      DROP INDEX token_account; CREATE INDEX token_account ON token (account)
      """,
      """
      's index token_account is not as the migrations made it: CREATE INDEX token_account ON token \
      USING btree (account, created_at); it is: CREATE INDEX token_account ON token USING btree \
      (account)
      """),
  ]
}
