/// Counts a streak, period by period.
///
/// Only a period with a count can be met, so only these are judged one by one. The periods between
/// two of them either break a run or do not, and mostly the first of them decides. So the time of a
/// walk grows with the days that have counts, not with all days since the goal's creation.
///
/// Each call of `run` has a limit, so that a long walk can be made in portions.
struct StreakWalk {
  private(set) var streak: Streak
  private(set) var marks: StreakMarks
  private var judge: PeriodJudge
  /// The index of the present interval among the goal's.
  private var index: Int
  /// The present stretch and its next period; nil where the stretch has yet to begin.
  private var next: (stretch: Stretch, period: Period)?
  /// For late edits of so many days there are marks to start from.
  private static let daysOneByOne: Int64 = 40
  /// The last result of `firstCounted(from:)`, and the day from which it searched.
  private var counted: (from: Day, first: Day?)?

  init(of goal: TrackedGoal, at now: Instant, in calendar: GoalCalendar, from marks: StreakMarks?) {
    judge = PeriodJudge(goal, at: now, in: calendar)
    self.marks = marks ?? StreakMarks()
    let start = self.marks.latest
    streak = start?.streak ?? Streak(current: 0, longest: 0)
    index = start?.stretch ?? 0
    judge.steps = start?.steps ?? 0
    if let start, index < goal.intervals.count {
      next = begin(from: start.start)
    }
  }

  /// The work done since the beginning of the history, as `PeriodJudge.steps` counts it.
  var steps: Int { judge.steps }

  /// Walks on until `steps` reaches the limit. Returns whether the walk is complete.
  mutating func run(upTo limit: Int) -> Bool {
    while index < judge.goal.intervals.count {
      guard judge.steps < limit else { return false }
      guard let (stretch, period) = next else {
        streak.current = 0
        next = begin(from: nil)
        continue
      }
      next = run(from: period, in: stretch, upTo: limit).map { (stretch, $0) }
      if next == nil { index += 1 }
    }
    return true
  }

  /// Walks on in one stretch. Returns the next period of it, or nil where the stretch is complete.
  private mutating func run(
    from period: Period, in stretch: Stretch, upTo limit: Int
  ) -> Period? {
    var period = period
    while stretch.holds(period) {
      guard judge.steps < limit else { return period }
      guard
        let after = countDays(from: period.start, in: stretch, upTo: limit)
          ?? step(period, in: stretch),
        after.start > period.start
      else { return nil }
      period = after
    }
    return nil
  }

  private mutating func begin(from day: Day?) -> (Stretch, Period) {
    judge.steps += 1
    let stretch = judge.stretch(at: index)
    let period = judge.calendar.period(of: stretch.interval, holding: day ?? stretch.first)
    return (stretch, period)
  }

  /// Counts a period, and returns the next one to count.
  private mutating func step(_ period: Period, in stretch: Stretch) -> Period? {
    let settled = max(period.start, stretch.since)
    if settled <= stretch.today {
      marks.add(
        StreakMark(
          stretch: index, start: period.start, settled: settled, streak: streak, steps: judge.steps
        ))
    }
    return count(period, in: stretch)
  }

  private mutating func count(_ period: Period, in stretch: Stretch) -> Period? {
    let interval = stretch.interval
    switch judge.judge(period).state {
    case .met:
      streak.extend()
    case .missed:
      streak.current = 0
      return counted(from: period.end, of: interval)
    case .paused:
      guard let end = judge.absences.end(aroundStartOf: period.end) else { break }
      let back = judge.calendar.period(of: interval, holding: end)
      let counted = counted(from: period.end, of: interval)
      return counted.map { $0.start < back.start ? $0 : back } ?? back
    case .skipped, .pending: break
    }
    return judge.calendar.period(of: interval, after: period)
  }

