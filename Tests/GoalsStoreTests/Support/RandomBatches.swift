import GoalsCore
import TestSupport

/// Random batches of edits. They are mostly good, so that much is stored.
struct RandomBatches {
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
        id: .number(nextID), at: dice.chance(1, in: 2) ? nil : before(now),
        edit: dice.edit(among: state.roster.ids, undoing: sent.suffix(15).map(\.id)))
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
}
