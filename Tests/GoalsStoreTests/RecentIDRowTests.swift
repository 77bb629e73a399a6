import GoalsCore
import SQLite
import Testing
import TestSupport

@testable import GoalsStore

@Suite("A row of recent ids") struct RecentIDRowTests {
  /// Of a goal that is active in `StoredAccounts`.
  private static let bumpOfSecond = Edit(.bump(.number(2), by: .one, note: nil))

  private func rows(_ test: TestStore) throws -> [[Value]] {
    try #require(test.folder).rows("SELECT number, lower(hex(ids)) FROM recent_id ORDER BY number")
  }

  @Test("is what a commit recorded: the place and the id of each edit, in that order")
  func bytes() async throws {
    let test = try TestStore(in: TemporaryFolder())
    try test.store.book.addAccount(.some(1))
    let high = Edit.ID(high: 0x0123_4567_89ab_4def, low: 0xfedc_ba98_7654_3210)
    let proposals = [
      (Edit.ID.number(7), Edit.addGoal), (.number(8), .bad), (high, .activate),
    ].map { Proposal.edit(ProposedEdit(id: $0, edit: $1)) }
    _ = await test.store.send(Batch(device: "phone", proposals: proposals))
    _ = await test.store.send(.of(.bad, from: 9))
    _ = await test.store.send(.of(.bump, from: 10))
    let expected: [[Value]] = [
      [
        .integer(1),
        .text(
          "000001000000000100000000000000000000000000000007"
            + "00000100000000020123456789ab4deffedcba9876543210"),
      ],
      [.integer(2), .text("00000100000000030000000000000000000000000000000a")],
    ]
    #expect(try rows(test) == expected)
  }

  @Test("is counted on from after a start, also beyond a gap")
  func numbers() async throws {
    let test = try await StoredAccounts().tampered(
      by: "UPDATE recent_id SET number = 77 WHERE number = 12")
    _ = await test.store.send(.of(Self.bumpOfSecond, from: 500))
    #expect(try rows(test).last?.first == .integer(78))
    #expect(try test.store.upkeep.verify() == [])
  }

  @Test("loses the ids of an account that is removed, and keeps the others'")
  func removed() async throws {
    let test = try TestStore(in: TemporaryFolder())
    for account in UInt64(1)...2 { try await test.store.addAccountWithGoal(account) }
    _ = await test.store.sendTogether([
      (account: 1, batch: .of(.bump, from: 3)), (account: 2, batch: .of(.bump, .bump, from: 4)),
    ])
    #expect(try rows(test).count == 3)
    #expect(try test.store.book.removeAccount(.number(2)))
    let expected: [[Value]] = [
      [
        .integer(1),
        .text(
          "000001000000000100000000000000000000000000000001"
            + "000001000000000200000000000000000000000000000002"),
      ],
      [.integer(3), .text("000001000000000300000000000000000000000000000003")],
    ]
    #expect(try rows(test) == expected)
    #expect(try test.store.upkeep.verify() == [])
  }

  @Test("stays as it is, and so does the account, where it can't be changed")
  func unremoved() async throws {
    let stored = try await StoredAccounts()
    let test = try TestStore(in: stored.folder)
    let other = try Connection(path: stored.folder.database, access: .readWrite, busyTimeout: 1000)
    try other.execute(
      "CREATE TRIGGER refuse BEFORE DELETE ON recent_id BEGIN SELECT RAISE(ABORT, 'refused'); END")
    try other.close()
    #expect(throws: StoreError.self) { try test.store.book.removeAccount(.number(2)) }
    #expect(try test.store.book.accounts().count == 2)
    #expect(try rows(test).count == 12)
    let faults = try test.store.upkeep.verify()
    #expect(faults == ["the schema has the trigger refuse, which no migration made"])
    #expect(await test.store.send(.of(.bump, from: 7), to: 2).statuses == [.duplicate(Version(7))])
  }