  /// Counts days that are periods by themselves, and returns the next day to count; nil where the
  /// days from this one on have to be counted one by one. It looks at the days with a count or an
  /// excuse in one pass, and at those between two of them together.
  ///
  /// The last days before today are counted one by one, as there are marks among them. So are
  /// those around a date that the zone lacks, as a day may be a longer period there.
  private mutating func countDays(
    from first: Day, in stretch: Stretch, upTo limit: Int
  ) -> Period? {
    let lacking = judge.calendar.zone.lacking
    guard stretch.interval == .daily, !lacking.contains(Int64(first.number)),
      let last = stretch.today.adding(days: -Self.daysOneByOne)
    else { return nil }
    var end = min(stretch.changed ?? last, last)
    if first.number < lacking.lowerBound { end = min(end, Day(clamping: lacking.lowerBound)) }
    guard first < end else { return nil }
    var pass = DayPass(streak: streak, absences: judge.absences, next: first)
    var isCut = false
    let days = judge.goal.days
    days.visit(from: first) { counted in
      guard counted.day < end else { return false }
      if judge.steps >= limit, pass.next > first {
        isCut = true
        return false
      }
      judge.steps += 1
      pass.count(counted, of: judge.frequency(atEndOf: counted.day))
      return true
    }
    if !isCut { pass.skip(to: end) }
    (streak, judge.absences) = (pass.streak, pass.absences)
    return judge.calendar.period(of: .daily, holding: pass.next)
  }

  /// The period of the first day with a count, at or after a day.
  private mutating func counted(from day: Day, of interval: Interval) -> Period? {
    firstCounted(from: day).map { judge.calendar.period(of: interval, holding: $0) }
  }

  /// Keeps the last result, so that the excused days between two counted days are passed once, not
  /// for every absence.
  private mutating func firstCounted(from day: Day) -> Day? {
    if let counted, counted.from <= day, counted.first.map({ $0 >= day }) ?? true {
      return counted.first
    }
    let first = judge.goal.days.firstCounted(from: day, counting: &judge.steps)
    counted = (day, first)
    return first
  }
}

/// Counts days in order, each of them a period by itself.
private struct DayPass {
  var streak: Streak
  var absences: Absences
  /// The next day to count.
  var next: Day

  mutating func count(_ counted: DayCounts.DayCount, of frequency: Frequency) {
    let after = Day(clamping: Int64(counted.day.number) + 1)
    let isMet = counted.count >= frequency.value
    skip(to: isMet || counted.isExcused ? counted.day : after)
    if isMet { streak.extend() }
    next = after
  }

  /// Counts the days before this one as days on which too little was counted.
  mutating func skip(to day: Day) {
    if streak.current > 0, !absences.pauseEach(of: next..<day) { streak.current = 0 }
    next = day
  }
}

/// A mark in a walk: the streak before a period is counted.
struct StreakMark: Sendable {
  /// The index of the period's interval among the goal's.
  let stretch: Int
  /// The first day of the period. All periods before it are over.
  let start: Day
  /// The day by which the streak is settled: it depends on no day from this one on.
  let settled: Day
  let streak: Streak
  /// The work done before it.
  let steps: Int
}

/// A few marks from which a walk can start again: the last mark, and two further back for edits
/// that come late.
struct StreakMarks: Sendable {
  /// The distance, in steps, between the marks further back.
  private static let distance = 32

  private var marks: [StreakMark] = []

  var latest: StreakMark? { marks.last }

  mutating func add(_ mark: StreakMark) {
    guard let last = marks.last else { return marks.append(mark) }
    // A walk that starts from a mark first adds that mark again.
    if last.stretch == mark.stretch, last.start == mark.start { return }
    if marks.count > 1, last.steps - marks[marks.count - 2].steps < Self.distance {
      marks[marks.count - 1] = mark
    } else {
      marks.append(mark)
      if marks.count > 3 { marks.removeFirst() }
    }
  }

  /// The marks up to the last that holds; nil where none holds.
  func keeping(_ holds: (StreakMark) -> Bool) -> StreakMarks? {
    guard let index = marks.lastIndex(where: { holds($0) }) else { return nil }
    var kept = self
    kept.marks.removeSubrange((index + 1)...)
    return kept
  }
}
