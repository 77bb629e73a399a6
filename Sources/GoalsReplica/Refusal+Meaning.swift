import GoalsCore

/// What a refusal means for what was asked.
extension Replica.Refusal {
  /// Whether the server itself refused, and not a proxy before it: only the server knows of an edit
  /// or of a log.
  var isOfServer: Bool { code != nil }

  /// Whether the server does not know the cursor: its log is another one, or the text is damaged.
  var isOfAnotherLog: Bool {
    status == 410 && code == "cursor-diverged"
      || status == 422 && isOfServer && pointers.contains("/after")
  }

  /// Whether the request is to be sent with fewer edits, or without the only one that it had.
  func isOf(_ edits: [ProposedEdit]) -> Bool {
    switch status {
    case 400, 422: isOfServer && !edits.isEmpty
    // A proxy may take less than the server does, but says nothing of a single edit.
    case 413: isOfServer && !edits.isEmpty || edits.count > 1
    // NB: open: a switch over numbers.
    default: false
    }
  }

  /// Whether the status is one of success: then the body made no sense.
  private var isNonsense: Bool { (200...299).contains(status) }

  var cause: Replica.Cause {
    switch status {
    case 200...299: .nonsense
    case 401, 403: isOfServer ? .status(status) : .refusedBetween(status)
    // NB: open: a switch over numbers.
    default: .status(status)
    }
  }

  /// What the refusal says, for a person.
  var sentence: String {
    if !detail.isEmpty { return detail }
    return isNonsense ? "its answer makes no sense." : "it answered \(status)."
  }
}
