import GoalsCore

/// Random batches of edits of all ten types, over so few goals that they meet.
struct RandomEdits {
  var dice: Dice
  private var nextID: UInt64 = 1
  private var sent: [ProposedEdit] = []

  init(_ dice: Dice) { self.dice = dice }

  /// A batch for an account in this state. Some are atomic, some are dry runs, some name a version
  /// or repeat an edit that was sent before.
  mutating func batch(for state: AccountState, at now: Instant) -> Batch {
    let proposals = (0..<Int.random(in: 1...8, using: &dice)).map { _ -> Proposal in
      if dice.chance(1, in: 20), let old = sent.randomElement(using: &dice) { return .edit(old) }
      let proposed = ProposedEdit(
        id: .number(nextID), at: dice.chance(1, in: 2) ? nil : before(now), edit: edit(state))
      nextID += 1
      sent.append(proposed)
      return .edit(proposed)
    }
    return Batch(
      device: "phone \"1\"", proposals: proposals, isAtomic: dice.chance(1, in: 8),
      precondition: dice.chance(1, in: 4) ? .version(state.version) : nil,
      isDryRun: dice.chance(1, in: 20))
  }

  private mutating func before(_ now: Instant) -> Instant {
    now.adding(milliseconds: .random(in: -20 * 86_400_000...0, using: &dice))
  }

  private mutating func edit(_ state: AccountState) -> Edit {
    switch Int.random(in: 0..<100, using: &dice) {
    case 0..<12: Edit(.add(goal(.number(.random(in: 1...9, using: &dice)))))
    case 12..<16: Edit(.delete(id(state)))
    case 16..<22: Edit(.update(goal(id(state))))
    case 22..<30: Edit(.alter(id(state), changes()))
    case 30..<42: Edit(.setActivity(activity(state)))
    case 42..<48: Edit(.move(id(state), before: dice.chance(1, in: 4) ? nil : id(state)))
    case 48..<72: Edit(.bump(id(state), by: increment(), note: note()))
    case 72..<78: Edit(.skip(id(state)))
    case 78..<83: Edit(.configure(configuration()))
    default: Edit(.undo(sent.suffix(15).randomElement(using: &dice)?.id ?? .number(0)))
    }
  }

  /// Mostly that of a goal in the list.
  private mutating func id(_ state: AccountState) -> Goal.ID {
    dice.chance(1, in: 12)
      ? .number(.random(in: 1...9, using: &dice)) : dice.pick(state.roster.ids, or: .number(1))
  }

  private mutating func goal(_ id: Goal.ID) -> Goal {
    Goal(id: id, title: .of("Goal")).alter(by: changes())
  }

  /// Texts that SQLite and JSON could each get wrong.
  private mutating func changes() -> Goal.Changes {
    var changes: [Goal.Change] = []
    let titles = ["é", "e\u{301}", "a'b\"c\\", "\u{FFFF}\u{10FFFF}", "日本", "x"]
    if dice.chance(1, in: 3) { changes.append(.retitling(to: .of(dice.pick(titles, or: "x")))) }
    if dice.chance(1, in: 3) {
      let custom = Colour.custom(red: 0, green: .random(in: 0...255, using: &dice), blue: 255)
      changes.append(.recolouring(to: dice.pick([.red, .purple, custom], or: .red)))
    }
    if dice.chance(1, in: 3) {
      changes.append(.rescheduling(to: dice.pick(Interval.allCases, or: .daily)))
    }
    if dice.chance(1, in: 3) {
      changes.append(.targeting(.times(dice.pick([1, 2, 1_000_000], or: 1))))
    }
    if dice.chance(1, in: 3) {
      changes.append(.measuring(in: dice.pick([nil, .of("km"), .of("\u{1F4A7}")], or: nil)))
    }
    return Goal.Changes(changes)
  }

  private mutating func activity(_ state: AccountState) -> Activity {
    if dice.chance(1, in: 3) {
      return .listed(state.roster.order.map { _ in dice.chance(3, in: 4) })
    }
    let entries = (0..<Int.random(in: 0...3, using: &dice)).map { _ in
      KeyedActivity.Entry(goal: id(state), isActive: dice.chance(3, in: 4))
    }
    return .keyed(KeyedActivity(entries))
  }

  private mutating func increment() -> Increment {
    .of(dice.pick([-2, -1, 1, 1, 2, 3, 1_000_000], or: 1))
  }

  private mutating func note() -> Note? {
    guard dice.chance(1, in: 3) else { return nil }
    return .of(dice.pick(["", "a\u{0}b\n\t\"", "é", String(repeating: "🐎", count: 500)], or: ""))
  }

  private mutating func configuration() -> CalendarSettings.Changes {
    CalendarSettings.Changes(
      timeZone: dice.chance(1, in: 2)
        ? .of(dice.pick(["UTC", "Europe/Berlin", "Nowhere/None"], or: "UTC")) : nil,
      weekStart: dice.chance(1, in: 3) ? dice.pick(Weekday.allCases, or: .monday) : nil,
      dayStart: dice.chance(1, in: 3) ? .of(dice.pick(["00:00", "03:30", "12:00"], or: "")) : nil)
  }
}
