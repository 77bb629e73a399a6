/// The outcome of one edit of a batch.
public struct Outcome: Hashable, Sendable {
  public enum Status: Hashable, Sendable {
    case applied(Version)
    /// The edit was recorded before, at this version.
    case duplicate(Version)
    case unchanged
    case rejected(Rejection)
    /// The edit would have been applied, but its atomic batch failed on another edit.
    case skipped
  }

  /// The edit's id; nil where the proposal has no valid one.
  public let id: Edit.ID?
  /// For a refused proposal: the id as the client sent it, where it is a string.
  public let sent: String?
  public let status: Status
  /// The recorded edit, of this batch or of an earlier one.
  public let recorded: RecordedEdit?

  public init(
    id: Edit.ID?, sent: String? = nil, status: Status, recorded: RecordedEdit? = nil
  ) {
    self.id = id
    self.sent = sent
    self.status = status
    self.recorded = recorded
  }

  public var rejection: Rejection? {
    if case .rejected(let rejection) = status { rejection } else { nil }
  }

  /// Whether the edit was recorded before it was judged.
  var isRecordedBefore: Bool {
    if case .duplicate = status { true } else { false }
  }
}
