@testable import GoalsCore

/// What a person sees of a state, and can change: everything but versions, and from when what held.
struct PresentValues: Hashable {
  struct OfGoal: Hashable {
    let goal: Goal
    let isActive: Bool
    let isDeleted: Bool
    let days: DayCounts
    let notes: KeptNotes
  }

  let order: [Goal.ID]
  let goals: [OfGoal]
  let calendar: CalendarSettings

  /// The goals of the list, in order.
  var listed: [OfGoal] { order.compactMap { id in goals.first { $0.goal.id == id } } }

  init(_ state: AccountState) {
    order = state.roster.ids
    goals = (0..<state.roster.everMade).compactMap { state.roster.goal(in: $0) }.map { goal in
      OfGoal(
        goal: goal.goal, isActive: goal.isActive, isDeleted: goal.isDeleted, days: goal.days,
        notes: goal.notes)
    }
    calendar = state.calendar
  }
}
