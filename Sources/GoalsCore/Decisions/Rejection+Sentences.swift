/// The reasons for a rejection, each with its sentence for a person.
extension Rejection {
  static func unknownGoal(_ id: Goal.ID) -> Rejection {
    Rejection(.unknownGoal, "There is no goal \(id).")
  }

  static let goalExists = Rejection(
    .goalExists, "A goal with this id is or was in use, with other content or deleted since.")
  static let inactiveGoal = Rejection(
    .inactiveGoal, "The goal is inactive, and was inactive at that time.")

  static func belowZero(_ count: Int) -> Rejection {
    Rejection(.belowZero, "The day's count is \(count); it cannot fall below 0.")
  }

  static let inFuture = Rejection(
    .inFuture, "`at` is more than 5 minutes ahead of the server's clock.")
  static func tooFar(from day: Day) -> Rejection {
    invalid("/day", "the day is more than one day from \(day), which is the day of `at`")
  }

  static func noSuchDay(_ day: Day) -> Rejection {
    invalid("/day", "the account's time zone never had the day \(day)")
  }

  private static func invalid(_ pointer: String, _ detail: String) -> Rejection {
    Rejection(.invalid, invalidEdit, faults: [Fault(pointer: pointer, detail: detail)])
  }

  /// The sentence of every edit that breaks a rule; its faults tell which rule.
  public static let invalidEdit = "The edit is not valid."

  static let tooOld = Rejection(.tooOld, "`at` is before 2000-01-01T00:00:00Z.")

  static func activityMismatch(_ values: Int, _ goals: Int) -> Rejection {
    Rejection(
      .activityMismatch, "`activity` has \(values) values, but the list has \(goals) goals.")
  }

  static let versionRequired = Rejection(
    .versionRequired, "An `activity` array needs the version of the list that it was made for.")

  static func idConflict(_ version: Version) -> Rejection {
    Rejection(
      .idConflict, "An edit with this id was recorded as version \(version), with other content.")
  }

  /// The earlier edits of the batch may still be withdrawn, so the sentence names no version.
  static let idTakenInBatch = Rejection(
    .idConflict, "An earlier edit of this batch has this id, with other content.")

  static let unknownEdit = Rejection(.unknownEdit, "No edit with this id was ever recorded.")
  package static let undoneAlready = Rejection(.notUndoable, "The edit is undone already.")
  static let overtaken = Rejection(.notUndoable, "Later edits have overtaken what this edit did.")
  static let anotherDevices = Rejection(
    .notUndoable, "Another device made the edit, and this one may take back only its own.")
  static let zoneGone = Rejection(
    .notUndoable, "The time-zone database no longer has the zone that the account was in before.")
  package static let goalGone = Rejection(.notUndoable, "The goal is deleted.")

  static func listFull(_ limit: Int) -> Rejection {
    Rejection(.limitReached, "The account has \(limit) goals already.")
  }

  static let noMoreGoals = Rejection(
    .limitReached,
    "\(AccountState.maximumGoalsEverMade) goals were made in the account, as many as it can hold.")

  init(_ limit: MemoryLimit) { self.init(.limitReached, limit.detail) }

  /// The account would move to a time zone that the zone database does not have.
  public static let unknownTimeZone = Rejection(
    .unknownTimeZone, "The time-zone database has no zone of this name.")
}
