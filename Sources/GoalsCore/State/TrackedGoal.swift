/// A goal of the list or a deleted one, with everything that was recorded of it.
public struct TrackedGoal: Hashable, Sendable {
  /// A note that stands, with the version of the bump that carries it.
  public struct KeptNote: Hashable, Sendable {
    /// The version of the bump that has the note.
    public let version: Version
    /// The day on which that bump counts.
    public let day: Day
    /// The note itself.
    public let note: Note

    /// The note of a bump.
    public init(version: Version, day: Day, note: Note) {
      self.version = version
      self.day = day
      self.note = note
    }
  }

  /// The present values.
  public internal(set) var goal: Goal
  /// Its intervals over time.
  public internal(set) var intervals: Timeline<Interval>
  /// Its frequencies over time.
  public internal(set) var frequencies: Timeline<Frequency>
  /// Whether it was on, over time.
  public internal(set) var activity: Timeline<Bool>
  /// Whether the goal exists: this begins with the goal's creation.
  public internal(set) var existence: Timeline<Bool>
  /// What was counted and excused, by day.
  public internal(set) var days: DayCounts
  /// The notes of its bumps that stand.
  public internal(set) var notes: KeptNotes

  /// A goal as `add` makes it: inactive, with nothing counted.
  public init(_ goal: Goal, createdAt instant: Instant) {
    self.goal = goal
    intervals = Timeline(goal.interval, from: instant)
    frequencies = Timeline(goal.frequency, from: instant)
    activity = Timeline(false, from: instant)
    existence = Timeline(true, from: instant)
    days = DayCounts()
    notes = KeptNotes()
  }

  /// A stored goal. Its interval and frequency are the present ones of the timelines.
  public init(
    id: Goal.ID, title: Title, colour: Colour, unit: GoalUnit?, intervals: Timeline<Interval>,
    frequencies: Timeline<Frequency>, activity: Timeline<Bool>, existence: Timeline<Bool>,
    days: DayCounts, notes: KeptNotes
  ) {
    goal = Goal(
      id: id, title: title, colour: colour, interval: intervals.current,
      frequency: frequencies.current, unit: unit)
    self.intervals = intervals
    self.frequencies = frequencies
    self.activity = activity
    self.existence = existence
    self.days = days
    self.notes = notes
  }

  /// Whether it is on at present.
  public var isActive: Bool { activity.current }
  /// Whether it was taken out of the list.
  public var isDeleted: Bool { !existence.current }
  /// How many changes the goal remembers: the settings of its timelines but for the first of each.
  public var changes: Int {
    intervals.later.count + frequencies.later.count + activity.later.count + existence.later.count
  }
  /// When it was made.
  public var createdAt: Instant { existence.first.from }

  /// The goal with changes that hold from an instant on. A field that keeps its present value does
  /// not change, and neither does its timeline.
  func altered(by changes: Goal.Changes, from instant: Instant) -> TrackedGoal {
    var altered = self
    altered.goal = goal.alter(by: changes)
    for change in goal.changes(to: altered.goal).all {
      switch change {
      case .rescheduling(let interval): altered.intervals.set(interval, from: instant)
      case .targeting(let frequency): altered.frequencies.set(frequency, from: instant)
      case .retitling, .recolouring, .measuring: break
      }
    }
    return altered
  }

  /// Turns the goal on or off from an instant on; does nothing where that changes nothing.
  mutating func setActive(_ isActive: Bool, from instant: Instant) {
    if self.isActive != isActive { activity.set(isActive, from: instant) }
  }
}
