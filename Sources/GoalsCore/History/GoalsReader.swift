/// The list of goals, or one of them, in the making. It is made in portions, so that the thread
/// that makes a long one can serve other clients between them.
public struct GoalsReader: Sendable {
  /// The steps that a goal takes beside its streak.
  static let stepsAGoal = 4

  public let state: AccountState
  public let now: Instant
  public let calendar: Calendar
  private let slots: [Int]
  /// How many of the slots were read.
  private var index = 0
  private var entries: [Goals.Entry] = []
  /// Of the goal at hand, whose streak took more than a portion.
  private var counting: StreakCounting?

  /// Reads the list as it is at an instant.
  public init(of state: AccountState, at now: Instant, in calendar: Calendar) {
    self.init(state, state.roster.order, now, calendar)
  }

  /// Reads one goal; nil where it is not in the list.
  public init?(
    of id: Goal.ID, in state: AccountState, at now: Instant, in calendar: Calendar
  ) {
    guard state.roster.isActive(id) != nil, let slot = state.roster.slot(of: id) else { return nil }
    self.init(state, [slot], now, calendar)
  }

  private init(_ state: AccountState, _ slots: [Int], _ now: Instant, _ calendar: Calendar) {
    self.state = state
    self.slots = slots
    self.now = now
    self.calendar = calendar
    entries.reserveCapacity(slots.count)
  }

  /// Goes on for about so many steps, and takes them off. A step is a period, an interval or an
  /// entry of a timeline; each goal takes some more. Answers the list once all of it is read.
  ///
  /// - Parameter counts: the streaks of the account as they were counted last, to go on from there.
  public mutating func read(_ steps: inout Int, counting counts: inout StreakCounts) -> Goals? {
    while index < slots.count {
      guard steps > 0 else { return nil }
      guard let goal = state.roster.goal(in: slots[index]) else {
        index += 1
        continue
      }
      var walk =
        counting
        ?? StreakCounting(of: goal, at: now, in: calendar, after: counts[goal.goal.id])
      counting = nil
      guard let count = walk.run(&steps) else {
        counting = walk
        return nil
      }
      steps -= Self.stepsAGoal
      counts[goal.goal.id] = count
      entries.append(goal.entry(at: now, in: calendar, count.streak))
      index += 1
    }
    return Goals(
      version: state.version, entries: entries,
      validUntil: state.validUntil(at: now, in: calendar))
  }
}

/// The streaks of an account's goals as they were counted last, so that none is counted from its
/// start again.
public struct StreakCounts: Sendable {
  private var counts: [Goal.ID: StreakCount] = [:]

  public init() {}

  /// How many goals there are counts of.
  public var count: Int { counts.count }

  subscript(id: Goal.ID) -> StreakCount? {
    get { counts[id] }
    set { counts[id] = newValue }
  }
}
