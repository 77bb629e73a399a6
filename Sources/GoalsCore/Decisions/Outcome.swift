/// The outcome of one edit of a batch.
public struct Outcome: Hashable, Sendable {
  public enum Status: Hashable, Sendable {
    case applied(Version)
    /// It was applied before, at that version.
    case duplicate(Version)
    case unchanged
    case rejected(Rejection)
    /// It would have been applied, but its atomic batch failed on another edit.
    case skipped
  }

  /// The edit's id; nil where none could be read.
  public let id: Edit.ID?
  /// The id as it was sent, where it is no UUID but a text all the same.
  public let sent: String?
  public let status: Status
  /// The edit as it is recorded, now or before.
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

  /// Whether its edit is in the log, from now on or from before.
  var isRecordedBefore: Bool {
    if case .duplicate = status { true } else { false }
  }
}
