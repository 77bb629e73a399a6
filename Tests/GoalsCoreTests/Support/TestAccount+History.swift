import TestSupport
import Testing

@testable import GoalsCore

/// How history reads in UTC.
extension TestAccount {
  var calendar: GoalCalendar { known(zones.calendar(state.calendar), state.calendar.timeZone) }

  func periods(of id: Goal.ID, until instant: Instant? = nil) -> [JudgedPeriod] {
    state.roster.goal(id)?.periods(until: instant ?? now, in: calendar) ?? []
  }

  /// How the period that starts on this day was judged; nil where there is none.
  func judgement(
    of id: Goal.ID, _ day: String, until instant: Instant? = nil
  ) -> JudgedPeriod.State? {
    periods(of: id, until: instant).first { $0.period.start == .on(day) }?.state
  }

  func streak(of id: Goal.ID) -> Streak? {
    state.roster.goal(id)?.streak(at: now, in: calendar)
  }

  func item(_ id: Goal.ID, at instant: Instant? = nil) -> Goals.Item? {
    state.goals(at: instant ?? now, in: calendar).items.first { $0.goal.id == id }
  }

  mutating func count(_ number: Int = 1, _ id: Goal.ID = 1, on days: String...) {
    for day in days {
      record(.bump(id, by: .of(number), note: nil), at: .at("\(day)T12:00:00Z"))
    }
  }

  mutating func turn(_ id: Goal.ID = 1, on isActive: Bool, at instant: String) {
    record(.setActivity(.keyed([id: isActive])), at: .at(instant))
  }
}

extension StreakCounts {
  /// A goal's streak, counted on from the one that was counted last.
  mutating func streak(
    of goal: TrackedGoal, at now: Instant, in calendar: GoalCalendar
  ) -> Streak {
    let count = StreakCount(of: goal, at: now, in: calendar, after: self[goal.goal.id])
    self[goal.goal.id] = count
    return count.streak
  }
}
