import Testing

@testable import GoalsCore

@Suite("A goal that is altered")
struct GoalChangeTests {
  private let goal = Goal(
    id: 1, title: .of("Run"), colour: .red, interval: .weekly, frequency: .times(3),
    unit: .of("km"))
  private let other = Goal(
    id: 1, title: .of("Swim"), colour: .blue, interval: .monthly, frequency: .times(4))

  @Test("changes in what is named, and in nothing else")
  func vocabulary() {
    let altered = goal.alter(by: .retitling(to: .of("Jog")), .rescheduling(to: .daily))
    #expect(
      altered
        == Goal(
          id: 1, title: .of("Jog"), colour: .red, interval: .daily, frequency: .times(3),
          unit: .of("km")))
    #expect(goal.alter(by: .recolouring(to: .cyan)).colour == .cyan)
    #expect(goal.alter(by: .targeting(.times(9))).frequency == .times(9))
    #expect(goal.alter(by: .measuring(in: nil)).unit == nil)
    #expect(goal.alter(by: []) == goal)
  }

  @Test("is what the last change of a field says")
  func last() {
    let changes: Goal.Changes = [
      .targeting(.times(1)), .retitling(to: .of("X")), .targeting(.times(2)),
    ]
    #expect(changes == [.retitling(to: .of("X")), .targeting(.times(2))])
    #expect(goal.alter(by: changes).frequency == .times(2))
  }

  @Test("has the same changes in whatever order they are named")
  func order() {
    let changes: [Goal.Change] = [
      .measuring(in: nil), .targeting(.times(2)), .rescheduling(to: .daily),
      .recolouring(to: .red), .retitling(to: .of("X")),
    ]
    #expect(Goal.Changes(changes) == Goal.Changes(changes.reversed()))
    #expect(Goal.Changes(changes).all.count == 5)
  }

  @Test("becomes another by the changes to that one, which name only what differs")
  func difference() {
    #expect(goal.changes(to: goal).isEmpty)
    #expect(goal.alter(by: goal.changes(to: other)) == other)
    #expect(other.alter(by: other.changes(to: goal)) == goal)
    let almost = goal.alter(by: .measuring(in: nil))
    #expect(goal.changes(to: almost) == [.measuring(in: nil)])
    #expect(almost.changes(to: goal) == [.measuring(in: .of("km"))])
  }

  @Test("keeps its id, until it is given another")
  func identity() {
    #expect(goal.alter(by: goal.changes(to: other.with(id: 2))).id == 1)
    #expect(
      goal.with(id: 2)
        == Goal(
          id: 2, title: .of("Run"), colour: .red, interval: .weekly, frequency: .times(3),
          unit: .of("km")))
  }

  @Test("has the defaults where nothing is said")
  func defaults() {
    let plain = Goal(id: 1, title: .of("Yoga"))
    #expect(plain.interval == .daily)
    #expect(plain.frequency == .times(1))
    #expect(plain.unit == nil)
  }
}
