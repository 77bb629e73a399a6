/// The reason why an edit was not recorded.
public struct Rejection: Hashable, Sendable, Error {
  /// The codes that clients know.
  public enum Code: String, CaseIterable, Sendable {
    case invalid
    case unknownGoal = "unknown-goal"
    case goalExists = "goal-exists"
    case inactiveGoal = "inactive-goal"
    case belowZero = "below-zero"
    case inFuture = "in-future"
    case tooOld = "too-old"
    case activityMismatch = "activity-mismatch"
    case versionRequired = "version-required"
    case idConflict = "id-conflict"
    case unknownEdit = "unknown-edit"
    case notUndoable = "not-undoable"
    case limitReached = "limit-reached"
    case unknownTimeZone = "unknown-time-zone"
  }

  /// The reason, for programs.
  public let code: Code
  /// A sentence for a person.
  public let detail: String
  /// For `invalid`: every fault that was found, with its place in the edit.
  public let faults: [Fault]

  /// A rejection with its sentence, and for `invalid` its faults.
  public init(_ code: Code, _ detail: String, faults: [Fault] = []) {
    self.code = code
    self.detail = detail
    self.faults = faults
  }
}

/// One fault of a request, and its place.
public struct Fault: Hashable, Sendable, Error {
  /// A JSON Pointer (RFC 6901) from the root of the request; for a fault of an edit, from the root
  /// of the edit.
  public let pointer: String
  /// A sentence for a person.
  public let detail: String

  /// A fault at a place.
  public init(pointer: String, detail: String) {
    self.pointer = pointer
    self.detail = detail
  }
}
