import GoalsCore
import PostgreSQLTestSupport
import TestSupport
import Testing

@testable import GoalsStore

@Suite("A hint", .timeLimit(.minutes(5)), .enabled(if: Tier.isAll, "runs in make test-all"))
struct HintTests {
  @Test("tells other stores of the log, and nobody else, in which account something was recorded")
  func tells() async throws {
    let database = try PostgreSQLDatabase.fresh()
    let second = try PostgreSQLDatabase(database.url.description, server: .number(2))
    let (one, other) = (Hints(database), Hints(second))
    let (heardByOne, heardByOther) = (Collected<Account.ID>(), Collected<Account.ID>())
    one.listen { $0.forEach(heardByOne.append) }
    other.listen { $0.forEach(heardByOther.append) }
    // Of no other test: they share the channel.
    let (mine, others) = (Account.ID(high: 4711, low: 1), Account.ID(high: 4711, low: 2))
    // Whoever is not listening yet hears nothing.
    await until {
      one.tell(of: [mine])
      return heardByOther.all.contains(mine)
    }
    await until {
      other.tell(of: [others])
      return heardByOne.all.contains(others)
    }
    #expect(!heardByOne.all.contains(mine))
    #expect(!heardByOther.all.contains(others))
    one.close()
    other.close()
  }
}
