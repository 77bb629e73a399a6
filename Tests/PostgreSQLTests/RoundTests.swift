import Foundation
import PostgreSQLTestSupport
import TestSupport
import Testing

@testable import PostgreSQL

private func account(_ number: UInt64) -> UUIDBits { UUIDBits(high: 0, low: number) }
private func chain(_ byte: UInt8) -> [UInt8] { [UInt8](repeating: byte, count: 32) }
private let start = chain(0)

/// One bump of an account, decided on a version and a chain, that leads to the next.
private func bump(
  _ number: UInt64, after version: Int64 = 0, _ before: [UInt8] = start, _ byte: UInt8 = 1,
  id: UInt64
) -> Round {
  Round(
    edits: [
      .init(
        account: account(number), version: version + 1, id: UUIDBits(high: 7, low: id),
        chain: chain(byte))
    ],
    heads: [
      .init(
        account: account(number), expected: version, before: before, version: version + 1,
        chain: chain(byte))
    ],
    days: [.init(account: account(number), day: 20_000, count: version + 1)])
}

extension Round {
  fileprivate static func + (left: Round, right: Round) -> Round {
    var sum = left
    sum.edits += right.edits
    sum.heads += right.heads
    sum.turns += right.turns
    sum.days += right.days
    sum.notes += right.notes
    sum.lists += right.lists
    return sum
  }
}

/// Each test has a database of its own, in which there are five accounts.
@Suite("A round of edits", .enabled(if: Tier.isAll, "runs in make test-all"))
struct RoundTests {
  let connection: Connection
  let database: String

  init() throws {
    let cluster = try Cluster.common.get()
    database = "round_\(UUID().uuidString.prefix(8).lowercased())"
    try cluster.connect().execute("CREATE DATABASE \(database)", within: .seconds(60))
    connection = try cluster.connect(database: database)
    try connection.execute(Round.schema, within: .seconds(60))
    try connection.makeAccounts(5)
  }

  private func other() throws -> Connection {
    try Cluster.common.get().connect(database: database)
  }

  private func version(_ number: UInt64) throws -> Int64 {
    try connection.bigint("SELECT version FROM account WHERE id = lpad('\(number)', 32, '0')::uuid")
  }

  @Test("is recorded for every account that stands where it was decided", arguments: [true, false])
  func wins(_ locks: Bool) throws {
    let won = try connection.record(bump(2, id: 2) + bump(1, id: 1), locks: locks)
    #expect(won == [account(1), account(2)])
    #expect(try version(1) == 1)
    #expect(try version(3) == 0)
    #expect(try connection.bigint("SELECT count(*) FROM edit") == 2)
    #expect(try connection.bigint("SELECT sum(count)::bigint FROM day") == 2)
    #expect(try connection.bigint("SELECT sum(log_bytes)::bigint FROM account") == 2000)
  }

