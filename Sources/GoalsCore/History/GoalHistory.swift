/// The history of a goal in a window of days.
public struct GoalHistory: Hashable, Sendable {
  /// A day on which something was counted.
  public struct CountedDay: Hashable, Sendable {
    /// The day in the account's calendar.
    public let day: Day
    /// What was counted on it, above 0.
    public let count: Int
    /// The notes of the day, in log order.
    public let notes: [Note]
    /// The bumps of the day that stand, in log order; nil where they were not asked for.
    public let bumps: [StandingBumps.Bump]?
  }

  /// The days of the window with a count, in order.
  public let days: [CountedDay]
  /// The periods that overlap the window, each of them whole.
  public let periods: [JudgedPeriod]
  /// The streak over the goal's whole history.
  public let streak: Streak

  /// The sum of the counts of the days.
  public var total: Int { days.reduce(0) { $0.adding(atMost: $1.count) } }

  /// How many of the met and missed periods are met; nil where there are neither.
  public var completion: (met: Int, of: Int)? {
    let met = periods.count { $0.state == .met }
    let missed = periods.count { $0.state == .missed }
    return met + missed > 0 ? (met, met + missed) : nil
  }
}

extension TrackedGoal {
  /// The goal's history in a window of days, as it reads at an instant. The caller has counted the
  /// streak.
  ///
  /// - Parameters:
  ///   - showsNotes: whether the days have their notes.
  ///   - bumps: what stands of the goal in the window, where the days are to show it.
  public func history(
    of window: Range<Day>, at now: Instant, in calendar: GoalCalendar, _ streak: Streak,
    showsNotes: Bool = true, _ bumps: StandingBumps? = nil
  ) -> GoalHistory {
    let shown = showsNotes ? notes.all.filter { window.contains($0.day) } : []
    let notes = Dictionary(grouping: shown, by: { $0.day })
    let bumps = bumps?.byDay
    let counted = days.counts(in: window).filter { $0.count > 0 }
    return GoalHistory(
      days: counted.map { one in
        GoalHistory.CountedDay(
          day: one.day, count: one.count, notes: notes[one.day]?.map { $0.note } ?? [],
          bumps: bumps.map { $0[one.day] ?? [] })
      },
      periods: periods(overlapping: window, until: now, in: calendar),
      streak: streak)
  }
}

/// The days of a history that a client asks for.
public struct HistoryWindow: Hashable, Sendable {
  /// The number of days where the client names no first day.
  public static let defaultDays: Int64 = 365
  /// The largest number of days of one goal: ten years and a few days.
  public static let maximumDays: Int64 = 3660
  /// The largest number of days of all goals together: a year and a month.
  public static let maximumDaysOfAll: Int64 = 400

  /// The first day; nil stands for `defaultDays` days before the end.
  public let from: Day?
  /// The day after the last; nil stands for tomorrow.
  public let to: Day?
  /// The most days that it may have.
  public let maximum: Int64

  /// The days that a client names, of which it may name none.
  public init(from: Day? = nil, to: Day? = nil, maximum: Int64 = maximumDays) {
    self.from = from
    self.to = to
    self.maximum = maximum
  }

  /// The days of the window; nil where there are none or too many.
  public func days(today: Day) -> Range<Day>? {
    let end = to ?? today.adding(days: 1) ?? today
    let start = from ?? end.adding(days: -Self.defaultDays) ?? .first
    guard start < end, Int64(end.number) - Int64(start.number) <= maximum else {
      return nil
    }
    return start..<end
  }
}
