import GoalsCore
import GoalsWire

/// Folds a log whose payloads are all that is known of it, and works out from them what is kept
/// beside each: what an undo took back, and what takes an edit back.
struct LogFold {
  private struct UndoChain {
    let row: UndoRow
    /// What takes the latest back.
    let reversal: Reversal
  }

  private(set) var state: AccountState
  private var undoChains: [Version: UndoChain] = [:]

  init(_ calendar: CalendarSettings) { state = AccountState(calendar: calendar) }

  /// How every chain of undo and redo stands.
  var undoRows: [UndoRow] { undoChains.values.map(\.row) }

  /// What an edit takes back; nil where it is no undo. `target` is the edit that it names.
  func undone(by edit: Edit, target: RecordedEdit?) -> RecordedEdit.Undone? {
    guard case .account(.undo) = edit, let target, target.version <= state.version else {
      return nil
    }
    let reversal = undoChains[target.root]?.reversal ?? target.reversal
    return RecordedEdit.Undone(root: target.root, effect: reversal.effect)
  }

  /// The edit that a payload records, if it is the next one; nil where it can't have been recorded.
  func edit(of payload: RecordedPayload, target: RecordedEdit?) -> RecordedEdit? {
    payload.with(undone: undone(by: payload.edit, target: target)) { effect in
      payload.impliedReversal ?? effect.reversal(in: state)
    }
  }

  /// What judging an undo asks of its target and the chain to which that belongs.
  func recorded(_ target: RecordedEdit?) -> RecordedEdits {
    guard let target else { return RecordedEdits() }
    let chains = undoChains[target.root].map { chain in
      [
        target.root: RecordedEdits.UndoChain(
          latest: chain.row.latest, isUndone: chain.row.isUndone, reversal: chain.reversal)
      ]
    }
    return RecordedEdits([target], chains: chains ?? [:])
  }

  mutating func apply(_ edit: RecordedEdit) {
    edit.transform(&state)
    if let root = edit.undone?.root {
      let wasUndone = undoChains[root]?.row.isUndone ?? false
      undoChains[root] = UndoChain(
        row: UndoRow(root: root, latest: edit.version, isUndone: !wasUndone),
        reversal: edit.reversal)
    }
  }
}
