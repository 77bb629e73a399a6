/// An edit as a device sends it. The device chooses its id, so it is recorded once, however often
/// it is sent.
public struct ProposedEdit: Hashable, Sendable {
  /// The id that the device gave the edit.
  public let id: Edit.ID
  /// When the edit happened on the device; nil stands for the server's present time.
  public let at: Instant?
  /// For `bump` and `skip`: the day that the edit is meant for; nil stands for the day of `at` in
  /// the account's calendar.
  public let day: Day?
  /// What the edit changes.
  public let edit: Edit
  /// Whether an `add` came without an id for its goal, or a `setActivity` turns that goal on. The
  /// server made the goal's id, and makes another for a retry.
  public let lacksGoalID: Bool

  /// An edit of a device; without `at` it happens when the server decides it.
  public init(
    id: Edit.ID, at: Instant? = nil, day: Day? = nil, edit: Edit, lacksGoalID: Bool = false
  ) {
    self.id = id
    self.at = at
    self.day = day
    self.edit = edit
    self.lacksGoalID = lacksGoalID
  }
}

/// One element of a batch.
public enum Proposal: Hashable, Sendable {
  /// An edit as a device sends it.
  case edit(ProposedEdit)
  /// Gives the goal these values: an `update` where the goal is in the list, else an `add`. The
  /// judge decides which of the two, so that no other edit can come in between.
  case put(Goal, id: Edit.ID, at: Instant?)
  /// A value that is not a valid edit, with the reason. `sent` is its id as the client sent it,
  /// where that is a string. `id` is the same id, where it is a UUID.
  case refused(Rejection, id: Edit.ID?, sent: String?)

  /// The id of the edit; nil where a refused value has no valid one.
  public var id: Edit.ID? {
    switch self {
    case .edit(let proposed): proposed.id
    case .put(_, let id, _): id
    case .refused(_, let id, _): id
    }
  }
}

extension ProposedEdit {
  /// Whether this is the same edit as a recorded one. A field that the client left out matches the
  /// value that the server filled in.
  func matches(_ recorded: RecordedEdit) -> Bool {
    guard at == nil || at == recorded.at, day == nil || day == recorded.day else { return false }
    switch (edit, recorded.edit) {
    case (.goal(.setActivity(.listed(let values))), .goal(.setActivity(.keyed(let activity)))):
      return values == activity.elements.map { $0.isActive }
    case (.goal(.add(let goal)), .goal(.add(let made))) where lacksGoalID:
      return goal.with(id: made.id) == made
    case (.goal(.setActivity(.keyed(let asked))), .goal(.setActivity(.keyed(let activity))))
    where lacksGoalID:
      return asked.elements.map { $0.isActive } == activity.elements.map { $0.isActive }
    case (.goal, _), (.progress, _), (.account, _):
      return edit == recorded.edit
    }
  }
}
