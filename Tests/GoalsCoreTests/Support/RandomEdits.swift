import TestSupport

@testable import GoalsCore

/// Makes up edits of all types.
struct RandomEdits {
  /// Enough for goals to be added again, and for lists to be full.
  private static let ids: [Goal.ID] = (1...8).map { ID(high: 0, low: $0) }
  /// Whether the account moves to and fro between Apia and places across the date line.
  var crossesDateLine = false

  func next(in account: SimpleAccount, _ dice: inout SeededDice) -> Edit {
    if account.list.count < 2, dice.chance(1, in: 2) {
      return Edit(.add(dice.goal(dice.one(of: Self.ids))))
    }
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
    case 0..<7: return Edit(.add(dice.goal(dice.one(of: Self.ids))))
    case 7..<12: return Edit(.delete(id(in: account, &dice)))
    case 12..<19: return Edit(.update(dice.goal(id(in: account, &dice))))
    case 19..<29: return Edit(.alter(id(in: account, &dice), dice.changes()))
    case 29..<37: return Edit(.setActivity(dice.activity(in: account.list)))
    case 37..<44:
      let before = dice.chance(1, in: 3) ? nil : id(in: account, &dice)
      return Edit(.move(id(in: account, &dice), before: before))
    case 44..<66:
      let (id, increment) = (id(in: account, &dice), dice.increment())
      return Edit(.bump(id, by: increment, note: dice.bumpNote()))
    case 66..<73: return Edit(.skip(id(in: account, &dice)))
    case 73..<78: return Edit(.configure(dice.configuration(among: TestZones.names)))
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
    let index = log.entries.count - log.entries.count % 12
    let root = log.chain(to: log.entries[max(0, index - 3)]).root
    let latest = log.entries.last { log.chain(to: $0).root.version == root.version }
    return [root, latest ?? root]
  }

  private func id(in account: SimpleAccount, _ dice: inout SeededDice) -> Goal.ID {
    dice.chance(9, in: 10)
      ? account.list.randomElement(using: &dice) ?? dice.one(of: Self.ids)
      : dice.one(of: Self.ids)
  }
}
