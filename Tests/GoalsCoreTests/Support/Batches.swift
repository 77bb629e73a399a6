@testable import GoalsCore

/// A batch from these edits, with the ids 101, 102, ….
func batch(
  _ edits: Edit..., isAtomic: Bool = false, precondition: Batch.Precondition? = nil,
  isDryRun: Bool = false
) -> Batch {
  let proposals = edits.enumerated().map { place, edit in
    Proposal.edit(ProposedEdit(id: ID(high: 0, low: UInt64(101 + place)), edit: edit))
  }
  return Batch(
    device: "phone", proposals: proposals, isAtomic: isAtomic, precondition: precondition,
    isDryRun: isDryRun)
}

/// A batch of one bump, under an id of its own.
func counting(_ id: Edit.ID, on condition: Batch.Precondition? = nil) -> Batch {
  Batch(
    device: "phone",
    proposals: [.edit(ProposedEdit(id: id, edit: Edit(.bump(1, by: .one, note: nil))))],
    precondition: condition)
}

extension Batch {
  /// The same, whose answer shows the state or does not.
  func with(shows: Shown) -> Batch {
    Batch(
      device: device, proposals: proposals, isAtomic: isAtomic, isOneChange: isOneChange,
      precondition: precondition, isDryRun: isDryRun, shows: shows)
  }
}

extension Ruling {
  var statuses: [Outcome.Status] { outcomes.map(\.status) }

  /// The codes of rejections, nil for any other outcome.
  var codes: [Rejection.Code?] { outcomes.map { $0.rejection?.code } }
}

extension AccountState {
  func judged(
    _ batch: Batch, chain: Chain? = .link(1), recorded: RecordedEdits = RecordedEdits()
  ) -> Ruling {
    judge(
      batch, chain: chain,
      by: Circumstances(now: .at("2026-11-20T12:00:00Z"), zones: Zones(), recorded: recorded))
  }
}

/// Counts one for goal 1.
let bump = Edit(.bump(1, by: .one, note: nil))
/// An edit that is rejected: there is no goal 9.
let bad = Edit(.delete(9))
