import GoalsWire
import JSON

@testable import GoalsCore

/// An edit as a device keeps it until the server has decided it.
struct DeviceEdit: Sendable {
  let id: Edit.ID
  /// As it is sent, time after time.
  let json: String
  /// Whether it is an `activity` array, which says nothing without `ifVersion`.
  var isPositional = false
  /// False for one with an id that was used before, for something else.
  var isSound = true
  /// How often it was rejected.
  var refusals = 0
}

extension DeviceEdit {
  /// Whether this is what the log holds: its id, and what was sent with it.
  func isRecorded(as recorded: RecordedEdit) -> Bool {
    guard let document = try? JSONDocument(parsing: Array(json.utf8)),
      case .edit(let proposed) = ProposalReader(makeGoalID: { Goal.ID(high: 0, low: 0) })
        .read(document.root)
    else { return false }
    return proposed.id == recorded.id && proposed.matches(recorded)
  }
}
