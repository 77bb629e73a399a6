extension Goal {
  /// A change of one field of a goal.
  ///
  ///     goal.alter(by: .retitling(to: title), .rescheduling(to: .weekly))
  public enum Change: Hashable, Sendable {
    /// Gives it another title.
    case retitling(to: Title)
    /// Gives it another colour.
    case recolouring(to: Colour)
    /// Gives its periods another length.
    case rescheduling(to: Interval)
    /// Changes how often it is meant to be done in a period.
    case targeting(Frequency)
    /// Changes what is counted; nil for times.
    case measuring(in: GoalUnit?)
  }

  /// The goal with these changes made, one after the other.
  public func alter(by changes: Change...) -> Goal { alter(by: Changes(changes)) }

  /// The goal with these changes made.
  public func alter(by changes: Changes) -> Goal {
    changes.all.reduce(self) { goal, change in goal.altered(by: change) }
  }

  private func altered(by change: Change) -> Goal {
    switch change {
    case .retitling(let title): with(title: title)
    case .recolouring(let colour): with(colour: colour)
    case .rescheduling(let interval): with(interval: interval)
    case .targeting(let frequency): with(frequency: frequency)
    case .measuring(let unit): with(unit: .some(unit))
    }
  }

  /// The same goal under another id.
  public func with(id: ID) -> Goal { with(newID: id) }

  /// The goal with the given fields replaced.
  private func with(
    newID: ID? = nil, title: Title? = nil, colour: Colour? = nil, interval: Interval? = nil,
    frequency: Frequency? = nil, unit: GoalUnit?? = nil
  ) -> Goal {
    Goal(
      id: newID ?? id, title: title ?? self.title, colour: colour ?? self.colour,
      interval: interval ?? self.interval, frequency: frequency ?? self.frequency,
      unit: unit ?? self.unit)
  }

  /// The changes that turn this goal into `other`, except for its id: only the fields that differ.
  public func changes(to other: Goal) -> Changes {
    Changes(other.asChanges.all.filter { altered(by: $0) != self })
  }

  /// The changes that set every field but the id.
  var asChanges: Changes {
    [
      .retitling(to: title), .recolouring(to: colour), .rescheduling(to: interval),
      .targeting(frequency), .measuring(in: unit),
    ]
  }

  /// Changes of different fields: at most one of each, in the order of the fields.
  public struct Changes: Hashable, Sendable, ExpressibleByArrayLiteral {
    /// The changes, in the order of the fields.
    public let all: [Change]

    /// Of several changes of one field, the last counts.
    public init(_ changes: [Change]) {
      all = (0..<5).compactMap { field in changes.last { $0.field == field } }
    }

    public init(arrayLiteral changes: Change...) { self.init(changes) }

    /// Whether there is no change.
    public var isEmpty: Bool { all.isEmpty }
  }
}

extension Goal.Change {
  fileprivate var field: Int {
    switch self {
    case .retitling: 0
    case .recolouring: 1
    case .rescheduling: 2
    case .targeting: 3
    case .measuring: 4
    }
  }
}
