import GoalsCore
import PostgreSQL
import TestSupport
import Testing

@testable import GoalsStore

@Suite(
  "Rounds of several stores on PostgreSQL", .timeLimit(.minutes(10)),
  .enabled(if: Tier.isAll, "runs in make test-all"))
struct ContendedRoundTests {
  @Test("of the same accounts lose and double nothing", arguments: Round.Form.allCases)
  func contended(_ form: Round.Form) async throws {
    let database = try PostgreSQLDatabase.fresh(form)
    let tests = try (0..<3).map { _ in try TestStore(in: database) }
    let stores = tests.map(\.store)
    for account in UInt64(1)...3 { try await stores[0].addAccountWithGoal(account) }
    let answers = try await onThreads(12) { thread in
      (0..<40).compactMap { place -> (account: UInt64, answer: Answer)? in
        // Each id comes to two stores, and each store has edits of all accounts at once.
        let id = UInt64(100 + 40 * (thread / 2) + place)
        return stores[(thread + place) % 3].sendAndWait(.of(.bump, from: id), to: id % 3 + 1)
          .map { (id % 3 + 1, $0) }
      }
    }
    for account in UInt64(1)...3 {
      let own = answers.flatMap { $0.filter { $0.account == account }.map(\.answer) }
      try stores[1].expectWhole(.number(account), own)
      #expect(try stores[2].state(.number(account))?.state.version == Version(2 + 80))
    }
    #expect(try stores[0].upkeep.verify() == [])
    let overtaken = tests.flatMap(\.commits).contains {
      if case .overtaken = $0 { true } else { false }
    }
    #expect(overtaken)
    for store in stores { store.destroy() }
  }

