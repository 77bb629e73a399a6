import GoalsCore
import SQLite
import Testing
import TestSupport

@testable import GoalsStore

@Suite("A store in SQLite that is closed and opened again")
struct ReopeningStoreTests {
  @Test("has the state that it had, after any edits", .timeLimit(.minutes(10)))
  func random() async throws {
    var random = RandomBatches(Dice())
    var recorded: [EditType: Int] = [:]
    for _ in 0..<6 {
      var test = try TestStore(.sqlite)
      let oracle = try TestStore(.memory)
      for store in [test.store, oracle.store] { try store.book.addAccount(.some(1)) }
      for step in 0..<120 {
        for clock in [test.clock, oracle.clock] { clock.advance(milliseconds: 7_000_000) }
        let state = try #require(try test.store.state(.number(1))).state
        let batch = random.batch(for: state, at: test.clock.now)
        let answer = await test.store.send(batch)
        let expected = await oracle.store.send(batch)
        // Nobody can tell the two stores apart.
        #expect(answer.ruling == expected.ruling, random.dice.note)
        #expect(answer.chain == expected.chain, random.dice.note)
        for edit in answer.ruling?.recorded ?? [] { recorded[edit.edit.type, default: 0] += 1 }
        if step % 7 == 0 { test = try reopened(test, random.dice.note) }
      }
      test = try reopened(test, random.dice.note)
      #expect(try test.store.upkeep.verify() == [], random.dice.note)
      let pages = try [test, oracle].map { try $0.store.log.page(.number(1), .none, 10_000) }
      #expect(pages[0] == pages[1], random.dice.note)
    }
    // A type that never occurs would have been tested by nothing.
    for type in EditType.allCases {
      #expect(recorded[type, default: 0] > 2, "\(type): \(recorded)")
    }
  }

  private func reopened(_ test: TestStore, _ note: Comment) throws -> TestStore {
    let before = try #require(try test.store.state(.number(1)))
    let after = try test.reopened()
    let read = try #require(try after.store.state(.number(1)))
    #expect(read !== before)
    #expect(read.state == before.state, note)
    #expect(read.chain == before.chain, note)
    return after
  }

  @Test("judges by what it read as by what it had")
  func goingOn() async throws {
    var test = try TestStore(.sqlite)
    try await test.store.addAccountWithGoal()
    let noted = Edit(.bump(.number(1), by: .of(3), note: .of("far")))
    _ = await test.store.send(.of(noted, Edit(.undo(.number(3))), from: 3))
    test = try test.reopened()
    // The redo brings the note back, in its place.
    #expect(
      await test.store.send(.of(Edit(.undo(.number(4))), from: 5)).statuses == [
        .applied(Version(5))
      ])
    test = try test.reopened()
    let goal = try #require(try test.store.state(.number(1))?.state.roster.goal(.number(1)))
    #expect(
      goal.notes.all == [.init(version: Version(3), day: .on("2026-11-20"), note: .of("far"))])
    #expect(goal.days[.on("2026-11-20")].count == 3)
  }

  @Test("keeps accounts apart whose edits are far more than a thousand")
  func many() async throws {
    var test = try TestStore(.sqlite)
    for account in UInt64(1)...2 {
      try await test.store.addAccountWithGoal(account)
      let bumps = [Edit](repeating: .bump, count: 2500)
      _ = await test.store.send(.of(all: bumps, from: 10), to: account)
    }
    test = try test.reopened()
    for account in UInt64(1)...2 {
      let state = try #require(try test.store.state(.number(account))).state
      #expect(state.version == Version(2502))
      #expect(state.roster.goal(.number(1))?.days.all.map(\.count) == [2500])
    }
    #expect(try test.store.upkeep.verify() == [])
  }
}

@Suite("The rows of a snapshot")
struct SnapshotRowTests {
  /// A store in SQLite whose tables say which of their rows were written.
  private struct Watched {
    let test: TestStore
    private let reader: Connection

