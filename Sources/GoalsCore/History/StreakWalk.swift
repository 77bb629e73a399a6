/// Counts a streak, period by period.
///
/// Only periods with a count can be met, so only those are judged one by one. What lies between two
/// of them breaks a run or not as a whole, which mostly its first period tells. So a walk takes the
/// time of the days with counts, not of all the days since the goal was made.
///
/// It goes as far as it is told at once, so that a long walk can be made in portions.
struct StreakWalk {
  private(set) var streak: Streak
  private(set) var marks: StreakMarks
  /// How many periods were judged.
  private(set) var visits = 0
  private var judge: PeriodJudge
  /// The index of the interval at hand among the goal's.
  private var index: Int
  /// The stretch at hand and the period that comes next in it; nil where it has yet to begin.
  private var next: (stretch: Stretch, period: Period)?
  /// The first day with a count from a day on, as it was found last.
  private var counted: (from: Day, first: Day?)?

  init(of goal: TrackedGoal, at now: Instant, in calendar: Calendar, from marks: StreakMarks?) {
    judge = PeriodJudge(goal, at: now, in: calendar)
    self.marks = marks ?? StreakMarks()
    let start = self.marks.latest
    streak = start?.streak ?? Streak(current: 0, longest: 0)
    index = start?.stretch ?? 0
    if let start, index < goal.intervals.count {
      next = begin(from: start.start)
    }
  }

  /// How much was looked at: periods, intervals, and entries of timelines.
  var steps: Int { judge.steps }

  /// Goes on until so much was looked at in all, and answers whether it is over.
  mutating func run(upTo limit: Int) -> Bool {
    while index < judge.goal.intervals.count {
      guard judge.steps < limit else { return false }
      guard let (stretch, period) = next else {
        streak.current = 0
        next = begin(from: nil)
        continue
      }
      guard stretch.holds(period), let after = step(period, in: stretch),
        after.start > period.start
      else {
        next = nil
        index += 1
        continue
      }
      next = (stretch, after)
    }
    return true
  }

  private mutating func begin(from day: Day?) -> (Stretch, Period) {
    judge.steps += 1
    let stretch = judge.stretch(at: index)
    let period = judge.calendar.period(of: stretch.interval, holding: day ?? stretch.first)
    return (stretch, period)
  }

  /// Counts a period, and says which one comes next.
  private mutating func step(_ period: Period, in stretch: Stretch) -> Period? {
    let settled = max(period.start, stretch.since)
    if settled <= stretch.today {
      marks.add(
        StreakMark(stretch: index, start: period.start, settled: settled, streak: streak))
    }
    return count(period, in: stretch)
  }

  private mutating func count(_ period: Period, in stretch: Stretch) -> Period? {
    let interval = stretch.interval
    visits += 1
    switch judge.judge(period, in: stretch).state {
    case .met:
      streak.current += 1
      streak.longest = max(streak.longest, streak.current)
    case .missed:
      streak.current = 0
      return counted(from: period.end, of: interval)
    case .paused:
      let end = judge.absences.end(around: judge.calendar.start(of: period.end))
      guard let end else { break }
      let back = judge.calendar.period(of: interval, holding: judge.calendar.day(of: end))
      let counted = counted(from: period.end, of: interval)
      return counted.map { $0.start < back.start ? $0 : back } ?? back
    case .skipped, .pending: break
    }
    return judge.calendar.period(of: interval, after: period)
  }

  /// The period of the first day with a count, from a day on.
  private mutating func counted(from day: Day, of interval: Interval) -> Period? {
    firstCounted(from: day).map { judge.calendar.period(of: interval, holding: $0) }
  }

  /// Days that are excused lie between those with a count: they are passed once, not for every
  /// absence.
  private mutating func firstCounted(from day: Day) -> Day? {
    if let counted, counted.from <= day, counted.first.map({ $0 >= day }) ?? true {
      return counted.first
    }
    let first = judge.goal.days.firstCounted(from: day, counting: &judge.steps)
    counted = (day, first)
    return first
  }
}

/// A mark in a walk: the streak before a period is counted.
struct StreakMark: Sendable {
  /// The index of the period's interval among the goal's.
  let stretch: Int
  /// The first day of the period. All periods before it are over.
  let start: Day
  /// The day by which the streak is settled: nothing from this day on has been looked at.
  let settled: Day
  let streak: Streak
}

/// A few marks of a walk, from which it can be taken up again: the last one, and two further back
/// for edits that come late.
struct StreakMarks: Sendable {
  private struct Numbered: Sendable {
    let mark: StreakMark
    /// How many periods were visited before.
    let visits: Int
  }

  /// The distance in periods between those further back.
  private static let distance = 32

  private var marks: [Numbered] = []

  var latest: StreakMark? { marks.last?.mark }

  mutating func add(_ mark: StreakMark) {
    guard let last = marks.last else { return marks.append(Numbered(mark: mark, visits: 0)) }
    // Where a walk was taken up, it begins with the mark that is there.
    if last.mark.stretch == mark.stretch, last.mark.start == mark.start { return }
    let next = Numbered(mark: mark, visits: last.visits + 1)
    if marks.count > 1, last.visits - marks[marks.count - 2].visits < Self.distance {
      marks[marks.count - 1] = next
    } else {
      marks.append(next)
      if marks.count > 3 { marks.removeFirst() }
    }
  }

  /// The marks up to the last that holds; nil where none does.
  func keeping(_ holds: (StreakMark) -> Bool) -> StreakMarks? {
    guard let index = marks.lastIndex(where: { holds($0.mark) }) else { return nil }
    var kept = self
    kept.marks.removeSubrange((index + 1)...)
    return kept
  }
}
