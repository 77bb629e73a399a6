import GoalsCore

extension SeededDice {
  /// An edit of any of the ten types, over so few goals that edits meet.
  ///
  /// - Parameters:
  ///   - list: the ids of the account's list.
  ///   - edits: what an undo may take back.
  package mutating func edit(
    among list: some Collection<Goal.ID>, undoing edits: some Collection<Edit.ID>
  ) -> Edit {
    switch number(in: 0...99) {
    case 0..<11: Edit(.add(goal(id())))
    case 11..<16: Edit(.delete(id(in: list)))
    case 16..<22: Edit(.update(goal(id(in: list))))
    case 22..<30: Edit(.alter(id(in: list), changes()))
    case 30..<42: Edit(.setActivity(activity(in: list)))
    case 42..<48: Edit(.move(id(in: list), before: chance(1, in: 4) ? nil : id(in: list)))
    case 48..<72: Edit(.bump(id(in: list), by: increment(), note: note()))
    case 72..<78: Edit(.skip(id(in: list)))
    case 78..<83: Edit(.configure(configuration()))
    default: Edit(.undo(edits.randomElement(using: &self) ?? .of(7)))
    }
  }

  private mutating func id() -> Goal.ID { .of(UInt64(number(in: 1...9))) }

  /// Mostly that of a goal in the list.
  private mutating func id(in list: some Collection<Goal.ID>) -> Goal.ID {
    chance(1, in: 8) ? id() : list.randomElement(using: &self) ?? id()
  }

  private mutating func goal(_ id: Goal.ID) -> Goal {
    Goal(id: id, title: .of("Goal")).alter(by: changes())
  }

  /// Among them are texts that SQLite and JSON could each get wrong.
  private mutating func changes() -> Goal.Changes {
    var changes: [Goal.Change] = []
    let titles = ["é", "e\u{301}", "a'b\"c\\", "\u{FFFF}\u{10FFFF}", "日本", "x"]
    if chance(1, in: 3) { changes.append(.retitling(to: .of(one(of: titles)))) }
    if chance(1, in: 4) {
      let custom = Colour.custom(red: 0, green: .random(in: 0...255, using: &self), blue: 255)
      changes.append(.recolouring(to: one(of: [.red, .green, custom])))
    }
    if chance(1, in: 4) { changes.append(.rescheduling(to: one(of: Interval.allCases))) }
    if chance(1, in: 3) { changes.append(.targeting(.times(one(of: [1, 2, 3, 1_000_000])))) }
    if chance(1, in: 4) {
      changes.append(.measuring(in: one(of: [nil, .of("km"), .of("\u{1F4A7}")])))
    }
    return Goal.Changes(changes)
  }

  private mutating func activity(in list: some Collection<Goal.ID>) -> Activity {
    if chance(2, in: 5) {
      let count = list.count + (chance(1, in: 10) ? 1 : 0)
      return .listed((0..<count).map { _ in chance(3, in: 4) })
    }
    let entries = (0..<number(in: 0...3)).map { _ in
      KeyedActivity.Entry(goal: id(in: list), isActive: chance(3, in: 4))
    }
    return .keyed(KeyedActivity(entries))
  }

  private mutating func increment() -> Increment {
    chance(1, in: 20) ? .of(1_000_000) : .of(one(of: [-2, -1, 1, 1, 2, 3]))
  }

  private mutating func note() -> Note? {
    guard chance(1, in: 4) else { return nil }
    return .of(one(of: ["", "x", "a\u{0}b\n\t\"", "é", String(repeating: "🐎", count: 500)]))
  }

  private mutating func configuration() -> CalendarSettings.Changes {
    let zones = ["UTC", "Europe/Berlin", "Pacific/Apia", "Nowhere/None"]
    return CalendarSettings.Changes(
      timeZone: chance(1, in: 2) ? .of(one(of: zones)) : nil,
      weekStart: chance(1, in: 3) ? one(of: Weekday.allCases) : nil,
      dayStart: chance(1, in: 3) ? .of(one(of: ["00:00", "03:30", "12:00"])) : nil)
  }
}
