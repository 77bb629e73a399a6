/// Goals, and whether each of them is to be active: every goal once, in the order given.
///
/// Two activities are equal where they have the same elements, in any order.
public struct KeyedActivity: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  /// A goal, and whether it is to be active.
  public struct Element: Hashable, Sendable {
    /// The goal that is turned on or off.
    public let goal: Goal.ID
    /// Whether it is to be on.
    public let isActive: Bool

    /// The element of one goal.
    public init(goal: Goal.ID, isActive: Bool) {
      self.goal = goal
      self.isActive = isActive
    }
  }

  /// The elements, one for each goal, in the order given.
  public let elements: [Element]

  /// Of several elements for one goal the first counts.
  public init(_ elements: [Element]) {
    var seen: Set<Goal.ID> = []
    self.elements = elements.filter { seen.insert($0.goal).inserted }
  }

  /// The caller makes sure that no two elements are for one goal.
  init(unique elements: [Element]) { self.elements = elements }

  public init(dictionaryLiteral elements: (Goal.ID, Bool)...) {
    self.init(elements.map { Element(goal: $0.0, isActive: $0.1) })
  }

  /// The same elements, in the order of the list.
  func ordered(in roster: Roster) -> KeyedActivity {
    KeyedActivity(unique: roster.sorted(elements, by: { $0.goal }))
  }

  public static func == (left: Self, right: Self) -> Bool {
    left.elements == right.elements || left.sortedElements == right.sortedElements
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(sortedElements) }

  private var sortedElements: [Element] { elements.sorted { $0.goal < $1.goal } }
}
