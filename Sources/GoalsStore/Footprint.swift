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
    self = Self.portions(of: state, rows: .max)[0]
  }

  private init() {}

  /// Everything there is in a state, in portions of so many rows at most; a goal whose timelines
  /// are long counts for more than one. There is at least one portion.
  static func portions(of state: AccountState, rows maximum: Int) -> [Footprint] {
    var portions = [Footprint()]
    portions[0].account = true
    var rows = 1
    func add(weight: Int = 1, _ insert: (inout Footprint) -> Void) {
      if rows + weight > maximum {
        portions.append(Footprint())
        rows = 0
      }
      rows += weight
      insert(&portions[portions.count - 1])
    }
    for slot in 0..<state.roster.everMade {
      guard let goal = state.roster.goal(in: slot) else { continue }
      let id = goal.goal.id
      add(weight: 1 + goal.changes / changesARow) { $0.goals.insert(id) }
      for counted in goal.days.all {
        add { $0.days.insert(GoalDay(goal: id, day: counted.day)) }
      }
      for note in goal.notes.all {
        add { $0.notes.insert(GoalNote(goal: id, bump: note.version)) }
      }
    }
    return portions
  }

  /// So many changes of a timeline take as long as a row.
  private static var changesARow: Int { 16 }

  private mutating func add(_ effect: Effect, at version: Version, takenBackBy reversal: Effect) {
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
