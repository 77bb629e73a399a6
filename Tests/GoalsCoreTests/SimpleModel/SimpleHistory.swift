import GoalsCore

struct SimpleProgress: Equatable {
  let period: Range<Int>
  let count: Int
  let today: Int
  let state: RunningPeriod.State
}

/// The history of a goal as the simple model tells it: every period, one after the other, and every
/// day of every period.
struct SimpleHistory {
  struct Judgement: Equatable {
    let interval: Interval
    let period: Range<Int>
    let count: Int
    let frequency: Int
    let state: JudgedPeriod.State
  }

  private let goal: SimpleGoal
  private let counts: [Int: Int]
  private let excused: Set<Int>
  private let calendar: SimpleCalendar
  private let now: Instant
  private let today: Int
  /// The periods of each interval that was in force, one interval after the other.
  private var stretches: [[Judgement]] = []

  init(
    of goal: SimpleGoal, in account: SimpleAccount, at now: Instant, _ calendar: SimpleCalendar
  ) {
    self.goal = goal
    self.calendar = calendar
    self.now = now
    counts = account.counts(of: goal.goal.id)
    excused = account.excusedDays(of: goal.goal.id)
    today = calendar.clock.day(of: now)
    stretches = judgements()
  }

  /// The running period of the present interval, its count, today's, and how it stands; nil while
  /// inactive.
  var progress: SimpleProgress? {
    guard goal.activity.present else { return nil }
    let period = calendar.period(of: goal.goal.interval, holding: today)
    let count = count(in: period)
    let isMet = count >= goal.goal.frequency.value
    return SimpleProgress(
      period: period, count: count, today: counts[today] ?? 0,
      state: isMet ? .met : excused.contains(where: period.contains) ? .excused : .open)
  }

  /// The periods of each interval that was in force, in order. "Periods of the old one that had
  /// ended by then stay, and the new one rules from its own period that holds the change."
  private func judgements() -> [[Judgement]] {
    let turns = goal.intervals.turns
    return turns.indices.map { place in
      let interval = goal.intervals.value(at: turns[place])
      var first = calendar.clock.day(of: turns[place])
      if place == 0 { first = min(first, counts.keys.min() ?? first) }
      let change = place + 1 < turns.count ? turns[place + 1] : nil
      var judgements: [Judgement] = []
      var period = calendar.period(of: interval, holding: first)
      while change.map({ end(of: period) <= $0 }) ?? (period.lowerBound <= today) {
        judgements.append(judge(period, of: interval))
        period = calendar.period(of: interval, holding: period.upperBound)
      }
      return judgements
    }
  }

  var periods: [Judgement] { stretches.flatMap { $0 } }

  /// The counts of a window of days, and the periods that overlap it.
  func part(_ window: Range<Int>) -> (counts: [Int: Int], periods: [Judgement]) {
    (counts.filter { window.contains($0.key) }, periods.filter { $0.period.overlaps(window) })
  }

  /// "`current` counts back in the present interval up to its last change, `longest` is the best."
  var streak: Streak {
    var longest = 0
    var run = 0
    for stretch in stretches {
      run = 0
      for judgement in stretch {
        switch judgement.state {
        case .met: run += 1
        case .missed: run = 0
        case .skipped, .paused, .pending: break
        }
        longest = max(longest, run)
      }
    }
    return Streak(current: run, longest: longest)
  }

  private func count(in period: Range<Int>) -> Int {
    counts.reduce(0) { $0 + (period.contains($1.key) ? $1.value : 0) }
  }

  private func end(of period: Range<Int>) -> Instant {
    calendar.clock.instant(from: period.upperBound)
  }

  /// By what was in force just before the period's end; the first state that holds.
  private func judge(_ period: Range<Int>, of interval: Interval) -> Judgement {
    let last = end(of: period).adding(milliseconds: -1)
    let frequency = goal.frequencies.value(at: last)
    let count = count(in: period)
    let state: JudgedPeriod.State =
      if count >= frequency {
        .met
      } else if excused.contains(where: period.contains) {
        .skipped
      } else if now < end(of: period) {
        .pending
      } else if isPaused(period) {
        .paused
      } else {
        .missed
      }
    return Judgement(
      interval: interval, period: period, count: count, frequency: frequency, state: state)
  }

  /// "The goal did not exist or was inactive at its start, at its end, or for a whole day of it."
  private func isPaused(_ period: Range<Int>) -> Bool {
    let start = calendar.clock.instant(from: period.lowerBound)
    let last = end(of: period).adding(milliseconds: -1)
    return !goal.isThere(at: start) || !goal.isThere(at: last)
      || period.contains { calendar.clock.exists($0) && isAway(allOf: $0) }
  }

  /// Whether it was not there at the day's start nor at any instant of the day at which that could
  /// have changed.
  private func isAway(allOf day: Int) -> Bool {
    let start = calendar.clock.instant(from: day)
    let end = calendar.clock.instant(from: day + 1)
    let settings = (goal.activity.settings + goal.existence.settings).map(\.from)
    let instants = [start] + settings.filter { start < $0 && $0 < end }
    return !instants.contains(where: goal.isThere)
  }
}
