import GoalsCore
import Testing

@testable import GoalsStore

@Suite("A chain of undo and redo, in a store that is opened again for each link")
struct UndoChainStorageTests {
  /// The edits that are undone. Each is the third of its account.
  private static let edits: [Edit] = [
    .bump, Edit(.skip(.number(1))), Edit(.alter(.number(1), [.retitling(to: .of("New"))])),
    Edit(.update(.some(1, "New"))), Edit(.setActivity(.keyed([.number(1): false]))),
    Edit(.add(.some(2))), Edit(.delete(.number(1))),
    Edit(.configure(.init(weekStart: .sunday))),
  ]

  /// The store with account 1, the edit, and undos of these ids, opened again before each; and the
  /// state after each edit.
  private func store(
    _ kind: StoreKind, _ edit: Edit, undoing targets: [UInt64]
  ) async throws -> (test: TestStore, states: [AccountState]) {
    var test = try TestStore(kind)
    try await test.store.addAccountWithGoal()
    var states = [try state(of: test)]
    for (place, edit) in ([edit] + targets.map { Edit(.undo(.number($0))) }).enumerated() {
      test = try test.reopened()
      let answer = await test.store.send(.of(edit, from: 3 + UInt64(place)))
      #expect(answer.statuses == [.applied(Version(3 + place))], "\(edit)")
      states.append(try state(of: test))
    }
    return (try test.reopened(), states)
  }

  private func state(of test: TestStore) throws -> AccountState {
    try #require(try test.store.state(.number(1))).state
  }

  @Test(
    "goes to and fro, by the edit itself or by the last undo",
    arguments: StoreKind.ofTier, edits)
  func toAndFro(_ kind: StoreKind, _ edit: Edit) async throws {
    // Undo, redo, undo of the first edit once more, redo.
    let (test, states) = try await store(kind, edit, undoing: [3, 4, 3, 6])
    let shown = states.map(Shown.init)
    #expect(shown[1] != shown[0])
    #expect(shown[2] == shown[0])
    #expect(shown[3] == shown[1])
    #expect(shown[4] == shown[0])
    #expect(shown[5] == shown[1])
    #expect(try test.store.upkeep.verify() == [])
  }

  @Test(
    "takes nothing back twice, through any of its links", arguments: StoreKind.ofTier, edits)
  func onlyTheLatest(_ kind: StoreKind, _ edit: Edit) async throws {
    let undone = try await store(kind, edit, undoing: [3]).test
    #expect(await rejected(by: undone, 3))
    // Done again: the first undo is overtaken by the second.
    let redone = try await store(kind, edit, undoing: [3, 4]).test
    #expect(await rejected(by: redone, 4))
    // Undone through the edit itself: neither it nor its earlier undos can be undone.
    let again = try await store(kind, edit, undoing: [3, 4, 3]).test
    for target: UInt64 in [3, 4, 5] { #expect(await rejected(by: again, target), "\(target)") }
    let answer = await again.store.send(.of(Edit(.undo(.number(6))), from: 50))
    #expect(answer.statuses == [.applied(Version(7))])
  }

  private func rejected(by test: TestStore, _ target: UInt64) async -> Bool {
    let answer = await test.store.send(.of(Edit(.undo(.number(target))), from: 40 + target))
    return answer.ruling?.outcomes.first?.rejection?.code == .notUndoable
  }
}

/// What a client sees of a state.
private struct Shown: Hashable {
  let calendar: CalendarSettings
  let goals: [Goal]
  let active: [Bool]
  let days: [[DayCounts.DayCount]]

  init(_ state: AccountState) {
    calendar = state.calendar
    let listed = state.roster.ids.compactMap { state.roster.listed($0) }
    goals = listed.map(\.goal)
    active = listed.map(\.isActive)
    days = listed.map { $0.days.all }
  }
}
