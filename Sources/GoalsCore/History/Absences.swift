/// When a goal did not exist or was inactive: ranges of instants, in order and apart from each other.
struct Absences {
  private let ranges: [Range<Instant>]

  /// - Parameter steps: counts the entries that are looked at.
  init(of goal: TrackedGoal, counting steps: inout Int) {
    let (existence, activity) = (goal.existence, goal.activity)
    var ranges: [Range<Instant>] = []
    var since: Instant? = Instant(milliseconds: .min)
    var (exists, isActive) = (existence.first.value, activity.first.value)
    var (nextExistence, nextActivity) = (0, 0)
    while true {
      let existenceTurn = nextExistence < existence.count ? existence[nextExistence] : nil
      let activityTurn = nextActivity < activity.count ? activity[nextActivity] : nil
      guard let turn = Self.earlier(existenceTurn?.from, activityTurn?.from) else { break }
      steps += 1
      if let existenceTurn, existenceTurn.from == turn {
        exists = existenceTurn.value
        nextExistence += 1
      }
      if let activityTurn, activityTurn.from == turn {
        isActive = activityTurn.value
        nextActivity += 1
      }
      switch (turn >= goal.createdAt && exists && isActive, since) {
      case (true, let start?):
        if start < turn { ranges.append(start..<turn) }
        since = nil
      case (false, nil): since = turn
      case (true, nil), (false, _?): break
      }
    }
    if let since { ranges.append(since..<Instant(milliseconds: .max)) }
    self.ranges = ranges
  }

  /// Whether an absence holds a period's start, its last instant, or a whole day of it; counts the
  /// absences that are looked at.
  func pause(_ period: Period, in calendar: Calendar, counting steps: inout Int) -> Bool {
    let start = calendar.start(of: period.start)
    let end = calendar.start(of: period.end)
    var place = first(endingAfter: start)
    while place < ranges.count, ranges[place].lowerBound < end {
      steps += 1
      if ranges[place].pauses(start..<end, ending: period.end, in: calendar) { return true }
      place += 1
    }
    return false
  }

  /// The end of the absence in which an instant lies; nil where it lies in none.
  func end(around instant: Instant) -> Instant? {
    let place = first(endingAfter: instant)
    guard place < ranges.count, ranges[place].contains(instant) else { return nil }
    return ranges[place].upperBound
  }

  private static func earlier(_ one: Instant?, _ other: Instant?) -> Instant? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
  }

  private func first(endingAfter instant: Instant) -> Int {
    ranges.partitioningIndex { $0.upperBound > instant }
  }
}

extension Range<Instant> {
  /// Whether this absence, which overlaps a period, holds its start, its last instant or a whole day.
  fileprivate func pauses(
    _ period: Range<Instant>, ending end: Day, in calendar: Calendar
  ) -> Bool {
    let last = Instant(milliseconds: period.upperBound.milliseconds &- 1)
    if contains(period.lowerBound) || contains(last) { return true }
    let begun = calendar.day(of: lowerBound)
    let isWhole = calendar.start(of: begun) == lowerBound
    let day = isWhole ? begun : calendar.day(of: calendar.end(of: begun))
    return day < end && calendar.end(of: day) <= upperBound
  }
}
