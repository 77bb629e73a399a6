/// The absences of a goal, which are the times at which it did not exist or was inactive. They are
/// in order and apart from each other.
struct Absences {
  /// Those that may pause a period. One that begins and ends within a day pauses none.
  private let absences: [Absence]
  /// The index that was found last: mostly days are looked for in order.
  private var lastFound = 0

  /// - Parameter steps: grows by the number of settings looked at.
  init(of goal: TrackedGoal, in calendar: GoalCalendar, counting steps: inout Int) {
    absences = Self.ranges(of: goal, counting: &steps).compactMap { Absence($0, in: calendar) }
  }

  /// Whether an absence covers a period's start, its last instant, or a whole day of it.
  mutating func pause(_ period: Period) -> Bool {
    var index = first(notOverOn: period.start)
    while index < absences.count, absences[index].begun < period.end {
      if absences[index].pauses(period) { return true }
      index += 1
    }
    return false
  }

  /// Whether each of these days is paused, as a period by itself.
  mutating func pauseEach(of days: Range<Day>) -> Bool {
    var (day, index) = (days.lowerBound, first(notOverOn: days.lowerBound))
    while day < days.upperBound {
      guard index < absences.count, absences[index].begun <= day else { return false }
      day = absences[index].over
      index += 1
    }
    return true
  }

  /// The day that holds the end of the absence in which a day starts; nil where there is none.
  mutating func end(aroundStartOf day: Day) -> Day? {
    let index = first(notOverOn: day)
    guard index < absences.count, absences[index].first <= day else { return nil }
    return absences[index].ended
  }

  private mutating func first(notOverOn day: Day) -> Int {
    while lastFound < absences.count, absences[lastFound].over <= day { lastFound += 1 }
    while lastFound > 0, absences[lastFound - 1].over > day { lastFound -= 1 }
    return lastFound
  }

  /// The times at which a goal did not exist or was inactive: in order, and apart from each other.
  ///
  /// - Parameter steps: grows by the number of settings looked at.
  static func ranges(of goal: TrackedGoal, counting steps: inout Int) -> [Range<Instant>] {
    let (existence, activity) = (goal.existence, goal.activity)
    var ranges: [Range<Instant>] = []
    var since: Instant? = Instant(milliseconds: .min)
    var (exists, isActive) = (existence.first.value, activity.first.value)
    var (nextExistence, nextActivity) = (0, 0)
    while true {
      let existenceChange = nextExistence < existence.count ? existence[nextExistence] : nil
      let activityChange = nextActivity < activity.count ? activity[nextActivity] : nil
      guard let instant = earlier(existenceChange?.from, activityChange?.from) else { break }
      steps += 1
      if let existenceChange, existenceChange.from == instant {
        exists = existenceChange.value
        nextExistence += 1
      }
      if let activityChange, activityChange.from == instant {
        isActive = activityChange.value
        nextActivity += 1
      }
      switch (instant >= goal.createdAt && exists && isActive, since) {
      case (true, let start?):
        if start < instant { ranges.append(start..<instant) }
        since = nil
      case (false, nil): since = instant
      case (true, nil), (false, _?): break
      }
    }
    if let since { ranges.append(since..<Instant(milliseconds: .max)) }
    return ranges
  }

  private static func earlier(_ one: Instant?, _ other: Instant?) -> Instant? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
  }
}

/// An absence in terms of days, each of which tells by itself what the absence covers of a period.
private struct Absence {
  /// The day that holds the absence's begin, and the one that holds its end.
  let begun, ended: Day
  /// The first day that starts in the absence or after it, and the first that starts after it.
  let first, over: Day

  /// Nil where the absence covers neither the start of a day nor the last instant of one.
  init?(_ range: Range<Instant>, in calendar: GoalCalendar) {
    begun = calendar.day(of: range.lowerBound)
    ended = calendar.day(of: range.upperBound)
    first = calendar.first(from: range.lowerBound, on: begun)
    over = calendar.first(from: range.upperBound, on: ended)
    if begun == ended, first == over { return nil }
  }

  func pauses(_ period: Period) -> Bool {
    let coversStart = first <= period.start && period.start < over
    let coversLastInstant = begun < period.end && period.end <= ended
    let coversDay = period.start <= first && first < period.end && first < ended
    return coversStart || coversLastInstant || coversDay
  }
}

extension GoalCalendar {
  /// The first day that starts at an instant or later, where the instant is on this day.
  fileprivate func first(from instant: Instant, on day: Day) -> Day {
    if start(of: day) >= instant { return day }
    return Day(clamping: existingNumber(from: Int64(day.number) + 1))
  }
}
