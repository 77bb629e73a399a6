/// Something that a person means to do again and again: "yoga, 5 times a month".
///
/// Whether it is active, and its progress, are kept apart from it: see `TrackedGoal`.
public struct Goal: Hashable, Sendable {
  public typealias ID = GoalsCore.ID<Goal>

  public let id: ID
  public let title: Title
  public let colour: Colour
  public let interval: Interval
  public let frequency: Frequency
  public let unit: Unit?

  public init(
    id: ID, title: Title, colour: Colour = .default, interval: Interval = .default,
    frequency: Frequency = .default, unit: Unit? = nil
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
