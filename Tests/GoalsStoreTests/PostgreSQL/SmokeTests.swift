import GoalsCore
import TestSupport
import Testing

@testable import GoalsStore

/// What the fast tier tries on a real PostgreSQL.
@Suite("A store on PostgreSQL", .timeLimit(.minutes(5))) struct SmokeTests {
  @Test("records a batch, and reads it back when it is opened again")
  func opened() async throws {
    let database = try PostgreSQLDatabase.fresh()
    let store = try TestStore(in: database).store
    try await store.addAccountWithGoal()
    let answer = await store.send(.of(.bump, .bump, from: 10))
    #expect(answer.statuses == [.applied(Version(3)), .applied(Version(4))])
    store.destroy()

    let again = try TestStore(in: database).store
    defer { again.destroy() }
    let published = try #require(try again.state(.number(1)))
    #expect(published.chain == answer.chain)
    #expect(published.state.roster.goal(.number(1))?.days.all.map(\.count) == [2])
    let page = try #require(try again.log.page(.number(1), .none, 10))
    #expect(page.entries.map(\.id) == [1, 2, 10, 11].map { .number($0) })
    #expect(await again.send(.of(.bump, from: 11)).statuses == [.duplicate(Version(4))])
    #expect(try again.upkeep.verify() == [])
  }

  @Test("is tried wherever a store in memory is", .enabled(if: Tier.isAll, "runs in make test-all"))
  func kinds() {
    #expect(StoreKind.ofTier.contains(.postgreSQL))
    #expect(StoreKind.ofTier.contains(.postgreSQLWithoutLocks))
    #expect(CopiedDatabase.Kind.ofTier.contains(.server))
  }
}
