/// Reads the list of goals, or one of them, in portions. Between two portions the thread that reads
/// a long list can serve other clients.
public struct GoalsReader: Sendable {
  /// The steps that each goal takes besides its streak.
  static let stepsAGoal = 4

  /// The state that is read.
  public let state: AccountState
  /// The instant at which the list is read.
  public let now: Instant
  /// The account's calendar.
  public let calendar: GoalCalendar
  private let slots: [Int]
  /// How many of the slots have been read.
  private var index = 0
  private var items: [Goals.Item] = []
  /// The unfinished streak of the present goal; nil where the goal's count has yet to begin.
  private var counting: StreakCounting?

  /// Reads the list as it is at an instant.
  public init(of state: AccountState, at now: Instant, in calendar: GoalCalendar) {
    self.init(state, state.roster.order, now, calendar)
  }

  /// Reads a part of the list: `count` goals at most, from an index on.
  public init(
    of state: AccountState, from index: Int, count: Int, at now: Instant, in calendar: GoalCalendar
  ) {
    let slots = state.roster.order.dropFirst(index).prefix(count)
    self.init(state, Array(slots), now, calendar)
  }

  /// Reads one goal; nil where it is not in the list.
  public init?(
    of id: Goal.ID, in state: AccountState, at now: Instant, in calendar: GoalCalendar
  ) {
    guard state.roster.isActive(id) != nil, let slot = state.roster.slot(of: id) else { return nil }
    self.init(state, [slot], now, calendar)
  }

  private init(_ state: AccountState, _ slots: [Int], _ now: Instant, _ calendar: GoalCalendar) {
    self.state = state
    self.slots = slots
    self.now = now
    self.calendar = calendar
    items.reserveCapacity(slots.count)
  }

  /// Reads on for about `steps` steps, and subtracts the steps taken. A step is a period, an
  /// interval, a change of activity or a day; each goal takes some more. Returns the list once all
  /// of it is read.
  ///
  /// - Parameter counts: the last streak counts of the account, from which this one counts on.
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
      items.append(goal.item(at: now, in: calendar, count.streak))
      index += 1
    }
    return Goals(
      version: state.version, items: items,
      validUntil: state.validUntil(at: now, in: calendar))
  }
}

/// The last streak counts of an account's goals, so that no streak is counted from its start again.
public struct StreakCounts: Sendable {
  private var counts: [Goal.ID: StreakCount] = [:]

  /// The counts of an account of which none was made yet.
  public init() {}

  /// How many goals have a count.
  public var count: Int { counts.count }

  subscript(id: Goal.ID) -> StreakCount? {
    get { counts[id] }
    set { counts[id] = newValue }
  }
}
