import GoalsCore
import Migrations
import PostgreSQL
import TestSupport
import Testing

@testable import GoalsStore

@Suite(
  "A schema that a newer program has taken further",
  .enabled(if: Tier.isAll, "runs in make test-all"))
struct NewerSchemaTests {
  private let known = Int64(Migration.postgreSQL.count)

  /// A database as a program sees it that knows a step more.
  private func taken(
    _ old: PostgreSQLDatabase, by sql: String
  ) throws -> PostgreSQLDatabase {
    let step = Migration(number: known + 1, name: "made-up", sql: sql)
    let newer = try PostgreSQLDatabase(
      "\(old.url)", server: .number(2), steps: Migration.postgreSQL + [step])
    #expect(throws: PostgreSQLError.self) { try newer.check() }
    #expect(try newer.migrate(now: 0) == [step])
    #expect(try newer.migrate(now: 0) == [])
    return newer
  }

  @Test("serves older programs as well, where it only adds what they need not know")
  func adding() async throws {
    let old = try PostgreSQLDatabase.fresh()
    let newer = try taken(old, by: "-- accepts \(known)\nALTER TABLE account ADD COLUMN mood text")
    #expect(try old.check() == newer.check())
    #expect(try old.migrate(now: 0) == [])
    let stores = try [old, newer].map { try TestStore(in: $0).store }
    try await stores[0].addAccountWithGoal()
    for (place, store) in stores.enumerated() {
      let answer = try #require(store.sendAndWait(.of(.bump, from: UInt64(10 + place))))
      #expect(answer.statuses == [.applied(Version(3 + place))])
    }
    // What it does not know of it could neither check nor copy.
    for use in [SharedDatabase.Use.verify, .copy] {
      #expect(throws: PostgreSQLError.self) { try old.check(to: use) }
    }
    for store in stores { store.destroy() }
  }

  @Test("is refused by older programs where it does not say that they may go on")
  func takingAway() throws {
    let old = try PostgreSQLDatabase.fresh()
    _ = try taken(old, by: "ALTER TABLE account DROP COLUMN name")
    let error = #expect(throws: PostgreSQLError.self) { try old.check() }
    #expect(error?.kind == .refused)
    #expect(error?.message.contains("which is newer than \(known)") == true)
    #expect(throws: PostgreSQLError.self) { try old.migrate(now: 0) }
  }
}
