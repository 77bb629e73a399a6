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
    case 48..<72: Edit(.bump(id(in: list), by: increment(), note: bumpNote()))
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

  /// A goal of any kind.
  package mutating func goal(_ id: Goal.ID) -> Goal {
    Goal(id: id, title: .of("Goal")).alter(by: changes())
  }

  /// Changes of some fields. Among them are texts that SQLite and JSON could each get wrong.
  package mutating func changes() -> Goal.Changes {
    var changes: [Goal.Change] = []
    let titles = ["é", "e\u{301}", "a'b\"c\\", "\u{FFFF}\u{10FFFF}", "日本", "x"]
    if chance(1, in: 3) { changes.append(.retitling(to: .of(one(of: titles)))) }
    if chance(1, in: 4) {
      let custom = Colour.custom(red: 0, green: .random(in: 0...255, using: &self), blue: 255)
      changes.append(.recolouring(to: one(of: [.red, .green, custom])))
    }
    if chance(1, in: 3) { changes.append(.rescheduling(to: one(of: Interval.allCases))) }
    if chance(1, in: 3) {
      changes.append(.targeting(.times(one(of: [1, 1, 2, 2, 3, 5, 1_000_000]))))
    }
    if chance(1, in: 4) {
      changes.append(.measuring(in: one(of: [nil, .of("km"), .of("\u{1F4A7}")])))
    }
    return Goal.Changes(changes)
  }

  /// Mostly for goals of the list, and mostly for as many as there are.
  package mutating func activity(in list: some Collection<Goal.ID>) -> Activity {
    if chance(2, in: 5) {
      let count = list.count + (chance(1, in: 10) ? 1 : 0)
      return .listed((0..<count).map { _ in chance(3, in: 4) })
    }
    let elements = (0..<number(in: 0...3)).map { _ in
      KeyedActivity.Element(goal: id(in: list), isActive: chance(3, in: 4))
    }
    return .keyed(KeyedActivity(elements))
  }

  /// Mostly small.
  package mutating func increment() -> Increment {
    .of(chance(1, in: 10) ? one(of: [1_000_000, -1_000_000]) : one(of: [-2, -1, 1, 1, 2, 3]))
  }

  /// The note of a bump; mostly there is none.
  package mutating func bumpNote() -> Note? {
    guard chance(1, in: 4) else { return nil }
    return .of(one(of: ["", "x", "a\u{0}b\n\t\"", "é", String(repeating: "🐎", count: 500)]))
  }

  /// Changes of some settings. The server does not know one of the zones.
  package mutating func configuration(
    among zones: [String] = ["UTC", "Europe/Berlin", "Pacific/Apia"]
  ) -> CalendarSettings.Changes {
    let zone = chance(1, in: 5) ? "Nowhere/None" : one(of: zones)
    return CalendarSettings.Changes(
      timeZone: chance(1, in: 2) ? .of(zone) : nil,
      weekStart: chance(1, in: 3) ? one(of: Weekday.allCases) : nil,
      dayStart: chance(1, in: 3) ? .of(one(of: ["00:00", "02:30", "03:30", "12:00"])) : nil)
  }
}
