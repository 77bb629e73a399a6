/// The outcome of one edit of a batch.
public struct Outcome: Hashable, Sendable {
  /// What became of the edit.
  public enum Status: Hashable, Sendable {
    /// The edit is recorded now, at this version.
    case applied(Version)
    /// The edit was recorded before, at this version.
    case duplicate(Version)
    /// The edit would change nothing, and is not recorded.
    case unchanged
    /// The edit breaks a rule, or does not fit the state.
    case rejected(Rejection)
    /// The edit would have been applied, but its atomic batch failed on another edit.
    case skipped
  }

  /// The edit's id; nil where the proposal has no valid one.
  public let id: Edit.ID?
  /// For a refused proposal: the id as the client sent it, where it is a string.
  public let sent: String?
  /// What became of the edit.
  public let status: Status
  /// The recorded edit, of this batch or of an earlier one.
  public let recorded: RecordedEdit?

  /// An outcome; `recorded` is nil where the edit is not in the log.
  public init(
    id: Edit.ID?, sent: String? = nil, status: Status, recorded: RecordedEdit? = nil
  ) {
    self.id = id
    self.sent = sent
    self.status = status
    self.recorded = recorded
  }

  /// Why the edit was rejected; nil where it was not.
  public var rejection: Rejection? {
    if case .rejected(let rejection) = status { rejection } else { nil }
  }

  /// Whether the edit was recorded before it was judged.
  var isRecordedBefore: Bool {
    if case .duplicate = status { true } else { false }
  }
}
