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

extension TrackedGoal {
  /// Every period from that of the goal's creation, or of its earliest count, to the running one.
  ///
  /// Where the interval changed, the periods of the old one that had ended by then come first, and
  /// those of the new one begin with its own period that holds the change.
  public func periods(until now: Instant, in calendar: Calendar) -> [JudgedPeriod] {
    let absences = Absences(of: self)
    var judged: [JudgedPeriod] = []
    for stretch in stretches(until: now, in: calendar) {
      var period = calendar.period(of: stretch.interval, holding: stretch.first)
      var beginsInterval = true
      while stretch.holds(period) {
        judged.append(
          judge(
            period, of: stretch.interval, beginsInterval: beginsInterval, absences: absences,
            at: now, in: calendar))
        beginsInterval = false
        guard let next = calendar.period(of: stretch.interval, after: period) else { break }
        period = next
      }
    }
    return judged
  }

  /// The time during which an interval ruled: whole periods of it.
  struct Stretch {
    let interval: Interval
    /// A day of its first period.
    let first: Day
    /// The day on which the next interval came; nil for the present one.
    let changed: Day?
    let today: Day

    /// Whether the period is one of the stretch: over when the next interval came, or begun by now.
    func holds(_ period: Period) -> Bool {
      changed.map { period.end <= $0 } ?? (period.start <= today)
    }
  }

  /// The stretches of the goal's intervals, in order.
  func stretches(until now: Instant, in calendar: Calendar) -> [Stretch] {
    let today = calendar.day(of: now)
    let changes = intervals.entries
    return changes.indices.map { place in
      var first = calendar.day(of: changes[place].from)
      if place == 0, let counted = days.firstCounted { first = min(first, counted) }
      let next = place + 1 < changes.count ? calendar.day(of: changes[place + 1].from) : nil
      return Stretch(interval: changes[place].value, first: first, changed: next, today: today)
    }
  }

  func judge(
    _ period: Period, of interval: Interval, beginsInterval: Bool, absences: Absences,
    at now: Instant, in calendar: Calendar
  ) -> JudgedPeriod {
    let (count, isExcused) = days.tally(in: period)
    let end = calendar.start(of: period.end)
    let frequency = frequencies.value(at: Instant(milliseconds: end.milliseconds &- 1))
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
      interval: interval, period: period, count: count, frequency: frequency, state: state,
      beginsInterval: beginsInterval)
  }

  /// Whether the goal existed and was active at an instant.
  func isThere(at instant: Instant) -> Bool {
    instant >= createdAt && existence.value(at: instant) && activity.value(at: instant)
  }
}
