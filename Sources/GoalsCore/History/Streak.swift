/// The runs of met periods of one interval. Periods that are skipped, paused or pending neither
/// break nor lengthen a run.
public struct Streak: Hashable, Sendable {
  /// The run that stands, in the present interval up to its last change.
  public let current: Int
  /// The best there was.
  public let longest: Int

  public init(current: Int, longest: Int) {
    self.current = current
    self.longest = longest
  }

  init(of periods: [JudgedPeriod]) {
    var current = 0
    var longest = 0
    for period in periods {
      if period.beginsInterval { current = 0 }
      switch period.state {
      case .met: current += 1
      case .missed: current = 0
      case .skipped, .pending, .paused: break
      }
      longest = max(longest, current)
    }
    self.init(current: current, longest: longest)
  }
}

extension TrackedGoal {
  /// The goal's streak, as its judged periods tell it.
  ///
  /// Only periods with a count can be met, so only those are judged one by one. What lies between two
  /// of them breaks a run or not as a whole, which mostly its first period tells. So a streak takes
  /// the time of the days with counts, not of all the days since the goal was made.
  public func streak(at now: Instant, in calendar: Calendar) -> Streak {
    let absences = Absences(of: self)
    var current = 0
    var longest = 0
    for stretch in stretches(until: now, in: calendar) {
      current = 0
      var period = calendar.period(of: stretch.interval, holding: stretch.first)
      while stretch.holds(period) {
        let judged = judge(
          period, of: stretch.interval, beginsInterval: false, absences: absences, at: now,
          in: calendar)
        var next = calendar.period(of: stretch.interval, after: period)
        switch judged.state {
        case .met:
          current += 1
          longest = max(longest, current)
        case .missed:
          current = 0
          next = counted(from: period.end, of: stretch.interval, in: calendar)
        case .paused:
          let end = absences.end(around: calendar.start(of: period.end))
          next =
            end.map { calendar.period(of: stretch.interval, holding: calendar.day(of: $0)) }
            .map { earlier($0, counted(from: period.end, of: stretch.interval, in: calendar)) }
            ?? next
        case .skipped, .pending: break
        }
        guard let next, next.start > period.start else { break }
        period = next
      }
    }
    return Streak(current: current, longest: longest)
  }

  /// The period of the first day with a count, from a day on.
  private func counted(from day: Day, of interval: Interval, in calendar: Calendar) -> Period? {
    days.firstCounted(from: day).map { calendar.period(of: interval, holding: $0) }
  }

  private func earlier(_ one: Period, _ other: Period?) -> Period {
    other.map { $0.start < one.start ? $0 : one } ?? one
  }
}
