/// The payload of a recorded edit: what the log and every client read of it. The data that undoing
/// it needs is not part of it.
public struct RecordedPayload: Hashable, Sendable {
  /// The position of the edit in the log: 1 for the first.
  public let version: Version
  /// The id that the device gave the edit.
  public let id: Edit.ID
  /// When the edit happened on the device.
  public let at: Instant
  /// When the server decided the edit.
  public let recordedAt: Instant
  /// The name of the token that the request used.
  public let device: String
  /// What the edit changes.
  public let edit: Edit
  /// The day on which a bump or skip counts; nil for other edits.
  public let day: Day?

  /// Nil for an edit that can't have been recorded: a bump or skip without a day, any other edit
  /// with one, and an activity that is not keyed.
  public init?(
    version: Version, id: Edit.ID, at: Instant, recordedAt: Instant, device: String, edit: Edit,
    day: Day?
  ) {
    let needsDay: Bool
    switch edit {
    case .goal(.setActivity(.listed)): return nil
    case .progress: needsDay = true
    case .goal, .account: needsDay = false
    }
    guard needsDay == (day != nil) else { return nil }
    self.version = version
    self.id = id
    self.at = at
    self.recordedAt = recordedAt
    self.device = device
    self.edit = edit
    self.day = day
  }

  /// The recorded edit, given the edit that it took back and its reversal; nil where it can't have
  /// been recorded with these.
  public func with(
    undone: RecordedEdit.Undone? = nil, reversal: (Effect) -> Reversal
  ) -> RecordedEdit? {
    RecordedEdit(
      version: version, id: id, at: at, recordedAt: recordedAt, device: device, edit: edit,
      day: day, undone: undone, reversal: reversal)
  }

  /// The recorded edit as the log of this state goes on; nil where the log of this state can't go
  /// on with it.
  ///
  /// - Parameter recorded: for an `undo`, the edit that it took back, with its chain of undo and
  ///   redo.
  public func following(_ state: AccountState, among recorded: RecordedEdits) -> RecordedEdit? {
    guard version == state.version.next else { return nil }
    guard let id = edit.undone else {
      return with { $0.reversal(in: state) }
    }
    guard let target = recorded[id] else { return nil }
    let effect = recorded.reversal(of: target).effect
    return with(undone: RecordedEdit.Undone(root: target.root, effect: effect)) {
      $0.reversal(in: state)
    }
  }

  /// The reversal of the edit, where the payload implies it; nil where the log has to keep it
  /// beside the payload.
  public var impliedReversal: Reversal? {
    switch edit {
    case .goal(.add(let goal)):
      return Reversal(.remove(goal.id))
    case .progress(.bump(let id, let increment, _)):
      guard let day else { return nil }
      return Reversal(.count(id, on: day, by: -increment.value, note: nil, bump: version))
    case .progress(.skip(let id)):
      guard let day else { return nil }
      return Reversal(.excuse(id, on: day, false), standing: .excuse(id, on: day, true))
    case .goal, .account:
      return nil
    }
  }
}
