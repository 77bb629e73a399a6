@testable import GoalsCore

/// An account to which random edits are sent, over so few goals that they meet.
struct RandomAccount {
  var account = TestAccount()
  var dice = SeededDice()
  /// What was sent last.
  private(set) var proposed = ProposedEdit(id: 0, edit: Edit(.delete(0)))

  private var nextID: UInt64 = 0

  /// UTC, a zone with summer time, and one that once skipped a day; `Nowhere/None` is none.
  static let zones = Zones(system: ["Europe/Berlin", "Pacific/Apia", "Nowhere/None"])

  init(dice: SeededDice = SeededDice()) {
    self.dice = dice
    account.zones = Self.zones
  }

  /// Calls `body` with so many accounts to which as many edits were sent, of one seed after the
  /// other.
  static func each(
    of count: UInt64 = 20, after edits: Int = 60, _ body: (inout RandomAccount) throws -> Void
  ) rethrows {
    try SeededDice.each(of: count) { dice in
      var random = RandomAccount(dice: dice)
      for _ in 0..<edits { _ = random.step() }
      try body(&random)
    }
  }

  /// What an edit that is sent now is judged by.
  var circumstances: Circumstances {
    Circumstances(now: account.now, zones: account.zones, recorded: account.recorded)
  }

  /// Lets some time pass, sends an edit, and answers the verdict on it.
  mutating func step() -> Verdict {
    passTime()
    proposed = proposal()
    return account.send(proposed.edit, id: proposed.id, at: proposed.at, day: proposed.day)
  }

  /// The verdict on an edit that may be sent next, which is not recorded.
  mutating func verdict() -> Verdict {
    let proposed = proposal()
    return account.state.judge(proposed, from: "phone", by: circumstances)
  }

  /// Some edits in one batch, under any conditions.
  mutating func batch() -> Batch {
    let version = account.state.version
    let conditions: [Batch.Precondition?] = [
      nil, nil, .version(version), .version(version.next), .noHead([]), .unlisted(id()),
    ]
    return Batch(
      device: "phone", proposals: (0..<dice.number(in: 1...5)).map { _ in .edit(proposal()) },
      isAtomic: chance(1, in: 2), isOneChange: chance(1, in: 4),
      precondition: dice.one(of: conditions), isDryRun: chance(1, in: 4))
  }

  /// Mostly on, now and then to just before midnight, or back, as a server's clock may be set.
  mutating func passTime() {
    let hour: Int64 = 3_600_000
    let range = chance(1, in: 20) ? -2 * hour...0 : 0...8 * hour
    account.now = account.now.adding(milliseconds: .random(in: range, using: &dice))
    if chance(1, in: 8) {
      let midnight = (account.now.milliseconds / (24 * hour) + 1) * 24 * hour
      account.now = Instant(milliseconds: midnight - .random(in: 1...300_000, using: &dice))
    }
  }

  /// An edit that may be sent next.
  mutating func proposal() -> ProposedEdit {
    nextID += 1
    let isOld = chance(1, in: 15)
    if isOld, let old = account.log.randomElement(using: &dice) {
      let isSame = chance(2, in: 3)
      return ProposedEdit(
        id: old.id, at: chance(1, in: 2) ? old.at : nil, edit: isSame ? old.edit : edit())
    }
    let (instant, edit) = (instant(), edit())
    return ProposedEdit(
      id: ID(high: 2, low: nextID), at: instant, day: day(of: instant, for: edit), edit: edit)
  }

  /// Mostly none; else the day that an edit is meant for, now and then too far from that of its
  /// instant.
  private mutating func day(of instant: Instant?, for edit: Edit) -> Day? {
    guard case .progress = edit, chance(1, in: 3) else { return nil }
    return account.calendar.day(of: instant ?? account.now)
      .adding(days: Int64.random(in: -2...2, using: &dice))
  }

