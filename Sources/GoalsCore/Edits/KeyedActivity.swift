/// Goals, and whether each of them is to be active: every goal once, in the order given.
///
/// Two activities are equal where they have the same entries, in any order.
public struct KeyedActivity: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  /// A goal, and whether it is to be active.
  public struct Entry: Hashable, Sendable {
    /// The goal that is turned on or off.
    public let goal: Goal.ID
    /// Whether it is to be on.
    public let isActive: Bool

    /// The entry of one goal.
    public init(goal: Goal.ID, isActive: Bool) {
      self.goal = goal
      self.isActive = isActive
    }
  }

  /// The entries, one for each goal, in the order given.
  public let entries: [Entry]

  /// Of several entries for one goal the first counts.
  public init(_ entries: [Entry]) {
    var seen: Set<Goal.ID> = []
    self.entries = entries.filter { seen.insert($0.goal).inserted }
  }

  /// The caller makes sure that no two entries are for one goal.
  init(unique entries: [Entry]) { self.entries = entries }

  public init(dictionaryLiteral elements: (Goal.ID, Bool)...) {
    self.init(elements.map { Entry(goal: $0.0, isActive: $0.1) })
  }

  /// The same entries, in the order of the list.
  func ordered(in roster: Roster) -> KeyedActivity {
    KeyedActivity(unique: roster.sorted(entries, by: { $0.goal }))
  }

  public static func == (left: Self, right: Self) -> Bool {
    left.entries == right.entries || left.sortedEntries == right.sortedEntries
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(sortedEntries) }

  private var sortedEntries: [Entry] { entries.sorted { $0.goal < $1.goal } }
}
