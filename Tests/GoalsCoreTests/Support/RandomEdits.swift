@testable import GoalsCore

/// Makes up edits of all types.
struct RandomEdits {
  /// Enough for goals to be added again, and for lists to be full.
  private static let ids: [Goal.ID] = (1...8).map { ID(high: 0, low: $0) }
  /// Whether the account moves to and fro between Apia and places across the date line.
  var crossesDateLine = false

  func next(in account: SimpleAccount, _ dice: inout SeededDice) -> Edit {
    if account.list.count < 2, dice.chance(1, in: 2) { return Edit(.add(goal(&dice))) }
    let sleeping = account.list.filter { account.goals[$0]?.activity.present == false }
    if let id = sleeping.first, dice.chance(1, in: 6) {
      return Edit(.setActivity(.keyed([id: true])))
    }
    if account.log.entries.suffix(2).contains(where: { $0.undone != nil }), dice.chance(1, in: 4) {
      return Edit(.undo(target(in: account.log, &dice)))
    }
    if crossesDateLine, dice.chance(1, in: 10) {
      let zone = ZoneName(dice.one(of: ["Pacific/Apia", "Pacific/Apia", "UTC", "Asia/Kathmandu"]))
      return Edit(.configure(CalendarSettings.Changes(timeZone: zone)))
    }
    switch dice.number(in: 0...99) {
    case 0..<7: return Edit(.add(goal(&dice)))
    case 7..<12: return Edit(.delete(id(in: account, &dice)))
    case 12..<19:
      let goal = goal(&dice)
      return Edit(.update(goal.with(id: id(in: account, &dice))))
    case 19..<29: return Edit(.alter(id(in: account, &dice), changes(&dice)))
    case 29..<37: return Edit(.setActivity(activity(in: account, &dice)))
    case 37..<44:
      let before = dice.chance(1, in: 3) ? nil : id(in: account, &dice)
      return Edit(.move(id(in: account, &dice), before: before))
    case 44..<66:
      let note = dice.chance(1, in: 4) ? Note(dice.one(of: ["x", "y", ""])) : nil
      return Edit(.bump(id(in: account, &dice), by: increment(&dice), note: note))
    case 66..<73: return Edit(.skip(id(in: account, &dice)))
    case 73..<78: return Edit(.configure(configuration(&dice)))
    default: return Edit(.undo(target(in: account.log, &dice)))
    }
  }

  /// Mostly something recent; often an undo, or what a chain of them began with.
  private func target(in log: SimpleLog, _ dice: inout SeededDice) -> Edit.ID {
    let undos = log.entries.filter { $0.undone != nil }
    let among: ArraySlice<SimpleEntry> =
      switch dice.number(in: 0...19) {
      case 0: []
      case 1..<8: log.entries.suffix(4)
      case 8..<12: undos.suffix(3)
      case 12..<15: undos.suffix(3).map { log.chain(to: $0).root }[...]
      case 15..<19: favouriteChain(in: log)[...]
      default: log.entries[...]
      }
    return among.randomElement(using: &dice)?.id ?? 7
  }

  /// The beginning and the end of one chain of undo and redo, the same for a dozen edits.
  private func favouriteChain(in log: SimpleLog) -> [SimpleEntry] {
    guard log.entries.count > 2 else { return [] }
    let place = log.entries.count - log.entries.count % 12
    let root = log.chain(to: log.entries[max(0, place - 3)]).root
    let latest = log.entries.last { log.chain(to: $0).root.version == root.version }
    return [root, latest ?? root]
  }

  private func id(in account: SimpleAccount, _ dice: inout SeededDice) -> Goal.ID {
    dice.chance(9, in: 10)
      ? account.list.randomElement(using: &dice) ?? dice.one(of: Self.ids)
      : dice.one(of: Self.ids)
  }

  private func goal(_ dice: inout SeededDice) -> Goal {
    let id = dice.one(of: Self.ids)
    guard let title = Title(dice.one(of: ["a", "b"])) else { preconditionFailure("a title") }
    return Goal(
      id: id, title: title, interval: dice.one(of: Interval.allCases),
      frequency: frequency(&dice), unit: dice.one(of: [nil, nil, Unit("km")]))
  }

  private func frequency(_ dice: inout SeededDice) -> Frequency {
    Frequency(dice.one(of: [1, 1, 2, 2, 3, 5, 1_000_000])) ?? .default
  }

  private func changes(_ dice: inout SeededDice) -> Goal.Changes {
    var changes: [Goal.Change] = []
    if dice.chance(1, in: 4), let title = Title(dice.one(of: ["a", "b", "c"])) {
      changes.append(.retitling(to: title))
    }
    if dice.chance(1, in: 6) { changes.append(.recolouring(to: dice.one(of: [.red, .green]))) }
    if dice.chance(2, in: 5) {
      changes.append(.rescheduling(to: dice.one(of: Interval.allCases)))
    }
    if dice.chance(2, in: 5) { changes.append(.targeting(frequency(&dice))) }
    if dice.chance(1, in: 6) { changes.append(.measuring(in: dice.one(of: [nil, Unit("km")]))) }
    return Goal.Changes(changes)
  }

  private func activity(in account: SimpleAccount, _ dice: inout SeededDice) -> Activity {
    if dice.chance(2, in: 5) {
      let count = account.list.count + (dice.chance(1, in: 8) ? 1 : 0)
      return .listed((0..<count).map { _ in dice.chance(2, in: 3) })
    }
    let entries = (0..<dice.number(in: 0...3)).map { _ in
      KeyedActivity.Entry(goal: id(in: account, &dice), isActive: dice.chance(3, in: 5))
    }
    return .keyed(KeyedActivity(entries))
  }

  private func increment(_ dice: inout SeededDice) -> Increment {
    Increment(dice.one(of: [1, 1, 1, 1, 2, 2, 3, -1, -1, -2, 5, 1_000_000, -1_000_000])) ?? .one
  }

  private func configuration(_ dice: inout SeededDice) -> CalendarSettings.Changes {
    let zone = dice.chance(1, in: 5) ? "Nowhere/None" : dice.one(of: TestZones.names)
    return CalendarSettings.Changes(
      timeZone: dice.chance(1, in: 2) ? ZoneName(zone) : nil,
      weekStart: dice.chance(1, in: 3) ? dice.one(of: Weekday.allCases) : nil,
      dayStart: dice.chance(1, in: 3) ? DayStart(minutes: dice.one(of: [0, 150, 180, 720])) : nil)
  }
}
