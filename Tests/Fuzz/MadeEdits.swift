import GoalsCore

/// Makes edits of every type of an input's bytes, over so few goals that they meet.
struct MadeEdits {
  private static let goals: [Goal.ID] = (1...6).map { Goal.ID(high: 0, low: $0) }
  private static let zones = [
    "UTC", "Europe/Berlin", "America/New_York", "Asia/Tokyo", "Pacific/Auckland", "No/Where",
  ]
  private var sent: UInt64 = 0

  static func calendar(_ choices: inout Choices) -> CalendarSettings {
    let zone = choices.one(of: Array(zones.dropLast()))
    return CalendarSettings(
      timeZone: ZoneName(zone) ?? .utc, weekStart: choices.one(of: Weekday.allCases),
      dayStart: DayStart(minutes: choices.one(of: [0, 180, 720])) ?? .midnight)
  }

  /// Mostly a new edit; now and then one that was sent, or another under its id.
  mutating func proposal(
    on log: AccountLog, at now: Instant, by choices: inout Choices
  ) -> Proposal {
    sent += 1
    var id = Edit.ID(high: 1, low: sent)
    var instant = instant(at: now, by: &choices)
    if choices.chance(in: 12), !log.edits.isEmpty {
      let old = choices.one(of: log.edits)
      id = old.id
      if choices.chance(in: 2) {
        instant = choices.one(of: [nil, old.at])
        return .edit(ProposedEdit(id: id, at: instant, edit: old.edit))
      }
    }
    if choices.chance(in: 20) { return .put(goal(by: &choices), id: id, at: instant) }
    if choices.chance(in: 40) {
      return .refused(Rejection(.invalid, "The edit is not valid."), id: id, sent: nil)
    }
    let edit = first(on: log) ?? edit(on: log, by: &choices)
    return .edit(
      ProposedEdit(id: id, at: instant, edit: edit, lacksGoalID: choices.chance(in: 16)))
  }

  /// Mostly an account begins with two goals that are active, so that what follows finds them.
  private func first(on log: AccountLog) -> Edit? {
    let goals = Self.goals.prefix(2)
    switch log.state.version.number {
    case 0..<goals.count:
      guard let title = Title("a") else { return nil }
      return Edit(.add(Goal(id: goals[log.state.version.number], title: title)))
    case goals.count:
      return Edit(
        .setActivity(
          .keyed(KeyedActivity(goals.map { KeyedActivity.Element(goal: $0, isActive: true) }))))
    default: return nil
    }
  }

  private func instant(at now: Instant, by choices: inout Choices) -> Instant? {
    let minute: Int64 = 60_000
    let minutes: Int64 = choices.one(of: [
      0, 0, 0, 0, -1, -60, -1440, -2880, -10_080, -100_000, 4, 5, 6, -20_000_000,
    ])
    return minutes == 0 ? nil : now.adding(milliseconds: minutes * minute)
  }

  private func edit(on log: AccountLog, by choices: inout Choices) -> Edit {
    switch choices.one(of: EditType.allCases + [.bump, .bump, .undo, .undo, .setActivity, .add]) {
    case .add: return Edit(.add(goal(by: &choices)))
    case .delete: return Edit(.delete(id(by: &choices)))
    case .update: return Edit(.update(goal(by: &choices)))
    case .alter: return Edit(.alter(id(by: &choices), changes(by: &choices)))
    case .setActivity: return Edit(.setActivity(activity(on: log, by: &choices)))
    case .move:
      let before = choices.one(of: [nil] + Self.goals)
      return Edit(.move(id(by: &choices), before: before))
    case .bump:
      let by = Increment(choices.one(of: [1, 1, 2, -1, -2, 1_000_000, -1_000_000])) ?? .one
      let note = Note(choices.one(of: ["", "x"]))
      return Edit(.bump(id(by: &choices), by: by, note: choices.one(of: [nil, note])))
    case .skip: return Edit(.skip(id(by: &choices)))
    case .configure:
      let zone = ZoneName(choices.one(of: Self.zones))
      return Edit(
        .configure(
          CalendarSettings.Changes(
            timeZone: choices.one(of: [nil, zone]),
            weekStart: choices.one(of: [nil, .monday, .sunday]),
            dayStart: choices.one(of: [nil, .midnight, DayStart(minutes: 300)]))))
    case .undo: return Edit(.undo(target(on: log, by: &choices)))
    }
  }

  /// Mostly of the last few.
  private func target(on log: AccountLog, by choices: inout Choices) -> Edit.ID {
    let place = log.edits.count - 1 - choices.one(of: [0, 0, 1, 2, 3, 5, 8, 1000])
    return log.edits.indices.contains(place) ? log.edits[place].id : Edit.ID(high: 0, low: 7)
  }

  private func id(by choices: inout Choices) -> Goal.ID { choices.one(of: Self.goals) }

  private func goal(by choices: inout Choices) -> Goal {
    guard let title = Title(choices.one(of: ["a", "b"])) else { preconditionFailure("a title") }
    return Goal(
      id: id(by: &choices), title: title, interval: choices.one(of: Interval.allCases),
      frequency: Frequency(choices.one(of: [1, 2, 1_000_000])) ?? .default,
      unit: choices.one(of: [nil, GoalUnit("km")]))
  }

  private func changes(by choices: inout Choices) -> Goal.Changes {
    let goal = goal(by: &choices)
    let all: [Goal.Change] = [
      .retitling(to: goal.title), .rescheduling(to: goal.interval), .targeting(goal.frequency),
      .measuring(in: goal.unit), .recolouring(to: .red),
    ]
    let chosen = choices.byte()
    return Goal.Changes(all.indices.filter { chosen >> $0 & 1 == 1 }.map { all[$0] })
  }

  private func activity(on log: AccountLog, by choices: inout Choices) -> Activity {
    let chosen = choices.byte()
    if chosen & 0xC0 == 0xC0 {
      let count = log.state.roster.count + (chosen & 0x20 == 0 ? 0 : 1)
      return .listed((0..<count).map { chosen >> ($0 % 5) & 1 == 1 })
    }
    let named = choices.byte()
    return .keyed(
      KeyedActivity(
        Self.goals.indices.filter { named >> $0 & 1 == 1 }.map {
          KeyedActivity.Element(goal: Self.goals[$0], isActive: chosen >> $0 & 1 == 1)
        }))
  }
}
