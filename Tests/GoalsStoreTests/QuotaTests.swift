import GoalsCore
import SQLite
import Testing
import TestSupport

@testable import GoalsStore

@Suite("What a log takes of its quota") struct QuotaTests {
  /// Of account 1.
  private func logBytes(_ test: TestStore) throws -> Int {
    try #require(try test.store.book.logBytes()[.number(1)])
  }

  private static let sum = """
    SELECT sum(length(CAST(payload AS BLOB)) + coalesce(length(CAST(inverse AS BLOB)), 0) + 128) FROM edit
    WHERE place >> 40 = 1
    """

  @Test(
    "is what is recorded of each edit and 128 bytes more, whatever the store",
    arguments: StoreKind.ofTier)
  func size(_ kind: StoreKind) async throws {
    let test = try TestStore(kind)
    try test.store.book.addAccount(.some(1))
    #expect(try logBytes(test) == 0)
    _ = await test.store.send(.of(.addGoal, .activate, .bump, from: 1))
    let payloads = try #require(try test.store.log.page(.number(1), .none, 10)).entries
    let inverse = #"{"turned":"8"}"#
    #expect(
      try logBytes(test) == payloads.reduce(0) { $0 + $1.payload.count + 128 } + inverse.utf8.count)
    if let folder = test.folder {
      #expect(try folder.rows(Self.sum) == [[.integer(Int64(try logBytes(test)))]])
    }
    let reopened = try test.reopened()
    let before = try logBytes(reopened)
    _ = await reopened.store.send(.of(.bump, from: 9))
    #expect(try logBytes(reopened) > before)
    #expect(try reopened.store.upkeep.verify() == [])
  }

  @Test(
    "lets nothing be recorded beyond it, and everything be read and answered as ever",
    arguments: StoreKind.ofTier)
  func full(_ kind: StoreKind) async throws {
    let test = try TestStore(kind, maximumLogBytes: 1500)
    try await test.store.addAccountWithGoal()
    var last: UInt64 = 2
    while try logBytes(test) < 1500 {
      last += 1
      #expect(await test.store.send(.of(.bump, from: last)).statuses.count == 1)
    }
    let bytes = try logBytes(test)
    for _ in 1...2 {
      let refused = await test.store.send(.of(.bump, from: last + 1)).ruling
      #expect(refused?.result == .accountFull)
      #expect(refused?.outcomes == [])
    }
    let answered = await test.store.send(.of(.bump, from: last)).statuses
    #expect(answered == [.duplicate(Version(Int(last)))])
    #expect(await test.store.send(.of(.activate, from: 900)).statuses == [.unchanged])
    #expect(await test.store.send(.of(.bad, from: 901)).ruling?.result == .decided)
    // Another account has a quota of its own.
    try await test.store.addAccountWithGoal(2)
    #expect(await test.store.send(.of(.bump, from: 5), to: 2).statuses == [.applied(Version(3))])
    #expect(try logBytes(test) == bytes)
    let reopened = try test.reopened()
    #expect(await reopened.store.send(.of(.bump, from: 902)).ruling?.result == .accountFull)
    #expect(try reopened.store.upkeep.verify() == [])
    #expect(
      try reopened.store.upkeep.accounts()
        == .init(
          count: 2, logBytes: reopened.store.book.logBytes().values.reduce(0, +), full: 1))
  }

  @Test("is not the one of an import that takes more")
  func imported() async throws {
    let source = try TestStore(.memory)
    try await source.store.addAccountWithGoal()
    _ = await source.store.send(.of(.bump, from: 3))
    let log = try Export(in: source.store).read.get()
    let taken = try logBytes(source)
    // The quota is reached before the last edit, and with it.
    for (limit, isTaken) in [(log.bytesBeforeLast, false), (log.bytesBeforeLast + 1, true)] {
      let test = try TestStore(.sqlite, maximumLogBytes: limit)
      try test.store.book.addAccount(.some(1))
      #expect(try test.store.adopt(log) == (isTaken ? .adopted(log.snapshot) : .tooLarge))
      #expect(try logBytes(test) == (isTaken ? taken : 0))
      #expect(try test.store.upkeep.verify() == [])
    }
  }

  @Test("is less for an account that was made by sign-up", arguments: StoreKind.ofTier)
  func signedUp(_ kind: StoreKind) async throws {
    // Half of it is that of a sign-up.
    let test = try TestStore(kind, maximumLogBytes: 3000)
    #expect(try test.store.book.signUp(.some(1), .some(1, of: 1, secret: 1), 10))
    try test.store.book.addAccount(.some(2), .some(4, of: 2, secret: 2))
    for (account, maximum) in [(UInt64(1), 1500), (2, 3000)] {
      _ = await test.store.send(.of(.addGoal, .activate, from: 1), to: account)
      var (before, now, last) = (0, 0, UInt64(2))
      repeat {
        last += 1
        before = now
        _ = await test.store.send(.of(.bump, from: last), to: account)
        now = try #require(try test.store.book.logBytes()[.number(account)])
      } while now > before
      #expect(now >= maximum && now < maximum + 500, "it is full once the quota is reached")
    }
    let reopened = try test.reopened()
    for account in [UInt64(1), 2] {
      let refused = await reopened.store.send(.of(.bump, from: 900), to: account).ruling
      #expect(refused?.result == .accountFull)
    }
    #expect(try reopened.store.upkeep.accounts().full == 2)
    #expect(try reopened.store.book.signUp(.some(3), .some(3, of: 3, secret: 3), 10))
    #expect(try reopened.store.adopt(Export(of: 2, in: reopened.store), by: 3) == .tooLarge)
    _ = try reopened.store.adopt(Export(of: 1, in: reopened.store), by: 3)
    let more = await reopened.store.send(.of(.bump, from: 900), to: 3).ruling
    #expect(more?.result == .accountFull)
  }

  static let changes: [Tampering] = [
    .init(
      "UPDATE edit SET bytes = bytes - 1 WHERE place = \(Tampering.place(5))",
      "at version 5 it is not said that the log takes"),
    .init(
      "UPDATE edit SET bytes = NULL WHERE place = \(Tampering.place(5))",
      "at version 5 it is not said that the log takes"),
    .init("UPDATE account SET old_bytes = 1 WHERE number = 1", "it is not said that the log takes"),
    .init(
      "UPDATE edit SET bytes = NULL WHERE place <= \(Tampering.place(5))",
      "it is not said that the log takes"),
  ]

  @Test("is what verify finds it to be", arguments: changes)
  func tampered(_ tampering: Tampering) async throws {
    let test = try await StoredAccounts().tampered(by: tampering.sql)
    let faults = try test.store.upkeep.verify()
    #expect(faults.count == 1 && faults[0].contains(tampering.said), "\(faults)")
  }

  @Test("counts what was recorded before it was counted")
  func old() async throws {
    let stored = try await StoredAccounts()
    let bytes = try #require(try stored.folder.rows(Self.sum).first?.first)
    try stored.folder.tamper(
      "UPDATE edit SET bytes = NULL; UPDATE account SET old_bytes = (\(Self.sum))")
    let test = try TestStore(in: stored.folder)
    #expect(try .integer(Int64(logBytes(test))) == bytes)
    #expect(try test.store.upkeep.verify().filter { $0.contains("000001:") } == [])
    _ = await test.store.send(.of(Edit(.bump(.number(2), by: .one, note: nil)), from: 500))
    #expect(try stored.folder.rows(Self.sum) == [[.integer(Int64(try logBytes(test)))]])
    #expect(try test.store.upkeep.verify().filter { $0.contains("000001:") } == [])
  }
}