  /// The other one has the second account, and comes for the first, which the round has by then.
  @Test("go on after they and another had waited for each other", arguments: Round.Form.allCases)
  func deadlock(_ form: Round.Form) async throws {
    var database = try PostgreSQLDatabase.fresh(form)
    // It has to be seen waiting.
    database.roundsPatience = 60_000
    let store = try TestStore(in: database).store
    for account in UInt64(1)...2 { try await store.addAccountWithGoal(account) }
    let (other, watch) = (try database.holder(), try database.connect())
    try other.execute(
      "SET deadlock_timeout = '20s'; BEGIN", within: .seconds(30))
    let hold = "UPDATE account SET name = name WHERE id = lpad"
    try other.execute("\(hold)('2', 32, '0')::uuid", within: .seconds(30))
    let answers = Collected<Answer>()
    store.updated.network.sync {
      for account in UInt64(1)...2 {
        let sent = Store.SentBatch(account: .number(account), batch: .of(.bump, from: 10))
        store.submit(sent) { answers.append($0) }
      }
    }
    let waits = Query(
      "waits",
      "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE \(other.serverProcess) = ANY (pg_blocking_pids(pid)))"
    )
    try await until { try watch.run(waits, within: .seconds(30)).first?.bool(at: 0) == true }
    do throws(PostgreSQLError) {
      try other.execute("\(hold)('1', 32, '0')::uuid; COMMIT", within: .seconds(30))
    } catch {
      // A session looks for a circle once. On a busy machine the round looked before it was closed,
      // and this one gives way.
      #expect(error.state == .deadlockDetected)
      try other.execute("ROLLBACK", within: .seconds(30))
    }
    await until { answers.all.count >= 2 }
    // A round that waited for too long is decided again, and may find itself recorded.
    let right: [[Outcome.Status]] = [[.applied(Version(3))], [.duplicate(Version(3))]]
    for answer in answers.all { #expect(right.contains(answer.statuses)) }
    #expect(try store.upkeep.verify() == [])
    store.destroy()
  }

  @Test("leave nothing unknown where the connection is lost before a transaction is committed")
  func lostBeforeCommit() throws {
    let writer = PostgreSQLWriter(try PostgreSQLDatabase.fresh(.locking))
    let end = Query("end", "SELECT pg_terminate_backend(pg_backend_pid())")
    var tries = 0
    try writer.write { _ in }
    try writer.write { transaction in
      tries += 1
      if tries == 1 { _ = try transaction.rows(end) }
    }
    #expect(tries == 2)
    writer.close()
  }

  @Test("say nothing of the disk where somebody holds the row of a token")
  func heldToken() async throws {
    let database = try PostgreSQLDatabase.fresh(.locking)
    let store = try TestStore(in: database).store
    try await store.addAccountWithGoal()
    let token = TokenRecord.some(7, of: 1, secret: 7)
    #expect(try store.book.addToken(token, nil))
    let other = try database.holder()
    try other.execute("BEGIN; SELECT FROM token FOR UPDATE", within: .seconds(30))
    do throws(StoreError) {
      _ = try store.book.revokeToken(token.id, of: .number(1))
      Issue.record("it was revoked")
    } catch {
      #expect(error.passes)
    }
    #expect(store.upkeep.lastWrite()?.isDurable == true)
    try other.execute("COMMIT", within: .seconds(30))
    #expect(try store.book.revokeToken(token.id, of: .number(1)))
    store.destroy()
  }

  /// As a backup or a migration holds a table, or an operator cancels a statement.
  @Test("go on after a statement was cancelled, and so do reads")
  func cancelled() async throws {
    var database = try PostgreSQLDatabase.fresh(.locking)
    // It has to be seen waiting.
    database.roundsPatience = 60_000
    let store = try TestStore(in: database).store
    try await store.addAccountWithGoal()
    let (holder, watch) = (try database.holder(), try database.connect())
    let cancel = Query(
      "cancel",
      """
      SELECT pg_cancel_backend(pid) FROM pg_stat_activity
      WHERE \(holder.serverProcess) = ANY (pg_blocking_pids(pid))
      """)
    let reads: [@Sendable () throws -> Void] = [
      { _ = try store.log.page(.number(1), Version(0), 10) },
      { _ = try store.log.advance(.number(1), Version(2), nil) },
      { _ = try store.upkeep.verify() },
    ]
    for read in reads {
      // One of each connection that reads, and the next of the same.
      for _ in 0..<4 {
        try holder.execute("BEGIN; LOCK TABLE edit", within: .seconds(30))
        async let isRead = onThreads(1) { _ in (try? read()) != nil }
        try await until { try watch.run(cancel, within: .seconds(30)).first != nil }
        #expect(try await isRead == [false])
        try holder.execute("COMMIT", within: .seconds(30))
        try read()
      }
    }
    for id in 10..<14 as Range<UInt64> {
      try holder.execute("BEGIN; LOCK TABLE edit", within: .seconds(30))
      async let answer = onThreads(1) { _ in store.sendAndWait(.of(.bump, from: id), to: 1) }
      try await until { try watch.run(cancel, within: .seconds(30)).first != nil }
      try holder.execute("COMMIT", within: .seconds(30))
      _ = try await answer
      let next = store.sendAndWait(.of(.bump, from: id + 100), to: 1)
      guard case .applied? = next?.statuses.first else {
        Issue.record("\(String(describing: next))"); break
      }
    }
    #expect(try store.upkeep.verify() == [])
    store.destroy()
  }

  @Test("leave out accounts that somebody holds, and record the others meanwhile")
  func held() async throws {
    let database = try PostgreSQLDatabase.fresh(.locking)
    let store = try TestStore(in: database).store
    for account in UInt64(1)...4 { try await store.addAccountWithGoal(account) }
    let other = try database.holder()
    try other.execute(
      "BEGIN; SELECT FROM account ORDER BY id LIMIT 2 FOR UPDATE", within: .seconds(30))
    let (held, free) = (Collected<[Outcome.Status]>(), Collected<[Outcome.Status]>())
    for account in UInt64(1)...4 {
      let sent = Store.SentBatch(account: .number(account), batch: .of(.bump, from: 10))
      store.submit(sent) { (account < 3 ? held : free).append($0.statuses) }
    }
    await until { free.all.count >= 2 }
    #expect(held.all == [])
    try other.execute("COMMIT", within: .seconds(30))
    await until { held.all.count >= 2 }
    #expect(held.all + free.all == [[Outcome.Status]](repeating: [.applied(Version(3))], count: 4))
    store.destroy()
  }

  @Test("wait for what somebody holds once, and never keep another account's row for it again")
  func heldOnce() async throws {
    let database = try PostgreSQLDatabase.fresh(.locking)
    let test = try TestStore(in: database)
    let store = test.store
    for account in UInt64(1)...2 { try await store.addAccountWithGoal(account) }
    let (other, watch) = (try database.holder(), try database.connect())
    try other.execute(
      "BEGIN; SELECT FROM account ORDER BY id DESC LIMIT 1 FOR UPDATE", within: .seconds(30))
    let held = Collected<[Outcome.Status]>()
    store.submit(.init(account: .number(2), batch: .of(.bump, from: 10))) {
      held.append($0.statuses)
    }
    var rounds: Int { test.commits.count { if case .overtaken = $0 { true } else { false } } }
    await until { rounds > 0 }
    let waits = Query(
      "waits",
      "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE \(other.serverProcess) = ANY (pg_blocking_pids(pid)))"
    )
    var id = UInt64(20)
    while rounds < 20 {
      let isWaitedFor = try watch.run(waits, within: .seconds(30)).first?.bool(at: 0) ?? true
      #expect(!isWaitedFor)
      if isWaitedFor { break }
      id += 1
      guard case .applied? = store.sendAndWait(.of(.bump, from: id), to: 1)?.statuses.first else {
        Issue.record("the other account's edit was not recorded"); break
      }
    }
    #expect(held.all == [])
    try other.execute("COMMIT", within: .seconds(30))
    await until { !held.all.isEmpty }
    #expect(held.all == [[.applied(Version(3))]])
    store.destroy()
  }
}

extension PostgreSQLDatabase {
  /// A connection whose transaction may stay open for as long as a busy machine takes.
  fileprivate func holder() throws -> Connection {
    let connection = try connect()
    try connection.execute("SET idle_in_transaction_session_timeout = 0", within: .seconds(30))
    return connection
  }
}
