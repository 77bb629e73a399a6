/// Something that a person means to do again and again: "yoga, 5 times a month".
///
/// Whether it is active, and its progress, are kept apart from it: see `TrackedGoal`.
public struct Goal: Hashable, Sendable {
  /// The id of a goal, which a device chooses.
  public typealias ID = GoalsCore.ID<Goal>

  /// The id, which the goal keeps for ever.
  public let id: ID
  /// What it is called.
  public let title: Title
  /// The colour in which it is shown.
  public let colour: Colour
  /// The length of its periods.
  public let interval: Interval
  /// How often it is meant to be done in a period.
  public let frequency: Frequency
  /// What is counted; nil for times.
  public let unit: GoalUnit?

  /// A goal; by itself it is green, and to be done once a day.
  public init(
    id: ID, title: Title, colour: Colour = .default, interval: Interval = .default,
    frequency: Frequency = .default, unit: GoalUnit? = nil
  ) {
    self.id = id
    self.title = title
    self.colour = colour
    self.interval = interval
    self.frequency = frequency
    self.unit = unit
  }
}

extension Interval {
  /// The interval of a goal that is made without one.
  public static let `default` = Interval.daily
}