  @Test(
    "leaves nothing of an account that went on, and records the others", arguments: [true, false])
  func overtaken(_ locks: Bool) throws {
    #expect(try connection.record(bump(1, id: 1), locks: locks) == [account(1)])
    let won = try connection.record(bump(1, id: 2) + bump(2, id: 3), locks: locks)
    #expect(won == [account(2)])
    #expect(try version(1) == 1)
    #expect(try connection.bigint("SELECT count(*) FROM edit") == 2)
    #expect(
      try connection.record(bump(1, after: 1, chain(1), 2, id: 2), locks: locks) == [account(1)])
  }

  @Test(
    "is not recorded after another history of the same length, nor for no account",
    arguments: [true, false])
  func chains(_ locks: Bool) throws {
    #expect(try connection.record(bump(1, id: 1), locks: locks) == [account(1)])
    #expect(try connection.record(bump(1, after: 1, chain(9), 2, id: 2), locks: locks) == [])
    #expect(try connection.record(bump(77, id: 3), locks: locks) == [])
    #expect(try connection.bigint("SELECT count(*) FROM edit") == 1)
  }

  @Test(
    "is not recorded where one of an account's edits is recorded already", arguments: [true, false])
  func known(_ locks: Bool) throws {
    #expect(try connection.record(bump(1, id: 1), locks: locks) == [account(1)])
    // The same id in another account is another edit.
    let round = bump(1, after: 1, chain(1), 2, id: 1) + bump(2, id: 1)
    #expect(try connection.record(round, locks: locks) == [account(2)])
    #expect(try version(1) == 1)
    #expect(try connection.record(round, locks: locks, known: true).contains(account(1)))
  }

  @Test(
    "is not recorded where the account's book was changed, also while it waited",
    arguments: [true, false])
  func book(_ locks: Bool) throws {
    let other = try other()
    try other.execute(
      "BEGIN; UPDATE account SET seal = '\\x\(String(repeating: "01", count: 32))'",
      within: .seconds(30))
    let name = database
    let waiting = Background {
      try Cluster.common.get().connect(database: name).record(bump(1, id: 1), locks: locks)
    }
    try waitForAWaiter()
    try other.execute("COMMIT", within: .seconds(30))
    #expect(try waiting.value() == [])
    #expect(try version(1) == 0)
  }

  /// Not by one that is in a transaction: it sees one moment of what the others do.
  private func waitForAWaiter() throws {
    try connection.wait(
      until: """
        SELECT EXISTS (SELECT FROM pg_locks JOIN pg_stat_activity USING (pid)
          WHERE NOT granted AND locktype = 'transactionid' AND datname = '\(database)')
        """)
  }

  @Test("takes the accounts in the order of their ids, whatever order it names them in")
  func order() throws {
    let other = try other()
    try other.execute(
      "BEGIN; SELECT FROM account WHERE id = lpad('5', 32, '0')::uuid FOR UPDATE",
      within: .seconds(30))
    let name = database
    let waiting = Background {
      try Cluster.common.get().connect(database: name).record(bump(5, id: 5) + bump(1, id: 1))
    }
    try waitForAWaiter()
    let free = try connection.run(
      Query("free", "SELECT id FROM account ORDER BY id FOR UPDATE SKIP LOCKED"),
      within: .seconds(30))
    #expect(try free.map { try $0.uuid(at: 0) } == [account(2), account(3), account(4)])
    try other.execute("COMMIT", within: .seconds(30))
    #expect(try waiting.value() == [account(1), account(5)])
  }

  @Test("that meets others on the same accounts is recorded by one of them, without deadlock")
  func race() throws {
    let name = database
    let racers = (0..<6).map { racer in
      Background {
        let connection = try Cluster.common.get().connect(database: name)
        var won = 0
        for round in 0..<20 {
          // Each names the accounts in an order of its own.
          let numbers = (1...5).map { UInt64(($0 + racer + round) % 5 + 1) }
          let heads = try connection.run(
            Query("heads", "SELECT id, version, chain FROM account"), within: .seconds(30))
          var all = Round()
          for number in racer.isMultiple(of: 2) ? numbers : numbers.reversed() {
            guard let head = try heads.first(where: { try $0.uuid(at: 0) == account(number) })
            else { continue }
            all =
              try all
              + bump(
                number, after: head.bigint(at: 1), head.bytea(at: 2), UInt8(racer + 1),
                id: UInt64(racer * 1000 + round))
          }
          won += try connection.record(all).count
        }
        return won
      }
    }
    let won = try racers.map { try $0.value() }.reduce(0, +)
    #expect(try connection.bigint("SELECT sum(version)::bigint FROM account") == Int64(won))
    #expect(try connection.bigint("SELECT count(*) FROM edit") == Int64(won))
    #expect(won >= 20)
  }

  @Test("writes the rows of snapshots, and takes away those that are empty")
  func snapshots() throws {
    var first = bump(1, id: 1)
    first.lists = [account(1)]
    first.notes = [.init(account: account(1), version: 1, text: "é")]
    first.turns = [
      .init(account: account(1), root: 1, latest: 1),
      .init(account: account(1), root: 5, latest: 5, isOdd: false),
    ]
    #expect(try connection.record(first) == [account(1)])
    for table in ["snapshot", "goal", "day", "note"] {
      #expect(try connection.bigint("SELECT count(*) FROM \(table)") == 1)
    }
    #expect(try connection.bigint("SELECT count(*) FROM undo_chain WHERE undone") == 1)
    var second = bump(1, after: 1, chain(1), 2, id: 2)
    second.lists = [account(1)]
    second.days = [.init(account: account(1), day: 20_000, count: nil)]
    second.notes = [.init(account: account(1), version: 1, text: nil)]
    second.turns = [.init(account: account(1), root: 1, latest: 2)]
    #expect(try connection.record(second) == [account(1)])
    for (table, count) in [("snapshot", 1), ("goal", 1), ("day", 0), ("note", 0)] {
      #expect(try connection.bigint("SELECT count(*) FROM \(table)") == Int64(count))
    }
    #expect(try connection.bigint("SELECT count(*) FROM undo_chain WHERE undone") == 0)
    // Of an account that lost, nothing is touched.
    #expect(try connection.record(first) == [])
    #expect(try connection.bigint("SELECT count(*) FROM note") == 0)
  }
}
