import GoalsCore
import Testing

@testable import GoalsStore

@Suite("A search of the log for a goal")
struct LogSearchTests {
  @Test("finds the edits that change the goal, and its moves", arguments: StoreKind.ofTier)
  func random(_ kind: StoreKind) async throws {
    var edits = RandomBatches(Dice())
    let note = edits.dice.note
    let home = try TestStore(kind)
    let store = home.store
    try store.book.addAccount(.some(1))
    for _ in 0..<150 {
      home.clock.advance(milliseconds: 3_600_000)
      let state = try #require(try store.state(.number(1))).state
      _ = await store.send(edits.batch(for: state, at: home.clock.now))
    }
    let goals = (UInt64(1)...9).map { Goal.ID.number($0) }
    var found: [Goal.ID: [Version: RecordedEdit]] = [:]
    for goal in goals {
      let searched = try #require(try store.log.search(.number(1), goal, .none, 500))
      #expect(searched.entries == (try store.log.page(.number(1), .none, 500))?.entries)
      found[goal] = Dictionary(uniqueKeysWithValues: searched.found.map { ($0.version, $0) })
    }
    #expect(found.values.reduce(0) { $0 + $1.count } > 20, note)
    let head = try #require(try store.state(.number(1))).state.version
    var before = try #require(try store.log.state(.number(1), .none, nil))
    while before.state.version < head {
      let version = before.state.version.next
      let after = try #require(try store.log.state(.number(1), version, before))
      for goal in goals {
        let edit = found[goal]?[version]
        let isChanged = before.state.roster.goal(goal) != after.state.roster.goal(goal)
        let isMoved = if case .move(goal, _)? = edit?.effect { true } else { false }
        #expect((edit != nil) == (isChanged || isMoved), note)
      }
      before = after
    }
  }

  @Test("looks at no more edits than are asked for", arguments: StoreKind.ofTier)
  func limits(_ kind: StoreKind) async throws {
    let store = try TestStore(kind).store
    try await store.addAccountWithGoal(1)
    _ = await store.send(.of(all: [Edit](repeating: .bump, count: 5), from: 3), to: 1)
    let goal = try #require(try store.state(.number(1))?.state.roster.ids.first)
    for (after, limit, versions) in [(0, 3, [1, 2, 3]), (5, 9, [6, 7]), (7, 9, []), (9, 9, [])] {
      let searched = try #require(try store.log.search(.number(1), goal, Version(after), limit))
      #expect(searched.found.map(\.version.number) == versions)
      #expect(searched.entries.map(\.version.number) == versions)
    }
    let none = try #require(try store.log.search(.number(1), .number(99), .none, 9))
    #expect(none.found.isEmpty && none.entries.count == 7)
    #expect(try store.log.search(.number(9), goal, .none, 9) == nil)
  }
}
