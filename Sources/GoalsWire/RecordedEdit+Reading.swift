import GoalsCore
import JSON

extension RecordedPayload {
  /// Reads the output of `RecordedEdit.write(to:)`; nil for anything else.
  package init?(_ bytes: [UInt8]) {
    guard let document = try? JSONDocument(parsing: bytes) else { return nil }
    self.init(document.root)
  }

  /// Reads the same from a JSON value.
  package init?(_ value: JSONValue) {
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
    self.init(
      version: version, id: id, at: at, recordedAt: recordedAt, device: device,
      edit: proposed.edit, day: proposed.day)
  }
}
