@testable import GoalsCore

/// What a log comes to, worked out in the plainest way: an edit stands until an undo of it stands.
struct StandingEdits {
  let edits: [RecordedEdit]

  init(_ log: [RecordedEdit]) {
    var undone: Set<Edit.ID> = []
    // From the last to the first: whether an undo stands is known when its target's turn comes.
    for edit in log.reversed() where !undone.contains(edit.id) {
      if case .account(.undo(let target)) = edit.edit { undone.insert(target) }
    }
    edits = log.filter { !undone.contains($0.id) }
  }

  /// The count of every day of every goal that has one.
  var counts: [Goal.ID: [Day: Int]] {
    var counts: [Goal.ID: [Day: Int]] = [:]
    for edit in edits {
      guard case .progress(.bump(let id, let increment, _)) = edit.edit, let day = edit.day else {
        continue
      }
      counts[id, default: [:]][day, default: 0] += increment.value
    }
    return counts.mapValues { $0.filter { $0.value != 0 } }
  }

  var notes: [Goal.ID: [Version]] {
    edits.reduce(into: [:]) { notes, edit in
      if case .progress(.bump(let id, _, .some)) = edit.edit {
        notes[id, default: []].append(edit.version)
      }
    }
  }

  var excused: [Goal.ID: Set<Day>] {
    edits.reduce(into: [:]) { excused, edit in
      if case .progress(.skip(let id)) = edit.edit, let day = edit.day {
        excused[id, default: []].insert(day)
      }
    }
  }

  /// The goals whose `add` stands, and of which no `delete` does.
  var listed: Set<Goal.ID> {
    edits.reduce(into: []) { listed, edit in
      switch edit.edit {
      case .goal(.add(let goal)): listed.insert(goal.id)
      case .goal(.delete(let id)): listed.remove(id)
      case .goal, .progress, .account: break
      }
    }
  }
}
