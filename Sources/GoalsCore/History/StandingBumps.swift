/// The bumps of a goal that stand, of those that count on a day of a window. It is told the edits
/// of the log one after the other.
///
/// The amounts of a day's bumps add up to the count of the day.
public struct StandingBumps: Hashable, Sendable {
  /// A bump that stands.
  public struct Bump: Hashable, Sendable {
    /// The id of the edit, by which it can be undone.
    public let id: Edit.ID
    /// By how much it counts.
    public let by: Increment
    /// When it happened on the device.
    public let at: Instant
    /// Its note; nil where it has none.
    public let note: Note?
  }

  private struct Counted: Hashable, Sendable {
    let version: Version
    let day: Day
    let bump: Bump
  }

  /// The goal whose bumps these are.
  public let goal: Goal.ID
  /// The days whose bumps these are.
  public let window: Range<Day>
  /// In log order.
  private var counted: [Counted] = []
  /// The bumps that are taken back, by their versions.
  private var undone: Set<Version> = []

  /// None yet: it is to be told the edits from the log's first on.
  public init(of goal: Goal.ID, in window: Range<Day>) {
    self.goal = goal
    self.window = window
  }

  /// How many bumps it was told of, those that are taken back included.
  public var count: Int { counted.count }

  /// Takes in the next edit of the log.
  public mutating func take(_ edit: RecordedEdit) {
    guard case .count(goal, let day, let amount, _, let version) = edit.effect,
      window.contains(day)
    else { return }
    switch edit.edit {
    case .progress(.bump(_, let increment, let note)):
      let bump = Bump(id: edit.id, by: increment, at: edit.at, note: note)
      counted.append(Counted(version: version, day: day, bump: bump))
    case .account(.undo):
      // An undo counts the opposite, and the undo of an undo the same again.
      guard let taken = bump(version) else { return }
      if amount == taken.by.value { undone.remove(version) } else { undone.insert(version) }
    case .goal, .progress(.skip), .account(.configure): return
    }
  }

  /// The bumps of each day, in log order.
  public var byDay: [Day: [Bump]] {
    Dictionary(grouping: counted.lazy.filter { !undone.contains($0.version) }, by: { $0.day })
      .mapValues { $0.map { $0.bump } }
  }

  private func bump(_ version: Version) -> Bump? {
    let index = counted.partitioningIndex { $0.version >= version }
    return index < counted.count && counted[index].version == version ? counted[index].bump : nil
  }
}
