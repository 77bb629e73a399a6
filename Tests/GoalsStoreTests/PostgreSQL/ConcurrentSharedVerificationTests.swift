import Dispatch
import GoalsCore
import PostgreSQL
import TestSupport
import Testing

@testable import GoalsStore
@testable import StoreTestSupport

@Suite(
  "A verification while servers write on PostgreSQL", .timeLimit(.minutes(10)),
  .enabled(if: Tier.isAll, "runs in make test-all"))
struct ConcurrentSharedVerificationTests {
  /// One server counts and takes back. Two others make accounts of their own, with what belongs to
  /// them, while each removes those of the other.
  @Test("gives no false alarm")
  func writing() async throws {
    let database = try PostgreSQLDatabase.fresh()
    let stores = try (0..<4).map { _ in try TestStore(in: database).store }
    for account in UInt64(1)...2 { try await stores[0].addAccountWithGoal(account) }
    // A chain of undo that moves with every edit, over a log of more than one stretch.
    _ = await stores[0].send(.of(all: [Edit](repeating: .bump, count: 1200), from: 10))
    let isOver = Flag()
    let written = Collected<Answer?>()
    let rounds = Collected<UInt64>()
    let (_, faults) = try await atOnce(
      {
        DispatchQueue.concurrentPerform(iterations: 3) { server in
          var id: UInt64 = 10_000
          while !isOver.isRaised {
            id += 1
            if server == 0 {
              let edit = id == 10_001 ? Edit.bump : Edit(.undo(.number(id - 1)))
              written.append(stores[0].sendAndWait(.of(edit, from: id)))
            } else {
              keepBook(stores[server], id)
              rounds.append(id)
            }
          }
        }
      },
      { () -> [String] in
        defer { isOver.raise() }
        var faults: [String] = []
        var rounds0 = 0
        while rounds0 < 20 || written.all.count < 50 || rounds.all.count < 50 {
          faults += try stores[3].upkeep.verify()
          rounds0 += 1
        }
        return faults
      },
    )
    #expect(faults == [])
    #expect(try stores[3].upkeep.verify() == [])
    #expect(written.all.allSatisfy { $0?.ruling?.recorded.count == 1 })
    for store in stores { store.destroy() }
  }

  /// What fails because the other was faster is nothing.
  private func keepBook(_ store: Store, _ id: UInt64) {
    let account = Account.ID.number(id)
    let secret = withUnsafeBytes(of: id) { Array($0) } + [UInt8](repeating: 0, count: 16)
    let own = secret + (0..<8).map { _ in UInt8.random(in: 0...255) }
    try? store.book.addAccount(.some(id))
    _ = store.sendAndWait(.of(.addGoal, .activate, .bump, from: 1), to: id)
    let token = TokenRecord(
      id: .number(UInt64.random(in: 1...(.max))), account: account, name: "", scope: .write,
      goal: nil, secret: own, createdAt: .at("2026-11-01T00:00:00Z"))
    _ = try? store.book.addToken(token, nil)
    let session = SessionRecord(
      secret: own, token: token.id, createdAt: token.createdAt, renewedAt: token.createdAt)
    _ = try? store.book.addSession(session)
    if id.isMultiple(of: 2) { _ = try? store.book.revokeToken(token.id, of: .number(1)) }
    _ = try? store.book.removeAccount(.number(id - 1))
  }

  @Test("finds nothing left behind, as who removes an account waits for who adds to it")
  func waiting() async throws {
    let database = try PostgreSQLDatabase.fresh()
    try await StoredAccounts.fill(TestStore(in: database))
    let writer = PostgreSQLWriter(database)
    defer { writer.close() }
    let start = Instant.at("2026-11-01T00:00:00Z")
    let additions: [(String, (PostgreSQLWriter) throws -> Void)] = [
      ("account", { try $0.add(TokenRecord.some(9, of: 1, secret: 9)) }),
      (
        "token",
        {
          try $0.admit(Authority(token: .number(1)))
          _ = try $0.add(
            SessionRecord(
              secret: [UInt8](repeating: 9, count: 32), token: .number(1), createdAt: start,
              renewedAt: start))
        }
      ),
    ]
    for (table, add) in additions {
      try writer.write { writer in
        try add(writer)
        let remover = try database.connect()
        defer { remover.close() }
        let error = #expect(throws: PostgreSQLError.self) {
          try remover.execute("SELECT FROM \(table) FOR UPDATE NOWAIT", within: .seconds(30))
        }
        #expect(error?.state == .lockNotAvailable)
        // Nobody's edits wait.
        try remover.execute("SELECT FROM account FOR NO KEY UPDATE NOWAIT", within: .seconds(30))
      }
    }
  }
}