  /// Nothing, or from long ago to a little too far ahead.
  private mutating func instant() -> Instant? {
    let day: Int64 = 86_400_000
    switch Int.random(in: 0..<40, using: &dice) {
    case 0..<10: return nil
    case 10..<20: return shifted(-day * 60...0)
    case 20: return AccountState.earliest.adding(milliseconds: .random(in: -1...1, using: &dice))
    case 21: return Instant(milliseconds: chance(1, in: 2) ? .min : .max)
    case 22..<26: return shifted(299_000...301_000)
    default: return shifted(-day...300_000)
    }
  }

  private mutating func shifted(_ range: ClosedRange<Int64>) -> Instant {
    account.now.adding(milliseconds: .random(in: range, using: &dice))
  }

  private mutating func edit() -> Edit {
    switch Int.random(in: 0..<100, using: &dice) {
    case 0..<10: Edit(.add(goal()))
    case 10..<15: Edit(.delete(id()))
    case 15..<22: Edit(.update(goal()))
    case 22..<30: Edit(.alter(id(), changes()))
    case 30..<42: Edit(.setActivity(activity()))
    case 42..<48: Edit(.move(id(), before: chance(1, in: 4) ? nil : id()))
    case 48..<72: Edit(.bump(id(), by: increment(), note: chance(1, in: 4) ? .of("x") : nil))
    case 72..<78: Edit(.skip(id()))
    case 78..<82: Edit(.configure(configuration()))
    default: Edit(.undo(account.log.suffix(12).randomElement(using: &dice)?.id ?? 7))
    }
  }

  mutating func chance(_ part: Int, in whole: Int) -> Bool { dice.chance(part, in: whole) }

  private mutating func id() -> Goal.ID { ID(high: 0, low: .random(in: 1...7, using: &dice)) }

  private mutating func goal() -> Goal {
    Goal(id: id(), title: chance(1, in: 2) ? .of("a") : .of("b")).alter(by: changes())
  }

  private mutating func changes() -> Goal.Changes {
    var changes: [Goal.Change] = []
    if chance(1, in: 3) { changes.append(.retitling(to: chance(1, in: 2) ? .of("a") : .of("b"))) }
    if chance(1, in: 4) { changes.append(.recolouring(to: chance(1, in: 2) ? .red : .green)) }
    if chance(1, in: 4) {
      changes.append(.rescheduling(to: Interval.allCases.randomElement(using: &dice) ?? .daily))
    }
    if chance(1, in: 3) { changes.append(.targeting(.times(.random(in: 1...3, using: &dice)))) }
    if chance(1, in: 5) { changes.append(.measuring(in: chance(1, in: 2) ? nil : .of("km"))) }
    return Goal.Changes(changes)
  }

  private mutating func activity() -> Activity {
    if chance(1, in: 2) {
      let count = account.state.roster.count + (chance(1, in: 10) ? 1 : 0)
      return .listed((0..<count).map { _ in chance(3, in: 4) })
    }
    let listed = account.state.roster.ids
    let entries = (0..<Int.random(in: 0...3, using: &dice)).map { _ in
      KeyedActivity.Entry(
        goal: listed.randomElement(using: &dice) ?? id(), isActive: chance(3, in: 4))
    }
    return .keyed(KeyedActivity(entries))
  }

  private mutating func increment() -> Increment {
    chance(1, in: 20) ? .of(1_000_000) : .of([-2, -1, 1, 1, 2, 3].randomElement(using: &dice) ?? 1)
  }

  private mutating func configuration() -> CalendarSettings.Changes {
    let zones = ["UTC", "Europe/Berlin", "Pacific/Apia", "Nowhere/None"]
    return CalendarSettings.Changes(
      timeZone: chance(1, in: 2) ? zones.randomElement(using: &dice).map { .of($0) } : nil,
      weekStart: chance(1, in: 3) ? Weekday.allCases.randomElement(using: &dice) : nil,
      dayStart: chance(1, in: 3) ? DayStart(minutes: 60 * .random(in: 0...12, using: &dice)) : nil)
  }
}