@Suite("What is kept beside the log") struct KeptInverseTests {
  /// What the log has grown by, payloads apart, and all of it.
  private func inverses(_ test: TestStore, from version: Int) throws -> [Int] {
    try #require(test.folder).rows(
      "SELECT length(inverse) FROM edit WHERE place & 1099511627775 >= \(version) ORDER BY place"
    ).map { row in
      guard case .integer(let length) = row[0] else { return 0 }
      return Int(length)
    }
  }

  @Test("of turning many goals, and of taking that back again and again, is short")
  func short() async throws {
    let test = try TestStore(in: TemporaryFolder())
    try test.store.book.addAccount(.some(1))
    let ids = (1...400).map { Goal.ID.number($0) }
    _ = await test.store.send(
      .of(
        all: (ids + [.number(401)]).map { Edit(.add(Goal(id: $0, title: .of("Goal")))) }, from: 1))
    func activity(_ isActive: (Int) -> Bool) -> Edit {
      Edit(
        .setActivity(
          .keyed(
            KeyedActivity(ids.enumerated().map { .init(goal: $1, isActive: isActive($0)) }))))
    }
    let note = Note.of(String(repeating: "n", count: 500))
    let title = String(repeating: "t", count: 200)
    let edits = [
      activity { _ in true }, activity { $0 % 2 == 0 }, Edit(.bump(ids[0], by: .one, note: note)),
      Edit(.alter(ids[0], [.retitling(to: .of(title))])), Edit(.delete(.number(401))),
    ]
    _ = await test.store.send(.of(all: edits, from: 1001))
    var next: UInt64 = 2000
    // Each is taken back, and that again, three times over, with the store opened anew between.
    for target in [1002, 1003, 1004, 1005] as [UInt64] {
      var last = target
      for _ in 1...4 {
        let reopened = try test.reopened()
        let answer = await reopened.store.send(.of(Edit(.undo(.number(last))), from: next))
        #expect(answer.ruling?.recorded.count == 1, "\(answer.statuses)")
        reopened.store.destroy()
        last = next
        next += 1
      }
    }
    let reopened = try test.reopened()
    #expect(try reopened.store.upkeep.verify() == [])
    let lengths = try inverses(reopened, from: 402)
    #expect(lengths.count == 5 + 16)
    #expect(lengths.allSatisfy { $0 <= 512 }, "\(lengths)")
    // What an import makes of it is the same.
    let copy = try TestStore(in: TemporaryFolder())
    try copy.store.book.addAccount(.some(1))
    _ = try copy.store.adopt(Export(in: reopened.store))
    #expect(try inverses(copy, from: 402) == lengths)
    #expect(try copy.store.upkeep.verify() == [])
  }

  @Test("of turning a few goals of many is no row but theirs")
  func rows() async throws {
    let test = try TestStore(in: TemporaryFolder())
    try test.store.book.addAccount(.some(1))
    let ids = (1...50).map { Goal.ID.number($0) }
    _ = await test.store.send(
      .of(all: ids.map { Edit(.add(Goal(id: $0, title: .of("Goal")))) }, from: 1))
    let folder = try #require(test.folder)
    // Rows that are written again are no longer this.
    try folder.tamper("UPDATE goal SET title = 'old'")
    let activity = KeyedActivity(ids.map { .init(goal: $0, isActive: $0 == .number(7)) })
    _ = await test.store.send(.of(Edit(.setActivity(.keyed(activity))), from: 100))
    _ = await test.store.send(.of(Edit(.undo(.number(100))), from: 101))
    #expect(
      try folder.rows("SELECT count(*) FROM goal WHERE title <> 'old'") == [[.integer(1)]])
  }
}
