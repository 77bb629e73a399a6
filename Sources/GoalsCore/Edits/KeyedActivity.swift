/// Goals and whether each is to be active: every goal once, in the order given.
///
/// Two are equal where they say the same of the same goals, whatever their order.
public struct KeyedActivity: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  public struct Entry: Hashable, Sendable {
    public let goal: Goal.ID
    public let isActive: Bool

    public init(goal: Goal.ID, isActive: Bool) {
      self.goal = goal
      self.isActive = isActive
    }
  }

  public let entries: [Entry]

  /// Of several entries for one goal the first counts.
  public init(_ entries: [Entry]) {
    var seen: Set<Goal.ID> = []
    self.entries = entries.filter { seen.insert($0.goal).inserted }
  }

  public init(dictionaryLiteral elements: (Goal.ID, Bool)...) {
    self.init(elements.map { Entry(goal: $0.0, isActive: $0.1) })
  }

  /// The same entries, in the order of a list.
  func ordered(by list: [Goal.ID]) -> KeyedActivity {
    let places = Dictionary(zip(list, 0...), uniquingKeysWith: { first, _ in first })
    let order = { (entry: Entry) in places[entry.goal] ?? list.count }
    return KeyedActivity(entries.sorted { order($0) < order($1) })
  }

  public static func == (left: Self, right: Self) -> Bool {
    left.entries == right.entries || left.sortedEntries == right.sortedEntries
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(sortedEntries) }

  private var sortedEntries: [Entry] { entries.sorted { $0.goal < $1.goal } }
}
