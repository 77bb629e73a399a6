/// Judges periods of a goal as they read at an instant.
struct PeriodJudge {
  let goal: TrackedGoal
  let now: Instant
  let calendar: Calendar
  /// Worked out for the first period that may be paused: most goals are judged without.
  private(set) lazy var absences = Absences(of: goal)

  init(_ goal: TrackedGoal, at now: Instant, in calendar: Calendar) {
    self.goal = goal
    self.now = now
    self.calendar = calendar
  }

  mutating func judge(_ period: Period, in stretch: Stretch) -> JudgedPeriod {
    let (count, isExcused) = goal.days.tally(in: period)
    let end = calendar.start(of: period.end)
    let frequency = goal.frequencies.value(at: Instant(milliseconds: end.milliseconds &- 1))
    let state: JudgedPeriod.State =
      if count >= frequency.value {
        .met
      } else if isExcused {
        .skipped
      } else if end > now {
        .pending
      } else if absences.pause(period, in: calendar) {
        .paused
      } else {
        .missed
      }
    return JudgedPeriod(
      interval: stretch.interval, period: period, count: count, frequency: frequency,
      state: state, beginsInterval: period.start <= stretch.first)
  }
}
