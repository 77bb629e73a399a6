/// The times at which a goal did not exist or was inactive: ranges of instants, in order and apart
/// from each other.
struct Absences {
  private let ranges: [Range<Instant>]

  /// - Parameter steps: grows by the number of entries looked at.
  init(of goal: TrackedGoal, counting steps: inout Int) {
    let (existence, activity) = (goal.existence, goal.activity)
    var ranges: [Range<Instant>] = []
    var since: Instant? = Instant(milliseconds: .min)
    var (exists, isActive) = (existence.first.value, activity.first.value)
    var (nextExistence, nextActivity) = (0, 0)
    while true {
      let existenceChange = nextExistence < existence.count ? existence[nextExistence] : nil
      let activityChange = nextActivity < activity.count ? activity[nextActivity] : nil
      guard let instant = Self.earlier(existenceChange?.from, activityChange?.from) else { break }
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
    self.ranges = ranges
  }

  /// Whether an absence covers a period's start, its last instant, or a whole day of it. Adds the
  /// number of absences looked at to `steps`.
  func pause(_ period: Period, in calendar: Calendar, counting steps: inout Int) -> Bool {
    let start = calendar.start(of: period.start)
    var index = first(endingAfter: start)
    guard index < ranges.count else { return false }
    let end = calendar.start(of: period.end)
    while index < ranges.count, ranges[index].lowerBound < end {
      steps += 1
      if ranges[index].pauses(start..<end, ending: period.end, in: calendar) { return true }
      index += 1
    }
    return false
  }

  /// The end of the absence that holds an instant; nil where none does.
  func end(around instant: Instant) -> Instant? {
    let index = first(endingAfter: instant)
    guard index < ranges.count, ranges[index].contains(instant) else { return nil }
    return ranges[index].upperBound
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
  /// Whether this absence, which overlaps a period, covers its start, its last instant or a whole
  /// day of it.
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