  @Test(
    "leaves, after a start, as its ids go into the index: twice as many as edits come, by portions")
  func caughtUp() async throws {
    let folder = try TemporaryFolder()
    var sent: UInt64 = 3
    func send(_ count: Int = 1, times: Int = 1, to test: TestStore) async {
      for _ in 0..<times {
        _ = await test.store.send(.of(all: Array(repeating: .bump, count: count), from: sent))
        sent += UInt64(count)
      }
    }
    func prepare() async throws {
      let test = try TestStore(in: folder)
      try await test.store.addAccountWithGoal(1)
      await send(3, times: 60, to: test)
      test.store.destroy()
    }
    /// The first row's number and how many ids it has; how many rows there are, and ids.
    func waiting() throws -> [[Value]] {
      try folder.rows(
        """
        SELECT min(number), length(ids) / 24, (SELECT count(*) FROM recent_id),
          (SELECT sum(length(ids)) / 24 FROM recent_id) FROM recent_id
        """)
    }
    func state(_ values: Int64...) -> [[Value]] { [values.map { .integer($0) }] }
    try await prepare()
    var test = try TestStore(in: folder, idBatch: 20)
    #expect(try waiting() == state(1, 2, 61, 182))
    await send(to: test)
    #expect(try waiting() == state(23, 2, 40, 117))
    await send(times: 31, to: test)
    #expect(try waiting() == state(23, 2, 71, 148))
    await send(to: test)
    #expect(try waiting() == state(44, 1, 51, 85))
    #expect(try test.store.upkeep.verify() == [])
    test = try test.reopened()
    await send(3, to: test)
    #expect(try waiting() == state(80, 1, 16, 18))
    await send(times: 31, to: test)
    #expect(try waiting() == state(80, 1, 47, 49))
    await send(to: test)
    #expect(try waiting() == state(95, 3, 33, 35))
    #expect(try test.store.upkeep.verify() == [])
    // From here on merges run as before.
    await send(times: 60, to: test)
    #expect(try waiting() != state(95, 3, 93, 95))
    for id in 3..<sent {
      #expect(
        await test.store.send(.of(.bump, from: id)).statuses == [.duplicate(Version(Int(id)))])
    }
    #expect(try test.store.upkeep.verify() == [])
  }

  /// As a merge leaves it that was cut off, or something that is none.
  private static func indexed(
    _ versions: String, as version: String = "place & 1099511627775"
  )
    -> String
  {
    """
    INSERT INTO edit_id SELECT place >> 40, id, \(version) FROM edit
    WHERE place & 1099511627775 \(versions)
    """
  }

  @Test("leaves also where a merge that was cut off has taken all but one in")
  func cutOff() async throws {
    let test = try await StoredAccounts().tampered(by: Self.indexed("<> 7"), idBatch: 12)
    #expect(try rows(test).count == 12)
    #expect(try test.store.upkeep.verify() == [])
    _ = await test.store.send(.of(Self.bumpOfSecond, from: 500))
    #expect(try rows(test).map(\.first) == [.integer(13)])
    #expect(try test.store.upkeep.verify() == [])
    #expect(await test.store.send(.of(.bump, from: 7)).statuses == [.duplicate(Version(7))])
  }

  @Test("does not leave where the index has one of its ids for another edit: nothing is recorded")
  func contradiction() async throws {
    let test = try await StoredAccounts().tampered(
      by: Self.indexed("= 5 AND place >> 40 = 1", as: "6"), idBatch: 12)
    #expect(try rows(test).count == 12)
    let found = ["an id of account number 1 is that of two edits"]
    #expect(try test.store.upkeep.verify() == found)
    for id in UInt64(500)..<503 {
      #expect(await test.store.send(.of(Self.bumpOfSecond, from: id)).name == "unavailable")
    }
    #expect(test.failures.contains { $0.description.contains("is that of two edits") })
    #expect(try rows(test).map(\.first) == (1...12).map { .integer($0) })
    #expect(try test.store.upkeep.verify() == found)
  }
}
