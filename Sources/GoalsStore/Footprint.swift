import GoalsCore

/// Which rows of a snapshot edits have changed, so that only those are written, each once.
struct Footprint {
  struct GoalDay: Hashable {
    let goal: Goal.ID
    let day: Day
  }

  struct GoalNote: Hashable {
    let goal: Goal.ID
    let bump: Version
  }

  private(set) var goals: Set<Goal.ID> = []
  private(set) var days: Set<GoalDay> = []
  private(set) var notes: Set<GoalNote> = []
  /// Whether the list's order or the calendar changed.
  private(set) var account = false

  init(of edits: [RecordedEdit]) {
    for edit in edits { add(edit.effect, at: edit.version, takenBackBy: edit.reversal.effect) }
  }

  /// Everything there is in a state: for a snapshot that is written anew.
  init(whole state: AccountState) {
    account = true
    for slot in 0..<state.roster.everMade {
      guard let goal = state.roster.goal(in: slot) else { continue }
      goals.insert(goal.goal.id)
      days.formUnion(goal.days.all.map { GoalDay(goal: goal.goal.id, day: $0.day) })
      notes.formUnion(goal.notes.all.map { GoalNote(goal: goal.goal.id, bump: $0.version) })
    }
  }

  private mutating func add(
    _ effect: Effect, at version: Version, takenBackBy reversal: Effect
  ) {
    switch effect {
    case .insert(let goal):
      goals.insert(goal.id)
      account = true
    case .remove(let id), .restore(let id, _):
      goals.insert(id)
      account = true
    case .alter(let id, _):
      goals.insert(id)
    case .setActivity:
      // Of what it names, that which it turned.
      goals.formUnion(reversal.goals)
    case .move, .configure:
      account = true
    case .count(let id, let day, _, let note, let bump):
      days.insert(GoalDay(goal: id, day: day))
      // A bump without a note has none to take away either.
      if note != nil || bump != version { notes.insert(GoalNote(goal: id, bump: bump)) }
    case .excuse(let id, let day, _):
      days.insert(GoalDay(goal: id, day: day))
    }
  }
}
