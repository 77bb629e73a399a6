/// The counts of a goal by day, and its excused days.
///
/// A change of one day in a long history copies little more than the days near it.
public struct DayCounts: Hashable, Sendable {
  /// What there is of one day.
  public struct DayCount: Hashable, Sendable {
    /// The day in the account's calendar.
    public let day: Day
    /// Whether the day was skipped, which excuses its period.
    public var isExcused: Bool
    /// Never negative.
    public var count: Int

    /// The count of a day.
    public init(day: Day, count: Int, isExcused: Bool) {
      self.day = day
      self.count = count
      self.isExcused = isExcused
    }
  }

  private var days = SortedChunks<DayCount>()

  /// No counts yet.
  public init() {}

  /// The counts of these days; of several for one day the last counts.
  public init(_ days: some Sequence<DayCount>) {
    for counted in days { update(counted.day) { $0 = counted } }
  }

  /// What there is of a day: a count of 0 where there is nothing.
  public subscript(day: Day) -> DayCount {
    days[Int(day.number)] ?? DayCount(day: day, count: 0, isExcused: false)
  }

  /// The first day with a count or an excuse.
  public var first: Day? { days.first?.day }

  /// The first day with a count.
  public var firstCounted: Day? { firstCounted(from: .first) }

  /// The first day with a count, at or after a day.
  public func firstCounted(from day: Day) -> Day? {
    var steps = 0
    return firstCounted(from: day, counting: &steps)
  }

  /// The first day with a count, at or after a day. Adds the number of days looked at to `steps`.
  func firstCounted(from day: Day, counting steps: inout Int) -> Day? {
    var found: Day?
    visit(from: day) { counted in
      steps += 1
      if counted.count > 0 { found = counted.day }
      return found == nil
    }
    return found
  }

  /// Adds to a day's count. The caller makes sure that the count does not fall below 0. Only 2^43
  /// of the largest bumps would reach the end of an Int; in a browser, where an Int has 32 bits,
  /// 2,148 of them do, and the count stays there.
  public mutating func add(_ amount: Int, on day: Day) {
    update(day) { $0.count = max(0, $0.count.adding(atMost: amount)) }
  }

  /// Excuses a day, or takes its excuse back.
  public mutating func setExcused(_ isExcused: Bool, on day: Day) {
    update(day) { $0.isExcused = isExcused }
  }

  /// The days with a count or an excuse in a range, in order.
  public func counts(in days: Range<Day>) -> [DayCount] {
    var found: [DayCount] = []
    visit(days) { found.append($0) }
    return found
  }

  /// The days with a count or an excuse, in order.
  public var all: [DayCount] { days.all }

  /// How many days have a count or an excuse.
  public var count: Int { days.count }

  /// Whether the days before this one are the same in both. Where one was made from the other, the
  /// time grows with the number of chunks, not of days.
  func agrees(with other: DayCounts, before day: Day) -> Bool {
    days.agrees(with: other.days, before: Int(day.number))
  }

  /// The sum of the counts, the count of one day, and whether there is an excused day, in a period.
  public func tally(
    in period: Period, today: Day? = nil
  ) -> (count: Int, today: Int, isExcused: Bool) {
    var tally = (count: 0, today: 0, isExcused: false)
    visit(period.start..<period.end) { counted in
      tally.count = tally.count.adding(atMost: counted.count)
      if counted.day == today { tally.today = counted.count }
      tally.isExcused = tally.isExcused || counted.isExcused
    }
    return tally
  }

  private func visit(_ days: Range<Day>, _ body: (DayCount) -> Void) {
    visit(from: days.lowerBound) { counted in
      guard counted.day < days.upperBound else { return false }
      body(counted)
      return true
    }
  }

  /// Visits the days with a count or an excuse, at and after a day, until `body` returns false.
  func visit(from day: Day, _ body: (DayCount) -> Bool) {
    days.visit(from: Int(day.number), body)
  }

  private mutating func update(_ day: Day, _ body: (inout DayCount) -> Void) {
    var counted = self[day]
    body(&counted)
    let isEmpty = counted.count == 0 && !counted.isExcused
    days.set(isEmpty ? nil : counted, at: Int(day.number))
  }
}

extension Int {
  /// The sum of a number that is not negative and another one; the largest Int where it is larger.
  func adding(atMost other: Int) -> Int {
    let (sum, isTooLarge) = addingReportingOverflow(other)
    return isTooLarge ? .max : sum
  }
}

extension DayCounts.DayCount: Indexed {
  var index: Int { Int(day.number) }
}
