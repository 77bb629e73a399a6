import Testing

@testable import GoalsCore

@Suite("The goals of an account")
struct RosterTests {
  private let created = Instant.at("2026-11-01T00:00:00Z")

  private func tracked(_ id: Goal.ID, isDeleted: Bool = false) -> TrackedGoal {
    var goal = TrackedGoal(.some(id), createdAt: created)
    if isDeleted { goal.existence.set(false, from: created.adding(milliseconds: 1)) }
    return goal
  }

  /// The list 3, 2, 1.
  private var roster: Roster {
    [1, 2, 3].reduce(into: Roster()) { $0.insert(tracked($1)) }
  }

  @Test("are listed last first, each in a slot of its own for good")
  func inserting() {
    #expect(roster.ids == [3, 2, 1])
    #expect(roster.list.map(\.goal.id) == [3, 2, 1])
    #expect(roster.order == [2, 1, 0])
    #expect([1, 2, 3].map { roster.slot(of: $0) } == [0, 1, 2])
    #expect(roster.goal(in: 1)?.goal.id == 2)
    #expect(roster.count == 3)
  }

  @Test("have no goal in a slot that is not there", arguments: [-1, 3, .min, .max])
  func slots(_ slot: Int) {
    #expect(roster.goal(in: slot) == nil)
  }

  @Test("stay as they are when an id comes again")
  func insertingAgain() {
    var again = roster
    again.insert(tracked(2))
    #expect(again == roster)
  }

  @Test("keep a goal that was taken out of the list")
  func unlisting() {
    var roster = roster
    roster.unlist(2)
    roster.update(2) { $0.existence.set(false, from: created.adding(milliseconds: 1)) }
    #expect(roster.ids == [3, 1])
    #expect(roster.count == 2)
    #expect(roster.everMade == 3)
    #expect(roster.goal(2)?.isDeleted == true)
    #expect(roster.listed(2) == nil)
    #expect(roster.slot(of: 2) == 1)
    let before = roster
    roster.unlist(2)
    roster.unlist(9)
    #expect(roster == before)
  }

  @Test("know who comes next")
  func successors() {
    #expect(roster.successor(of: 3) == 2)
    #expect(roster.successor(of: 1) == nil)
    #expect(roster.successor(of: 9) == nil)
  }

  @Test(
    "are put before another, or at the end",
    arguments: [
      (1, 3, [1, 3, 2]), (1, 2, [3, 1, 2]), (3, 1, [2, 3, 1]), (3, nil, [2, 1, 3]),
      (2, nil, [3, 1, 2]), (3, 2, [3, 2, 1]), (1, nil, [3, 2, 1]), (2, 2, [3, 2, 1]),
      (2, 9, [3, 1, 2]), (9, 1, [3, 2, 1]),
    ] as [(Goal.ID, Goal.ID?, [Goal.ID])])
  func listing(_ id: Goal.ID, before successor: Goal.ID?, expected: [Goal.ID]) {
    var roster = roster
    roster.list(id, before: successor)
    #expect(roster.ids == expected)
  }

  @Test("are read again from what was stored")
  func storing() {
    var stored = roster
    stored.unlist(2)
    stored.update(2) { $0.existence.set(false, from: created.adding(milliseconds: 1)) }
    let goals = (0..<3).compactMap { stored.goal(in: $0) }
    #expect(Roster(goals: goals, order: [2, 0]) == stored)
  }

  @Test(
    "are refused where what was stored contradicts itself",
    arguments: [
      [], [0], [1, 2], [0, 0], [0, 2, 2], [0, 1, 2], [0, 3], [0, -1], [-1, 0, 2], [0, .max],
    ])
  func refusal(_ order: [Int]) {
    let goals = [tracked(1), tracked(2, isDeleted: true), tracked(3)]
    #expect(Roster(goals: goals, order: order) == nil)
    #expect(Roster(goals: goals, order: [0, 2]) != nil)
  }

  @Test("are refused where an id was stored twice")
  func twice() {
    #expect(Roster(goals: [tracked(1), tracked(1)], order: [0, 1]) == nil)
  }

  @Test("change one by one, in the list or not")
  func updating() {
    var roster = roster
    roster.unlist(2)
    roster.update(2) { $0.days.add(1, on: .on("2026-11-20")) }
    roster.update(9) { $0.days.add(1, on: .on("2026-11-20")) }
    #expect(roster.goal(2)?.days[.on("2026-11-20")].count == 1)
    #expect(roster.goal(1)?.days == DayCounts())
  }
}

@Suite("The notes of a goal")
struct KeptNoteTests {
  private func notes(_ versions: Int...) -> KeptNotes {
    versions.reduce(into: KeptNotes()) {
      $0.set(.of("note \($1)"), on: .on("2026-11-20"), version: Version($1))
    }
  }

  @Test("stay in log order, in whatever order they come back")
  func order() {
    #expect(notes(2, 700, 3, 64, 63).all.map(\.version.number) == [2, 3, 63, 64, 700])
    #expect(notes(2, 700, 3) == notes(700, 3, 2))
  }

  @Test("are one for each bump")
  func one() {
    var notes = notes(2, 3)
    notes.set(.of("other"), on: .on("2026-11-20"), version: Version(2))
    #expect(notes.all.map(\.note.text) == ["other", "note 3"])
    #expect(notes[Version(2)]?.note.text == "other")
  }

  @Test("go with their bump, and no other's does")
  func removing() {
    var notes = notes(2, 3, 4)
    for version in [3, 7, 1, 900] {
      notes.set(nil, on: .on("2026-11-20"), version: Version(version))
    }
    #expect(notes.all.map(\.version.number) == [2, 4])
    #expect(notes[Version(3)] == nil)
    for version in [2, 4] { notes.set(nil, on: .on("2026-11-20"), version: Version(version)) }
    #expect(notes == KeptNotes())
    #expect(notes.count == 0)
  }
}
