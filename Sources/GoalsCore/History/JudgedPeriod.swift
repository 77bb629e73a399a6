/// A period of a goal's history, judged by the values in force just before its end.
public struct JudgedPeriod: Hashable, Sendable {
  /// The first case that holds.
  public enum State: String, CaseIterable, Sendable {
    /// The count reached the frequency.
    case met
    /// It holds an excused day.
    case skipped
    /// It is not over.
    case pending
    /// The goal did not exist or was inactive at its start, at its end, or for a whole day of it.
    case paused
    /// None of these: less was counted than was to be.
    case missed
  }

  /// The interval that the period is one round of.
  public let interval: Interval
  /// The days of the period.
  public let period: Period
  /// What was counted in it.
  public let count: Int
  /// What was to be counted in it.
  public let frequency: Frequency
  /// How it was judged.
  public let state: State
  /// Whether this is the first period since the interval changed: a run of met periods ends before
  /// it.
  public let beginsInterval: Bool
}

/// The time during which an interval was in force, as whole periods of it.
struct Stretch {
  let interval: Interval
  /// A day of its first period.
  let first: Day
  /// The day on which the interval came into force.
  let since: Day
  /// The day on which the next interval came into force; nil for the present interval.
  let changed: Day?
  let today: Day

  /// Whether a period belongs to the stretch: it ended by the day of the next interval, or it began
  /// by today where there is no next one.
  func holds(_ period: Period) -> Bool {
    changed.map { period.end <= $0 } ?? (period.start <= today)
  }
}

extension TrackedGoal {
  /// The goal's periods, from the one of its creation or earliest count to the running one. With a
  /// window, only the periods that overlap it.
  ///
  /// Where the interval changed, the periods of the old interval that had ended by then come first.
  /// The periods of the new interval begin with the one that holds the change.
  public func periods(
    overlapping window: Range<Day>? = nil, until now: Instant, in calendar: GoalCalendar
  ) -> [JudgedPeriod] {
    var judge = PeriodJudge(self, at: now, in: calendar)
    return periods(overlapping: window, judgedBy: &judge)
  }

  /// The same periods, judged by a judge of this goal.
  func periods(
    overlapping window: Range<Day>?, judgedBy judge: inout PeriodJudge
  ) -> [JudgedPeriod] {
    let calendar = judge.calendar
    var judged: [JudgedPeriod] = []
    for index in indices(ofIntervalsIn: window, calendar) {
      let stretch = judge.stretch(at: index)
      let first = max(stretch.first, window?.lowerBound ?? .first)
      var period = calendar.period(of: stretch.interval, holding: first)
      while stretch.holds(period), window.map({ period.start < $0.upperBound }) ?? true {
        judged.append(judge.judge(period, in: stretch))
        guard let next = calendar.period(of: stretch.interval, after: period) else { break }
        period = next
      }
    }
    return judged
  }

  /// The indices of the intervals whose periods may overlap a window.
  ///
  /// An interval's periods end by the day on which the next interval comes. They begin less than a
  /// month before the day on which the interval itself came; only those of the first interval begin
  /// with the first count. A window may begin on a date that is no day: the day before lasts on
  /// over it, so the interval that was in force just before the window may be the one to begin
  /// with.
  private func indices(ofIntervalsIn window: Range<Day>?, _ calendar: GoalCalendar) -> Range<Int> {
    guard let window else { return 0..<intervals.count }
    let start = calendar.start(of: window.lowerBound)
    let first = intervals.index(at: Instant(milliseconds: start.milliseconds - 1))
    let end = window.upperBound.adding(days: Self.longestPeriod) ?? .last
    let last = intervals.index(at: calendar.end(of: end))
    return first..<max(first, last) + 1
  }

  /// No period has more days than this.
  private static var longestPeriod: Int64 { 62 }

  /// Whether the goal existed and was active at an instant.
  func isThere(at instant: Instant) -> Bool {
    instant >= createdAt && existence.value(at: instant) && activity.value(at: instant)
  }
}