    init() async throws {
      let folder = try TemporaryFolder()
      try TestStore(in: folder).store.destroy()
      let connection = try Connection(path: folder.database, access: .readWrite, busyTimeout: 0)
      try connection.execute("CREATE TABLE touched (number INTEGER PRIMARY KEY, what TEXT)")
      let keys = [
        "account": "$.number", "edit": "($.place & 255)", "undo_chain": "$.root", "snapshot": "''",
        "goal": "$.slot", "day": "$.slot || ' ' || $.day", "note": "$.slot || ' ' || $.version",
        "probe": "$.number", "token": "''",
      ]
      for (table, key) in keys {
        for (verb, row) in [("INSERT", "new"), ("UPDATE", "new"), ("DELETE", "old")] {
          try connection.execute(
            """
            CREATE TRIGGER \(table)_\(verb) AFTER \(verb) ON \(table) BEGIN
              INSERT INTO touched (what) VALUES (
                lower('\(verb)') || ' \(table) ' || \(key.replacing("$", with: row)));
            END
            """)
        }
      }
      try connection.close()
      test = try TestStore(in: folder)
      reader = try Connection(path: folder.database, access: .readOnly, busyTimeout: 1000)
      try test.store.book.addAccount(.some(1))
      _ = await test.store.send(
        .of(all: (1...UInt64(4)).map { Edit(.add(.some($0))) } + [.activate], from: 1))
    }

    /// Which rows edits write.
    func rows(of edits: Edit..., from first: UInt64) async throws -> [String] {
      let before = try reader.rows("SELECT coalesce(max(number), 0) FROM touched")
      let answer = await test.store.send(.of(all: edits, from: first))
      #expect(answer.ruling?.recorded.count == edits.count)
      return try reader.rows("SELECT what FROM touched WHERE number > ?", before[0][0])
        .map { $0[0].description }.sorted()
    }
  }

  @Test("are written only where an edit changes something")
  func touched() async throws {
    let watched = try await Watched()
    let other = Edit(.setActivity(.keyed([.number(4): true])))
    let noted = Edit(.bump(.number(1), by: .one, note: .of("x")))
    let day = Day.on("2026-11-20").number
    let expected: [(Edit, [String])] = [
      (.bump, ["insert day 0 \(day)"]),
      (.bump, ["update day 0 \(day)"]),
      (noted, ["insert note 0 8", "update day 0 \(day)"]),
      (Edit(.undo(.number(8))), ["delete note 0 8", "insert undo_chain 8", "update day 0 \(day)"]),
      (Edit(.undo(.number(9))), ["insert note 0 8", "update day 0 \(day)", "update undo_chain 8"]),
      (Edit(.skip(.number(1))), ["update day 0 \(day)"]),
      (other, ["update goal 3"]),
      (Edit(.alter(.number(2), [.retitling(to: .of("New"))])), ["update goal 1"]),
      (Edit(.update(.some(3, "New"))), ["update goal 2"]),
      (Edit(.move(.number(1), before: .number(4))), ["update snapshot "]),
      (Edit(.configure(.init(weekStart: .sunday))), ["update snapshot "]),
      (Edit(.add(.some(5))), ["insert goal 4", "update snapshot "]),
      (Edit(.delete(.number(1))), ["update goal 0", "update snapshot "]),
      (Edit(.undo(.number(18))), ["insert undo_chain 18", "update goal 0", "update snapshot "]),
    ]
    for (place, (edit, rows)) in expected.enumerated() {
      let id = 6 + UInt64(place)
      let touched = try await watched.rows(of: edit, from: id)
      #expect(touched == (["insert edit \(id)"] + rows).sorted(), "\(edit)")
    }
  }

  @Test("are written once each in a transaction, and not where nothing remains of an edit")
  func once() async throws {
    let watched = try await Watched()
    let touched = try await watched.rows(
      of: .bump, .bump, .bump, Edit(.undo(.number(7))),
      Edit(.alter(.number(1), [.retitling(to: .of("A"))])),
      Edit(.alter(.number(1), [.retitling(to: .of("B"))])), from: 6)
    let edits = (6...11).map { "insert edit \($0)" }
    let day = "insert day 0 \(Day.on("2026-11-20").number)"
    #expect(touched == (edits + [day, "insert undo_chain 7", "update goal 0"]).sorted())
    let taken = try await watched.rows(
      of: Edit(.undo(.number(6))), Edit(.undo(.number(8))), from: 12)
    #expect(
      taken.filter { $0.contains(" day ") } == ["delete day 0 \(Day.on("2026-11-20").number)"])
  }
}
