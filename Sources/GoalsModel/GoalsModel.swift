import ChangePropagation
import GoalsCore

/// The goals of one account as a network of changes: the model of a replica, and the oracle in
/// tests.
///
/// Edits are announced on two inlets, one for the list and one for progress, and nothing else
/// changes the state. Observers observe `state`, or values derived from it.
///
///     let model = GoalsModel(on: network, startingFrom: AccountState()) { edit, state in
///       edit.transform(state, id: makeID(), device: "phone", under: circumstances())
///     }
///     model.goalEdits.announce(.add(yoga))
///     model.state.current.roster.count  // 1
public final class GoalsModel: Sendable {
  /// Changes of the list are announced here.
  public let goalEdits: Inlet<GoalEdit>
  /// Changes of progress are announced here.
  public let progressEdits: Inlet<ProgressEdit>
  /// Every edit, in order, also one that does not change the state.
  public let edits: Outlet<Edit>
  /// The state that the edits have led to.
  public let state: Changing<AccountState>

  /// - Parameter transform: returns the state after an edit: `Edit.transform` with an id, a clock
  ///   and the zones of the replica itself.
  public init(
    on network: Network, startingFrom state: AccountState,
    transform: @escaping @Sendable (Edit, AccountState) -> AccountState
  ) {
    let goalEdits = Changes<GoalEdit>(on: network)
    let progressEdits = Changes<ProgressEdit>(on: network)
    self.goalEdits = goalEdits.inlet
    self.progressEdits = progressEdits.inlet
    edits = goalEdits.merge(progressEdits).map(Edit.init)
    self.state = edits.accumulate(startingFrom: state, transform)
  }
}

extension Edit {
  /// An edit of the list or of progress.
  public init(_ edit: Either<GoalEdit, ProgressEdit>) {
    switch edit {
    case .left(let edit): self.init(edit)
    case .right(let edit): self.init(edit)
    }
  }

  /// The state after this edit, as a replica decides it for itself. It is `state` where the edit
  /// changes nothing, is rejected, or needs a calendar that is not available. Total, like the
  /// server's own decision, since it is the same decision.
  public func transform(
    _ state: AccountState, id: Edit.ID, device: String, under circumstances: Circumstances
  ) -> AccountState {
    let proposed = ProposedEdit(id: id, edit: self)
    switch state.judge(proposed, from: device, by: circumstances) {
    case .record(let recorded): return recorded.transform(state)
    case .duplicate, .unchanged, .reject, .noCalendar: return state
    }
  }
}
