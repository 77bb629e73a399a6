import GoalsCore

/// What stands is counted: what was taken back never was.
extension SimpleAccount {
  /// The counts of a goal by day, without those that are 0.
  func counts(of goal: Goal.ID) -> [Int: Int] {
    var counts: [Int: Int] = [:]
    for entry in standing {
      if case .progress(.bump(goal, let increment, _)) = entry.edit, let day = entry.day {
        counts[day, default: 0] += increment.value
      }
    }
    return counts.filter { $0.value != 0 }
  }

  /// The days of a goal that are excused.
  func excusedDays(of goal: Goal.ID) -> Set<Int> {
    var days: Set<Int> = []
    for entry in standing {
      if case .progress(.skip(goal)) = entry.edit, let day = entry.day { days.insert(day) }
    }
    return days
  }

  /// The notes of a goal's bumps, in log order.
  func notes(of goal: Goal.ID) -> [(version: Int, day: Int, note: Note)] {
    standing.compactMap { entry in
      guard case .progress(.bump(goal, _, let note?)) = entry.edit, let day = entry.day else {
        return nil
      }
      return (entry.version, day, note)
    }
  }
}
