import TestSupport

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
    let unlisted = Goal.ID.of(UInt64(dice.number(in: 1...9)))
    let conditions: [Batch.Precondition?] = [
      nil, nil, .version(version), .version(version.next), .noHead([]),
      .unlisted(unlisted),
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
    dice.edit(among: account.state.roster.ids, undoing: account.log.suffix(12).map(\.id))
  }

  mutating func chance(_ part: Int, in whole: Int) -> Bool { dice.chance(part, in: whole) }

}
