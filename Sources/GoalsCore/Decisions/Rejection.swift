/// The reason why an edit was not recorded.
public struct Rejection: Hashable, Sendable, Error {
  /// The codes that clients know.
  public enum Code: String, CaseIterable, Sendable {
    /// The edit breaks the rule of a field; the faults say which.
    case invalid
    /// There is no goal with the id that the edit names.
    case unknownGoal = "unknown-goal"
    /// A goal with the id is or was in use.
    case goalExists = "goal-exists"
    /// The goal is off, and was off at the time of the edit.
    case inactiveGoal = "inactive-goal"
    /// The count of the day would fall below 0.
    case belowZero = "below-zero"
    /// `at` is more than 5 minutes ahead of the server's clock.
    case inFuture = "in-future"
    /// `at` is before the year 2000.
    case tooOld = "too-old"
    /// An array of flags has not as many as the list has goals.
    case activityMismatch = "activity-mismatch"
    /// An array of flags came without the version of the list that it is for.
    case versionRequired = "version-required"
    /// The id was recorded before, with other content.
    case idConflict = "id-conflict"
    /// No edit with the id to undo was ever recorded.
    case unknownEdit = "unknown-edit"
    /// The edit is undone already, or later edits have overtaken it.
    case notUndoable = "not-undoable"
    /// The account has as much of something as it may have.
    case limitReached = "limit-reached"
    /// The zone database does not have the zone.
    case unknownTimeZone = "unknown-time-zone"
  }

  /// The reason, for programs.
  public let code: Code
  /// A sentence for a person.
  public let detail: String
  /// For `invalid`: every fault that was found, with its pointer in the edit.
  public let faults: [Fault]

  /// A rejection with its sentence, and for `invalid` its faults.
  public init(_ code: Code, _ detail: String, faults: [Fault] = []) {
    self.code = code
    self.detail = detail
    self.faults = faults
  }
}

/// One fault of a request, and its pointer.
public struct Fault: Hashable, Sendable, Error {
  /// A JSON Pointer (RFC 6901) from the root of the request; for a fault of an edit, from the root
  /// of the edit.
  public let pointer: String
  /// A sentence for a person.
  public let detail: String

  /// A fault at a pointer.
  public init(pointer: String, detail: String) {
    self.pointer = pointer
    self.detail = detail
  }
}
