import GoalsCore
import GoalsReplica
import GoalsWire
import JSON

extension OwnEdit: JSONWritable {
  /// Writes the edit as it is sent, and how it stands.
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("edit", proposed)
      json.member("standing", standing.name)
      switch standing {
      case .due, .acknowledged: break
      case .recorded(let since): json.member("since", since)
      case .rejected(let rejection): rejection.writeMembers(to: &json)
      }
      if let retriedUntil { json.member("retriedUntil", retriedUntil) }
      if isCorrected { json.member("corrected", true) }
    }
  }

  /// Reads the output of `write`; nil for anything else.
  init?(_ value: JSONValue) {
    var object = ObjectReader(value)
    guard let proposed = object.take("edit").flatMap({ ProposedEdit(kept: $0) }),
      let name = object.required("standing", .string)
    else { return nil }
    let standing: Standing
    switch name {
    case "due": standing = .due
    case "acknowledged": standing = .acknowledged
    case "recorded":
      guard let since = object.required("since", .instant) else { return nil }
      standing = .recorded(since)
    case "rejected": standing = .rejected(Rejection(from: &object))
    // NB: open, a text
    default: return nil
    }
    let until = object.optional("retriedUntil", .instant)
    let isCorrected = object.optional("corrected", .flag) ?? false
    guard object.finish().isEmpty else { return nil }
    self.init(proposed, standing: standing, retriedUntil: until, isCorrected: isCorrected)
  }

  /// Reads what can be read of an own edit that another format has, or that is damaged: at least
  /// the edit, whose form is that of the HTTP contract. It is due where nothing else is known: the
  /// server knows an edit again by its id.
  init?(salvaging value: JSONValue) {
    if let edit = OwnEdit(value) {
      self = edit
      return
    }
    var object = ObjectReader(value)
    guard let proposed = object.take("edit").flatMap({ ProposedEdit(kept: $0) }) else {
      return nil
    }
    self.init(proposed)
  }
}

extension OwnEdit.Standing {
  var name: String {
    switch self {
    case .due: "due"
    case .acknowledged: "acknowledged"
    case .recorded: "recorded"
    case .rejected: "rejected"
    }
  }
}

extension ProposedEdit {
  /// Reads an edit of the contract that has everything that the device gave it; nil for anything
  /// else.
  init?(kept value: JSONValue) {
    guard case .edit(let proposed) = ProposalReader.ofDevice.read(value), proposed.at != nil,
      !proposed.lacksGoalID
    else { return nil }
    self = proposed
  }
}

extension ProposalReader {
  /// A device makes the ids of its goals itself, so no edit gets one here.
  static var ofDevice: ProposalReader { ProposalReader { Goal.ID(high: 0, low: 0) } }
}
