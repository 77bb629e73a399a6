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
    for (id, edit) in others.edits where edits[id] == nil { edits[id] = edit }
    for (root, chain) in others.chains where chains[root] == nil { chains[root] = chain }
  }
}
