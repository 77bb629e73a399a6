/// A period of a goal's history, judged by what was in force just before its end.
public struct JudgedPeriod: Hashable, Sendable {
  /// The first of these that holds.
  public enum State: String, CaseIterable, Sendable {
    /// At least the frequency was counted.
    case met
    /// It holds an excused day.
    case skipped
    /// It is not over.
    case pending
    /// The goal did not exist or was inactive at its start, at its end, or for a whole day of it.
    case paused
    case missed
  }

  public let interval: Interval
  public let period: Period
  public let count: Int
  public let frequency: Frequency
  public let state: State
  /// Whether it is the first since the interval changed: runs of met periods do not pass it.
  public let beginsInterval: Bool
}

/// The time during which an interval ruled: whole periods of it.
struct Stretch {
  let interval: Interval
  /// A day of its first period.
  let first: Day
  /// The day on which the interval came.
  let since: Day
  /// The day on which the next interval came; nil for the present one.
  let changed: Day?
  let today: Day

  /// Whether the period is one of the stretch: over when the next interval came, or begun by now.
  func holds(_ period: Period) -> Bool {
    changed.map { period.end <= $0 } ?? (period.start <= today)
  }
}

extension TrackedGoal {
  /// Every period from that of the goal's creation, or of its earliest count, to the running one;
  /// or those of them that overlap a window.
  ///
  /// Where the interval changed, the periods of the old one that had ended by then come first, and
  /// those of the new one begin with its own period that holds the change.
  public func periods(
    overlapping window: Range<Day>? = nil, until now: Instant, in calendar: Calendar
  ) -> [JudgedPeriod] {
    var judge = PeriodJudge(self, at: now, in: calendar)
    return periods(overlapping: window, judgedBy: &judge)
  }

  /// As above, by a judge of this goal.
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

  /// The indices of those intervals of which a period may overlap a window.
  ///
  /// The periods of an interval end by the day on which the next one comes, and begin less than a
  /// month before the one on which it came itself; but for those of the first, which begin with the
  /// first count.
  private func indices(ofIntervalsIn window: Range<Day>?, _ calendar: Calendar) -> Range<Int> {
    guard let window else { return 0..<intervals.count }
    let first = intervals.index(at: calendar.start(of: window.lowerBound))
    let end = window.upperBound.adding(days: Self.longestPeriod) ?? .last
    let last = intervals.index(at: calendar.end(of: end))
    return first..<max(first, last) + 1
  }

  /// No period has more days.
  private static var longestPeriod: Int64 { 62 }

  /// Whether the goal existed and was active at an instant.
  func isThere(at instant: Instant) -> Bool {
    instant >= createdAt && existence.value(at: instant) && activity.value(at: instant)
  }
}
