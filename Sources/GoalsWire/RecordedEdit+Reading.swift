import GoalsCore
import JSON

/// The payload of a recorded edit: everything except the data that undoing it needs, which the log
/// keeps beside it.
package struct RecordedPayload: Hashable, Sendable {
  package let version: Version
  package let id: Edit.ID
  package let at: Instant
  package let recordedAt: Instant
  package let device: String
  package let edit: Edit
  package let day: Day?

  /// Reads the output of `RecordedEdit.write(to:)`; nil for anything else.
  package init?(_ bytes: [UInt8]) {
    guard let document = try? JSONDocument(parsing: bytes) else { return nil }
    self.init(document.root)
  }

  /// Reads the same from a JSON value.
  package init?(_ value: JSONValue) {
    guard let read = Self.read(value) else { return nil }
    self = read
  }

  private static func read(_ value: JSONValue) -> RecordedPayload? {
    var object = ObjectReader(value)
    let id = object.required("id", .id()) as Edit.ID?
    let at = object.required("at", .instant)
    let proposed = ProposalReader { Goal.ID(high: 0, low: 0) }.readEdit(from: &object)
    let version = object.required("version", .version)
    let recordedAt = object.required("recordedAt", .instant)
    let device = object.required("device", .string)
    guard object.finish().isEmpty, let id, let at, let proposed, let version, let recordedAt,
      let device, proposed.refusal == nil, !proposed.lacksGoalID
    else { return nil }
    let needsDay: Bool
    switch proposed.edit {
    case .goal(.setActivity(.listed)): return nil
    case .progress: needsDay = true
    case .goal, .account: needsDay = false
    }
    guard needsDay == (proposed.day != nil) else { return nil }
    return RecordedPayload(
      version: version, id: id, at: at, recordedAt: recordedAt, device: device,
      edit: proposed.edit, day: proposed.day)
  }

  private init(
    version: Version, id: Edit.ID, at: Instant, recordedAt: Instant, device: String, edit: Edit,
    day: Day?
  ) {
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
  package func with(
    undone: RecordedEdit.Undone? = nil, reversal: (Effect) -> Reversal
  ) -> RecordedEdit? {
    RecordedEdit(
      version: version, id: id, at: at, recordedAt: recordedAt, device: device, edit: edit,
      day: day, undone: undone, reversal: reversal)
  }

  /// The reversal of the edit, where the payload implies it; nil where the log has to keep it
  /// beside the payload.
  package var impliedReversal: Reversal? {
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
