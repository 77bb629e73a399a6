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
    let today = calendar.day(of: now)
    let absences = absences
    let changes = intervals.entries
    var judged: [JudgedPeriod] = []
    for (place, change) in changes.enumerated() {
      var first = calendar.day(of: change.from)
      if place == 0, let counted = days.firstCounted { first = min(first, counted) }
      let next = place + 1 < changes.count ? calendar.day(of: changes[place + 1].from) : nil
      var period = calendar.period(of: change.value, holding: first)
      var beginsInterval = true
      while next.map({ period.end <= $0 }) ?? (period.start <= today) {
        judged.append(
          judge(
            period, of: change.value, beginsInterval: beginsInterval, absences: absences, at: now,
            in: calendar))
        beginsInterval = false
        guard let following = calendar.period(of: change.value, after: period) else { break }
        period = following
      }
    }
    return judged
  }

  private func judge(
    _ period: Period, of interval: Interval, beginsInterval: Bool, absences: [Range<Instant>],
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
      } else if absences.contains(where: { $0.pauses(period, in: calendar) }) {
        .paused
      } else {
        .missed
      }
    return JudgedPeriod(
      interval: interval, period: period, count: count, frequency: frequency, state: state,
      beginsInterval: beginsInterval)
  }

  /// When the goal did not exist or was inactive, in order.
  private var absences: [Range<Instant>] {
    let beginning = Instant(milliseconds: .min)
    let end = Instant(milliseconds: .max)
    let turns = Set(existence.entries.map(\.from) + activity.entries.map(\.from)).sorted()
    var absences: [Range<Instant>] = []
    var since: Instant? = beginning
    for turn in turns {
      switch (isThere(at: turn), since) {
      case (true, let start?):
        if start < turn { absences.append(start..<turn) }
        since = nil
      case (false, nil): since = turn
      case (true, nil), (false, _?): break
      }
    }
    if let since { absences.append(since..<end) }
    return absences
  }

  /// Whether the goal existed and was active at an instant.
  func isThere(at instant: Instant) -> Bool {
    instant >= createdAt && existence.value(at: instant) && activity.value(at: instant)
  }
}

extension Range<Instant> {
  /// Whether this absence holds a period's start, its last instant, or a whole day of it.
  fileprivate func pauses(_ period: Period, in calendar: Calendar) -> Bool {
    let start = calendar.start(of: period.start)
    let end = calendar.start(of: period.end)
    guard lowerBound < end, start < upperBound else { return false }
    if contains(start) || contains(Instant(milliseconds: end.milliseconds &- 1)) { return true }
    let begun = calendar.day(of: lowerBound)
    let isWhole = calendar.start(of: begun) == lowerBound
    let day = isWhole ? begun : calendar.day(of: calendar.end(of: begun))
    return day < period.end && calendar.end(of: day) <= upperBound
  }
}
