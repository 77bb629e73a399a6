import GoalsCore
import JSON

extension RecordedEdit: JSONWritable {
  /// Writes the recorded edit as clients read it. The log keeps these bytes and the chain is made
  /// over them, so a change here is a new format of the payload.
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("id", id)
      json.member("type", edit.type.rawValue)
      edit.writeMembers(to: &json)
      json.member("at", at)
      json.member("version", version)
      json.member("recordedAt", recordedAt)
      json.member("device", device)
      if let day { json.member("day", day) }
    }
  }
}

extension ProposedEdit: JSONWritable {
  /// Writes the edit as a client sends it.
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("id", id)
      json.member("type", edit.type.rawValue)
      edit.writeMembers(to: &json)
      if let at { json.member("at", at) }
      if let day { json.member("day", day) }
    }
  }
}

extension Edit {
  /// Writes the members of the edit's type into the open object.
  package func writeMembers(to json: inout JSONWriter) {
    switch self {
    case .goal(.add(let goal)), .goal(.update(let goal)):
      json.member("goal", goal)
    case .goal(.delete(let id)), .progress(.skip(let id)):
      json.member("goal", id)
    case .goal(.alter(let id, let changes)):
      json.member("goal", id)
      json.member("changes", changes)
    case .goal(.setActivity(.keyed(let activity))):
      json.member("activity", activity)
    case .goal(.setActivity(.listed(let values))):
      json.array("activity") { json in
        for value in values { json.value(value) }
      }
    case .goal(.move(let id, let successor)):
      json.member("goal", id)
      json.member("before", successor)
    case .progress(.bump(let id, let increment, let note)):
      json.member("goal", id)
      json.member("by", increment.value)
      if let note { json.member("note", note) }
    case .account(.configure(let changes)):
      if let zone = changes.timeZone { json.member("timeZone", zone.text) }
      if let weekStart = changes.weekStart { json.member("weekStart", weekStart) }
      if let dayStart = changes.dayStart { json.member("dayStart", dayStart) }
    case .account(.undo(let id)):
      json.member("edit", id)
    }
  }
}

extension Outcome: JSONWritable {
  package func write(to json: inout JSONWriter) { write(to: &json, edit: .root) }

  /// Writes the outcome of an edit that the request has at a pointer.
  package func write(to json: inout JSONWriter, edit pointer: @autoclosure () -> JSONPointer) {
    json.object { json in
      if let sent { json.member("id", sent) } else { json.member("id", id) }
      switch status {
      case .applied(let version):
        json.member("status", "applied")
        json.member("version", version)
      case .duplicate(let version):
        json.member("status", "duplicate")
        json.member("version", version)
      case .unchanged:
        json.member("status", "unchanged")
      case .rejected(let rejection):
        json.member("status", "rejected")
        json.member("code", rejection.code.rawValue)
        json.member("detail", rejection.detail)
        if rejection.code == .invalid {
          let pointer = pointer().description
          json.array("errors") { json in
            for fault in rejection.faults {
              json.value(Fault(pointer: pointer + fault.pointer, detail: fault.detail))
            }
          }
        }
      case .skipped:
        json.member("status", "skipped")
      }
    }
  }
}
