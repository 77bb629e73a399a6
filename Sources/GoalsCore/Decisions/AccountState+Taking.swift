extension AccountState {
  /// Judges an edit, and becomes the state after it where it would be recorded. A replica shows an
  /// edit so before the server has decided it.
  @discardableResult
  public mutating func take(
    _ proposed: ProposedEdit, from device: String, by circumstances: inout Circumstances
  ) -> Verdict {
    let verdict = judge(proposed, from: device, by: circumstances)
    if case .record(let edit) = verdict {
      edit.transform(&self)
      circumstances.recorded.record(edit)
    }
    return verdict
  }
}

extension RecordedEdits {
  /// Adds the edits and chains of another collection that this one does not know.
  public mutating func add(_ others: RecordedEdits) {
    edits.merge(others.edits) { own, _ in own }
    chains.merge(others.chains) { own, _ in own }
  }
}
