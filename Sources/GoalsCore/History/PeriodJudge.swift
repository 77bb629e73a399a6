/// Judges periods of a goal as they read at an instant.
struct PeriodJudge {
  let goal: TrackedGoal
  let calendar: GoalCalendar
  /// The day of that instant.
  let today: Day
  /// The work done: how many periods, intervals, changes of activity and days the judge looked at.
  var steps = 0
  /// The frequency that was looked up last, and the days at whose ends it is in force.
  private var known: (frequency: Frequency, days: Range<Day>)
  /// Computed for the first period that may be paused; most goals need none.
  lazy var absences = Absences(of: goal, in: calendar, counting: &steps)

  init(_ goal: TrackedGoal, at now: Instant, in calendar: GoalCalendar) {
    self.goal = goal
    self.calendar = calendar
    known = (goal.frequencies.current, .first..<(.first))
    today = calendar.day(of: now)
  }

  /// The stretch of the goal's interval at this index.
  mutating func stretch(at index: Int) -> Stretch {
    steps += 1
    let intervals = goal.intervals
    let since = calendar.day(of: intervals[index].from)
    let counted = index == 0 ? goal.days.firstCounted(from: .first, counting: &steps) : nil
    let next = index + 1
    return Stretch(
      interval: intervals[index].value, first: min(since, counted ?? since), since: since,
      changed: next < intervals.count ? calendar.day(of: intervals[next].from) : nil, today: today)
  }

  /// What is to be counted in a period whose last day this is: the value that is in force just
  /// before its end.
  mutating func frequency(atEndOf day: Day) -> Frequency {
    if !known.days.contains(day) {
      let frequencies = goal.frequencies
      let index = frequencies.changes(before: calendar.end(of: day))
      let next =
        index < frequencies.later.count ? calendar.day(of: frequencies.later[index].from) : .last
      known = (frequencies[index].value, day..<next)
    }
    return known.frequency
  }

  mutating func judge(_ period: Period, in stretch: Stretch) -> JudgedPeriod {
    let (count, frequency, state) = judge(period)
    return JudgedPeriod(
      interval: stretch.interval, period: period, count: count, frequency: frequency,
      state: state, beginsInterval: period.start <= stretch.first)
  }

  /// What was counted in a period, what was to be counted, and how the period is judged by that.
  mutating func judge(
    _ period: Period
  ) -> (count: Int, frequency: Frequency, state: JudgedPeriod.State) {
    steps += 1
    let (count, _, isExcused) = goal.days.tally(in: period)
    let frequency = frequency(atEndOf: Day(clamping: Int64(period.end.number) - 1))
    let state: JudgedPeriod.State =
      if count >= frequency.value {
        .met
      } else if isExcused {
        .skipped
      } else if period.end > today {
        .pending
      } else if absences.pause(period) {
        .paused
      } else {
        .missed
      }
    return (count, frequency, state)
  }
}
