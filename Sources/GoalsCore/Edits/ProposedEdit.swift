/// An edit as a device sends it. It has an id of the device's own, so it is decided once, however
/// often it is sent.
public struct ProposedEdit: Hashable, Sendable {
  public let id: Edit.ID
  /// When it happened on the device; nil where that is when the server learns of it.
  public let at: Instant?
  public let edit: Edit
  /// Whether an `add` came without an id for its goal: the one it has was made by the server, and a
  /// retry will be given another.
  public let lacksGoalID: Bool

  public init(id: Edit.ID, at: Instant? = nil, edit: Edit, lacksGoalID: Bool = false) {
    self.id = id
    self.at = at
    self.edit = edit
    self.lacksGoalID = lacksGoalID
  }
}

/// One element of a batch.
public enum Proposal: Hashable, Sendable {
  case edit(ProposedEdit)
  /// Makes the goal be as given: an `add` where its id was never used, else an `update`. Which of
  /// the two is decided with everything else, so that no other edit can come in between.
  case put(Goal, id: Edit.ID, at: Instant?)
  /// Something that is no edit, with the reason. `sent` is its id as it was sent, where that was
  /// a string; `id` is that one read.
  case refused(Rejection, id: Edit.ID?, sent: String?)

  public var id: Edit.ID? {
    switch self {
    case .edit(let proposed): proposed.id
    case .put(_, let id, _): id
    case .refused(_, let id, _): id
    }
  }
}

extension ProposedEdit {
  /// Whether this asks for the edit that was recorded. A field that was left out matches the value
  /// that the server filled in then.
  func matches(_ recorded: RecordedEdit) -> Bool {
    guard at == nil || at == recorded.at else { return false }
    switch (edit, recorded.edit) {
    case (.goal(.setActivity(.listed(let values))), .goal(.setActivity(.keyed(let activity)))):
      return values == activity.entries.map(\.isActive)
    case (.goal(.add(let goal)), .goal(.add(let made))) where lacksGoalID:
      return goal.with(id: made.id) == made
    default:  // NB: open, every other pair of edits
      return edit == recorded.edit
    }
  }
}
