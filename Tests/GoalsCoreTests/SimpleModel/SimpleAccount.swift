import GoalsCore

/// A goal of the simple model, deleted or not.
struct SimpleGoal {
  /// The present values.
  var goal: Goal
  var intervals: SimpleTimeline<Interval>
  var frequencies: SimpleTimeline<Int>
  var activity: SimpleTimeline<Bool>
  var existence: SimpleTimeline<Bool>

  init(_ goal: Goal, createdAt instant: Instant) {
    self.goal = goal
    intervals = SimpleTimeline(goal.interval, from: instant)
    frequencies = SimpleTimeline(goal.frequency.value, from: instant)
    activity = SimpleTimeline(false, from: instant)
    existence = SimpleTimeline(true, from: instant)
  }

  var creation: Instant { existence.creation }

  /// Whether it existed and was active.
  func isThere(at instant: Instant) -> Bool {
    instant >= creation && existence.value(at: instant) && activity.value(at: instant)
  }

  mutating func become(_ changed: Goal, at instant: Instant) {
    if changed.interval != goal.interval { intervals.set(changed.interval, at: instant) }
    if changed.frequency != goal.frequency {
      frequencies.set(changed.frequency.value, at: instant)
    }
    goal = changed
  }
}

/// What an edit changed: all that taking it back needs to know.
struct SimpleDeed {
  /// The goal that was altered, before and after.
  var goal: (before: Goal, after: Goal)?
  /// The goals that were turned on or off.
  var turned: [(goal: Goal.ID, isActive: Bool)] = []
  /// The calendar, before and after.
  var settings: (before: CalendarSettings, after: CalendarSettings)?
  /// What came after the goal that was moved or taken out of the list, before that; nil for the
  /// end.
  var successor: Goal.ID?
}

/// What a log comes to: made by going over all of it.
struct SimpleAccount {
  let log: SimpleLog
  /// The entries that stand.
  let standing: [SimpleEntry]
  private(set) var settings: CalendarSettings
  private(set) var list: [Goal.ID] = []
  /// All that were ever made.
  private(set) var goals: [Goal.ID: SimpleGoal] = [:]
  /// By version, from that of the first entry on.
  private(set) var deeds: [SimpleDeed] = []

  init(_ log: SimpleLog) {
    self.log = log
    settings = log.initial
    standing = log.standing
    for entry in log.entries { play(entry) }
  }

  func successor(of id: Goal.ID) -> Goal.ID? {
    guard let place = list.firstIndex(of: id), place + 1 < list.count else { return nil }
    return list[place + 1]
  }

  private mutating func play(_ entry: SimpleEntry) {
    var deed = SimpleDeed()
    switch entry.edit {
    case .goal(.add(let goal)):
      list.insert(goal.id, at: 0)
      goals[goal.id] = SimpleGoal(goal, createdAt: entry.at)
    case .goal(.delete(let id)): takeOut(id, at: entry.at, &deed)
    case .goal(.update(let goal)): change(goal.id, to: goal, at: entry.at, &deed)
    case .goal(.alter(let id, let changes)):
      if let goal = goals[id]?.goal { change(id, to: goal.with(changes), at: entry.at, &deed) }
    case .goal(.setActivity(.keyed(let activity))):
      for element in activity.elements
      where goals[element.goal]?.activity.present != element.isActive {
        deed.turned.append((element.goal, element.isActive))
      }
      turn(deed.turned, at: entry.at)
    case .goal(.setActivity(.listed)): break
    case .goal(.move(let id, let successor)): move(id, before: successor, &deed)
    case .progress: break
    case .account(.configure(let changes)): configure(settings.with(changes), &deed)
    case .account(.undo): undo(by: entry, &deed)
    }
    deeds.append(deed)
  }

  private mutating func undo(by entry: SimpleEntry, _ deed: inout SimpleDeed) {
    guard let undone = entry.undone else { return }
    let old = deeds[undone - 1]
    let chain = log.chain(to: log.entry(at: undone))
    let instant = entry.at
    switch chain.root.edit {
    case .goal(.add(let goal)):
      if chain.isRedo {
        putBack(goal.id, before: old.successor, at: instant)
      } else {
        takeOut(goal.id, at: instant, &deed)
      }
    case .goal(.delete(let id)):
      if chain.isRedo {
        takeOut(id, at: instant, &deed)
      } else {
        putBack(id, before: old.successor, at: instant)
      }
    case .goal(.update), .goal(.alter):
      if let (before, after) = old.goal, let goal = goals[before.id]?.goal {
        change(goal.id, to: goal.goingBack(from: after, to: before), at: instant, &deed)
      }
    case .goal(.setActivity):
      deed.turned = old.turned.map { ($0.goal, !$0.isActive) }
      turn(deed.turned, at: instant)
    case .goal(.move(let id, _)): move(id, before: old.successor, &deed)
    case .progress: break
    case .account(.configure):
      if let (before, after) = old.settings {
        configure(settings.goingBack(from: after, to: before), &deed)
      }
    case .account(.undo): break
    }
  }

  private mutating func takeOut(_ id: Goal.ID, at instant: Instant, _ deed: inout SimpleDeed) {
    deed.successor = successor(of: id)
    list.removeAll { $0 == id }
    goals[id]?.existence.set(false, at: instant)
  }

  private mutating func putBack(_ id: Goal.ID, before successor: Goal.ID?, at instant: Instant) {
    list.insert(id, at: list.firstIndex { $0 == successor } ?? list.count)
    goals[id]?.existence.set(true, at: instant)
  }

  private mutating func change(
    _ id: Goal.ID, to goal: Goal, at instant: Instant, _ deed: inout SimpleDeed
  ) {
    deed.goal = goals[id].map { ($0.goal, goal) }
    goals[id]?.become(goal, at: instant)
  }

  private mutating func turn(_ turned: [(goal: Goal.ID, isActive: Bool)], at instant: Instant) {
    for (goal, isActive) in turned { goals[goal]?.activity.set(isActive, at: instant) }
  }

  private mutating func move(
    _ id: Goal.ID, before successor: Goal.ID?, _ deed: inout SimpleDeed
  ) {
    deed.successor = self.successor(of: id)
    guard successor != id else { return }
    list.removeAll { $0 == id }
    list.insert(id, at: list.firstIndex { $0 == successor } ?? list.count)
  }

  private mutating func configure(_ changed: CalendarSettings, _ deed: inout SimpleDeed) {
    deed.settings = (settings, changed)
    settings = changed
  }
}
